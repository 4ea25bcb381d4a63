// Functions that call themselves: once, twice with results combined, through
// each other, and with an array that every level changes.
#include "../check.h"

static double power(double x, int n) {
  if (n == 0)
    return 1;
  double half = power(x, n / 2);
  return n % 2 ? half * half * x : half * half;
}

/// The product of x as a balanced tree, with a nonlinear node.
static double tree(const double *x, int n) {
  if (n == 1)
    return x[0];
  double left = tree(x, n / 2), right = tree(x + n / 2, n - n / 2);
  return left * right + 0.1 * sin(left);
}

static double odd(const double *x, int n);
static double even(const double *x, int n) {
  return n == 0 ? 1 : x[0] * odd(x + 1, n - 1);
}
static double odd(const double *x, int n) {
  return n == 0 ? 0.5 : x[0] + even(x + 1, n - 1) * x[0];
}

/// Each level smooths the array on its way down and again on its way up.
static double dive(double *u, int n, int depth) {
  for (int i = 1; i < n; ++i)
    u[i] += 0.3 * u[i - 1] * u[i - 1];
  double below = depth ? dive(u, n, depth - 1) : u[0];
  for (int i = 0; i + 1 < n; ++i)
    u[i] *= 1 + 0.05 * u[i + 1];
  return below + u[n - 1];
}
static double dive_from(const double *x, int n) {
  double u[8];
  memcpy(u, x, sizeof(double) * (size_t)n);
  return dive(u, n, 3) + u[0];
}

int main(void) {
  for (int n = 0; n < 12; ++n)
    NEAR(__enzyme_autodiff((void *)power, 1.3, n), n * pow(1.3, n - 1), 1e-12);
  const double x[] = {0.4, 0.9, 1.2, -0.7, 1.1};
  const double v[] = {1, -0.5, 0.25, 2, -1};
  for (int n = 1; n <= 5; ++n) {
    double g[3][5] = {{0}};
    BOTH_MODES(tree, x, g[0], v, n);
    BOTH_MODES(even, x, g[1], v, n);
    BOTH_MODES(dive_from, x, g[2], v, n);
  }
  return finish();
}
