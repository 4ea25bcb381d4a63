// Transforms of FFTW in single precision.
// HEADER: fftw3.h
// LINK: fftw3f
#include "../check.h"
#include <complex>
#include <fftw3.h>
#include <vector>

double f(const double *x, int n) {
  std::vector<std::complex<float>> c(n), d(n);
  for (int i = 0; i < n; ++i)
    c[i] = std::complex<float>(x[i] * x[i], std::sin(x[i]));
  auto *p = reinterpret_cast<fftwf_complex *>(c.data()),
       *q = reinterpret_cast<fftwf_complex *>(d.data());
  fftwf_plan plan = fftwf_plan_dft_1d(n, p, q, FFTW_FORWARD, FFTW_ESTIMATE);
  fftwf_execute(plan);
  fftwf_destroy_plan(plan);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += std::norm(d[i]) * sin(i + 1.) * 0.01;
  return s;
}
int main() {
  double x[8], g[8] = {}, v[8] = {};
  for (int i = 0; i < 8; ++i)
    x[i] = 0.5 + 0.3 * sin(5. * i);
  __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, 8);
  for (int i = 0; i < 8; ++i) {
    v[i] = 1;
    double up[8], dn[8];
    for (int k = 0; k < 8; ++k)
      up[k] = x[k] + 1e-2 * v[k], dn[k] = x[k] - 1e-2 * v[k];
    NEAR(g[i], (f(up, 8) - f(dn, 8)) / 2e-2, 1e-2);
    v[i] = 0;
  }
  return finish();
}
