// Arithmetic that may be rounded in any way, and whose exceptions count.
// OPTIONS: -ffp-model=strict
#include "../check.h"
#include <fenv.h>

NOINLINE static double part(double x, double y) {
  return x > y ? hypot(x, y) : fabs(x) * pow(y, 1.5);
}
/// Each kind of operation: sums with their errors, conversions, comparisons,
/// roundings to integers, functions of the library.
static double all(const double *x, int n) {
  double s = 0, c = 0;
  float f = 0;
  for (int i = 0; i < n; ++i) {
    double y = x[i] * x[i] - c, t = s + y;
    c = (t - s) - y;
    s = t;
    f += (float)x[i] / (float)(i + 1);
  }
  long near = lrint(x[1]);
  double r = floor(x[0]) + ceil(x[1]) + trunc(x[2]) + nearbyint(x[0]);
  return sqrt(s) * exp(-s) + fma(s, x[0], part(x[0], x[1])) + f +
         part(x[1], x[0]) * (double)near + r * x[2] + fmod(x[1], 0.7) +
         ldexp(x[2], 3) + fmin(x[0], x[1]) * atan2(x[2], x[0]) +
         (x[0] == x[1] ? 7 : (int)x[1] * x[1]);
}

int main(void) {
  const double x[3] = {1.4, 2.6, 0.7}, v[3] = {0.3, -0.2, 0.9};
  double g[3] = {0};
  __enzyme_autodiff_void((void *)all, enzyme_dup, x, g, enzyme_const, 3);
  for (int i = 0; i < 3; ++i) {
    double y[3] = {x[0], x[1], x[2]};
    const double h = 1e-3;
    y[i] = x[i] + h;
    double up = all(y, 3);
    y[i] = x[i] - h;
    NEAR(g[i], (up - all(y, 3)) / (2 * h), 1e-3);
  }
  NEAR(__enzyme_fwddiff((void *)all, enzyme_dup, x, v, enzyme_const, 3),
       dot(g, v, 3), 1e-6);
  return finish();
}
