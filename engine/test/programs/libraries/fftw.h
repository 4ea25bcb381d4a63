// What the programs of FFTW share: a function of what a transform gives, and a
// comparison of gradient and tangent with central differences.
#include "../check.h"
#include <fftw3.h>

static double weighed(const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += sin(i + 1.) * y[i] + 0.01 * cos(3. * i) * y[i] * y[i];
  return sum;
}

#define TRY(f, n)                                                              \
  {                                                                            \
    double x[n], g[n] = {0}, v[n];                                             \
    for (int k = 0; k < n; ++k)                                                \
      x[k] = 0.5 + 0.3 * sin(5. * k), v[k] = 0;                                \
    __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n);           \
    double all = 0;                                                            \
    for (int k = 0; k < n; ++k) {                                              \
      v[k] = 1;                                                                \
      NEAR(g[k], slope(f, x, v, n), 1e-7);                                     \
      v[k] = 0;                                                                \
    }                                                                          \
    for (int k = 0; k < n; ++k)                                                \
      v[k] = cos(k), all += v[k] * g[k];                                       \
    NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, n), all,  \
         1e-10);                                                               \
  }
