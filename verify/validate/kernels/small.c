// Programs of a few lines, one for each thing that a gradient has to get right.
#include <math.h>
#include <string.h>

double product(double x, double y) { return x * y + sin(x) / y + exp(x * y); }

double elementary(double x) {
  return tanh(x) * sqrt(1 + x * x) + pow(x, 3) + fabs(x) + log(1 + exp(-x));
}

/// A loop whose sum is in what it adds.
double recurrence(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * s + x[i];
  return s;
}

/// The input is overwritten.
void in_place(double *x, int n) {
  for (int i = 1; i < n; ++i)
    x[i] = x[i] * x[i - 1];
}

/// Every step needs what the step before left.
void sweeps(double *x, int n) {
  for (int t = 0; t < 2; ++t)
    for (int i = 1; i + 1 < n; ++i)
      x[i] = x[i - 1] * x[i] + x[i + 1] / x[i];
}

double branch(double x, double y) {
  if (x > y)
    return x * x * y;
  return x / (1 + y * y);
}

/// Branches in a loop, on what the loop computes.
double clipped_walk(const double *x, int n) {
  double at = 0;
  for (int i = 0; i < n; ++i) {
    at += x[i];
    if (at > 1)
      at = 2 - at * at;
  }
  return at;
}

/// Where the largest is, and its square.
double largest(const double *x, int n) {
  int k = 0;
  for (int i = 1; i < n; ++i)
    if (x[i] > x[k])
      k = i;
  return x[k] * x[k] + x[0];
}

/// Newton's method, to a depth.
double root(double a) {
  double x = a;
  for (int i = 0; i < 3; ++i)
    x = 0.5 * (x + a / x);
  return x;
}

/// Through a copy, a cleared array and an array of pointers.
double through_memory(const double *x, int n) {
  double copy[8], *rows[2] = {copy, copy + 4};
  memset(copy, 0, sizeof copy);
  memcpy(copy + 2, x, (unsigned)n * sizeof *x);
  return rows[0][2] * rows[0][3] + rows[1][0] * rows[1][0] + rows[0][0];
}

static double power(double x, int n) { return n ? x * power(x, n - 1) : 1; }
/// Recursion.
double recursive(double x, int n) { return power(x, n); }

/// A search by the value of an input, and interpolation there.
double interpolate(double at, const double *y, int n) {
  int i = (int)at;
  if (i < 0)
    i = 0;
  if (i > n - 2)
    i = n - 2;
  return y[i] + (at - i) * (y[i + 1] - y[i]);
}

/// Branches that cannot be made choices.
double branching(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    if (x[i] > 1)
      s = sin(s * x[i]);
    else
      s = exp(-s) / x[i];
  return s;
}
