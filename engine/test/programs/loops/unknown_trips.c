// Loops whose trip count only the loop itself finds out: iterations to
// convergence, nested, with breaks and continues, and none at all.
#include "../check.h"

/// Newton's iteration for the cube root, run to rounding.
static double cube_root(double a) {
  double x = a > 1 ? a : 1;
  while (1) {
    double next = (2 * x + a / (x * x)) / 3;
    if (fabs(next - x) <= 1e-15 * x)
      return next;
    x = next;
  }
}

/// Sums of roots; each inner loop has its own count, some of them zero.
static double f(const double *x, int n) {
  double total = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] < 0)
      continue;
    double term = x[i];
    int steps = 0;
    while (term > 0.3) {
      term = 0.5 * sin(term) + 0.1 * term * x[i];
      if (++steps == 9)
        break;
    }
    total += term * term + cube_root(1 + x[i]);
    if (total > 9)
      break;
  }
  return total;
}

/// What the loop with unknown trips does not change is kept once, in memory
/// that it does not own; its other values are kept in each of its iterations.
static double beside(const double *x, int n) {
  double table[4], total = 0;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 4; ++k)
      table[k] = sin(x[i] + k);
    double term = 1 + x[i] * x[i];
    while (term > 0.3) {
      double sum = 0;
      for (int k = 0; k < 4; ++k)
        sum += table[k] * table[k] * (1 + 0.1 * k);
      term *= 0.5 + 0.1 * cos(term * sum);
      total += term * sum;
    }
  }
  return total;
}

int main(void) {
  const double numbers[] = {0.2, 8, 27.5};
  for (int k = 0; k < 3; ++k) {
    double a = numbers[k], exact = 1 / (3 * pow(a, 2. / 3));
    NEAR(__enzyme_autodiff((void *)cube_root, a), exact, 1e-12);
    NEAR(__enzyme_fwddiff((void *)cube_root, a, 2.0), 2 * exact, 1e-12);
  }
  double x[] = {0.7, 0.1, -2, 1.6, 2.5, 0.9, 1.3};
  for (int n = 0; n <= 7; ++n) {
    double g[7] = {0}, v[7] = {1, -2, 0.5, 0.3, -0.7, 0.2, 1.1};
    __enzyme_autodiff((void *)f, x, g, n);
    GRADIENT(f, x, g, n);
    NEAR(__enzyme_fwddiff((void *)f, x, v, n), dot(g, v, n), 1e-12);
    double h[7] = {0};
    __enzyme_autodiff((void *)beside, x, h, n);
    GRADIENT(beside, x, h, n);
    NEAR(__enzyme_fwddiff((void *)beside, x, v, n), dot(h, v, n), 1e-12);
  }
  return finish();
}
