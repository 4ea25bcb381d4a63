// A 2-D convolution of several channels, 3 x 3, with a leaky ramp after it.
#pragma once

#include "entry.h"

namespace RETRO_MODEL {

/// x: filters (outputs x inputs x 3 x 3), then channels (inputs x side x side).
/// out: outputs x (side - 2) x (side - 2). Half the squares' sum of the ramp.
inline double convolution(int side, int inputs, int outputs,
                          const double *RETRO_RESTRICT x,
                          double *RETRO_RESTRICT out) {
  const double *filters = x, *image = x + outputs * inputs * 9;
  const int inner = side - 2;
  for (int o = 0; o < outputs; ++o)
    for (int r = 0; r < inner; ++r)
      for (int c = 0; c < inner; ++c) {
        double sum = 0;
        for (int i = 0; i < inputs; ++i)
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
              sum += filters[((o * inputs + i) * 3 + a) * 3 + b] *
                     image[(i * side + r + a) * side + c + b];
        out[(o * inner + r) * inner + c] = sum;
      }
  double total = 0;
  for (int i = 0; i < outputs * inner * inner; ++i) {
    const double value = out[i] > 0 ? out[i] : 0.1 * out[i];
    total += value * value;
  }
  return 0.5 * total;
}

} // namespace RETRO_MODEL
