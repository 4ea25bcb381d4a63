// Adjoint of the transform: the transposed butterflies in reverse order, with
// the primal's own (slightly inexact) twiddles. It needs no primal values, so
// the primal does not run.
#include "model.h"

namespace RETRO_MODEL {

/// Transpose of transform().
static void transposed_transform(double *RETRO_RESTRICT data, int len,
                                 int sign) {
  if (len == 1)
    return;
  const double half = sign * std::sin(pi / len);
  const double wpi = -sign * std::sin(2 * pi / len);
  const double wpr = -2 * half * half;
  double wr = 1, wi = 0;
  for (int k = 0; k < len; k += 2) {
    const double re = data[k] - data[len + k];
    const double im = data[k + 1] - data[len + k + 1];
    data[k] += data[len + k];
    data[k + 1] += data[len + k + 1];
    data[len + k] = wr * re + wi * im;
    data[len + k + 1] = wr * im - wi * re;
    const double old = wr;
    wr = wr * (wpr + 1) - wi * wpi;
    wi = wi * (wpr + 1) + old * wpi;
  }
  transposed_transform(data, len / 2, sign);
  transposed_transform(data + len, len / 2, sign);
}

extern "C" void RETRO_SYMBOL(fft_forward_gradient)(double *, double *datab,
                                                   int n) {
  transposed_transform(datab, n, 1);
  permute(datab, n);
}

extern "C" void RETRO_SYMBOL(fft_roundtrip_gradient)(double *data,
                                                     double *datab, int n) {
  const double scale = 1.0 / n;
  for (int i = 0; i < 2 * n; ++i)
    datab[i] *= scale;
  transposed_transform(datab, n, -1);
  permute(datab, n);
  RETRO_SYMBOL(fft_forward_gradient)(data, datab, n);
}

extern "C" void RETRO_SYMBOL(fft_roundtrip_dupnoneed_gradient)(double *data,
                                                               double *datab,
                                                               int n) {
  RETRO_SYMBOL(fft_roundtrip_gradient)(data, datab, n);
}

} // namespace RETRO_MODEL
