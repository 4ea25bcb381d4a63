// In-place complex radix-2 Fourier transform with twiddles by recurrence:
// specification section 7.
#pragma once

#include "common/kernel.h"

#include <cmath>

namespace RETRO_MODEL {

constexpr double pi = 3.14159265358979323846;

/// Bit-reversal permutation of n complex numbers; its own inverse.
inline void permute(double *RETRO_RESTRICT data, int n) {
  int j = 1;
  for (int i = 1; i < 2 * n; i += 2) {
    if (j > i) {
      const double re = data[j - 1], im = data[j];
      data[j - 1] = data[i - 1];
      data[j] = data[i];
      data[i - 1] = re;
      data[i] = im;
    }
    int m = n;
    while (m >= 2 && j > m) {
      j -= m;
      m /= 2;
    }
    j += m;
  }
}

/// Butterflies of a permuted sequence of len complex numbers; sign +1 forward,
/// -1 inverse (not scaled).
void transform(double *RETRO_RESTRICT data, int len, int sign) {
  if (len == 1)
    return;
  transform(data, len / 2, sign);
  transform(data + len, len / 2, sign);

  const double half = sign * std::sin(pi / len);
  const double wpi = -sign * std::sin(2 * pi / len);
  const double wpr = -2 * half * half;
  double wr = 1, wi = 0;
  for (int k = 0; k < len; k += 2) {
    const double re = wr * data[len + k] - wi * data[len + k + 1];
    const double im = wr * data[len + k + 1] + wi * data[len + k];
    data[len + k] = data[k] - re;
    data[len + k + 1] = data[k + 1] - im;
    data[k] += re;
    data[k + 1] += im;
    const double old = wr;
    wr = wr * (wpr + 1) - wi * wpi;
    wi = wi * (wpr + 1) + old * wpi;
  }
}

/// data: n complex numbers, re and im interleaved; n is a power of two.
void forward(double *RETRO_RESTRICT data, int n) {
  permute(data, n);
  transform(data, n, 1);
}

/// Forward transform, then inverse: the identity, up to rounding.
void roundtrip(double *RETRO_RESTRICT data, int n) {
  forward(data, n);
  permute(data, n);
  transform(data, n, -1);
  const double scale = 1.0 / n;
  for (int i = 0; i < 2 * n; ++i)
    data[i] *= scale;
}

} // namespace RETRO_MODEL
