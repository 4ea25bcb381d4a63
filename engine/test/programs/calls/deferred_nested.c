// OPTIONS: -mllvm -retro-post-opt=0
// A derivative of a gradient runs what the gradient left for its end: calls
// through pointers that the engine's own runtime was given.
#include "../check.h"

MARKERS(enzyme_width);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

/// x³ for n = 2, in memory that grows.
static double power(double x, int n) {
  double *h = malloc((unsigned)n * sizeof(double));
  for (int i = 0; i < n; ++i)
    h[i] = x;
  h = realloc(h, 2 * (unsigned)n * sizeof(double));
  h[n] = h[n - 1] * h[n - 2];
  x *= h[n];
  free(h);
  return x;
}

static double derivative(double x, int n) {
  return __enzyme_autodiff((void *)power, enzyme_out, x, enzyme_const, n);
}

/// x³ in memory that stays, for reverse over reverse mode: how a gradient is
/// made depends on the mode in which it is derived.
static double cube(double x, int n) {
  double *h = malloc((unsigned)n * sizeof(double));
  for (int i = 0; i < n; ++i)
    h[i] = x;
  x *= h[n - 1] * h[n - 2];
  free(h);
  return x;
}

static double again(double x, int n) {
  return __enzyme_autodiff((void *)cube, enzyme_out, x, enzyme_const, n);
}

int main() {
  NEAR(derivative(0.5, 2), 0.75, 0);
  NEAR(__enzyme_autodiff((void *)again, enzyme_out, 0.5, enzyme_const, 2), 3,
       0);
  NEAR(__enzyme_fwddiff((void *)derivative, enzyme_dup, 0.5, 1.0, enzyme_const,
                        2),
       3, 0);
  return finish();
}
