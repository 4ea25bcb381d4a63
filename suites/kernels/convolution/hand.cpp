// Rows of the image innermost, so that no sum is carried but the filter's.
#include "model.h"

namespace RETRO_MODEL {

RETRO_KERNEL_HAND(convolution) {
  const int side = n, inputs = m, outputs = k, inner = side - 2;
  convolution(side, inputs, outputs, x, work);
  const double *filters = x, *image = x + outputs * inputs * 9;
  double *filtersb = xb, *imageb = xb + outputs * inputs * 9;
  for (int i = 0; i < outputs * inner * inner; ++i)
    workb[i] = work[i] > 0 ? work[i] : 0.01 * work[i];
  for (int o = 0; o < outputs; ++o)
    for (int r = 0; r < inner; ++r) {
      const double *RETRO_RESTRICT row = workb + (o * inner + r) * inner;
      for (int i = 0; i < inputs; ++i)
        for (int a = 0; a < 3; ++a) {
          const double *RETRO_RESTRICT in = image + (i * side + r + a) * side;
          double *RETRO_RESTRICT inb = imageb + (i * side + r + a) * side;
          const double *filter = filters + ((o * inputs + i) * 3 + a) * 3;
          double *filterb = filtersb + ((o * inputs + i) * 3 + a) * 3;
          double sum0 = 0, sum1 = 0, sum2 = 0;
          for (int c = 0; c < inner; ++c) {
            sum0 += row[c] * in[c];
            sum1 += row[c] * in[c + 1];
            sum2 += row[c] * in[c + 2];
          }
          filterb[0] += sum0;
          filterb[1] += sum1;
          filterb[2] += sum2;
          for (int b = 0; b < 3; ++b)
            for (int c = 0; c < inner; ++c)
              inb[c + b] += row[c] * filter[b];
        }
    }
}

} // namespace RETRO_MODEL
