// Globals as constants and as working space: their derivatives must neither be
// lost within a call nor leak into the next.
#include "../check.h"

static const double weight[4] = {0.5, -1.5, 2, 0.25};
static double scratch[8];
static double total;
static int calls;

static NOINLINE void stage(const double *x, int n) {
  for (int i = 0; i < n; ++i)
    scratch[i] = x[i] * weight[i % 4];
  ++calls;
}

static NOINLINE void accumulate(int n) {
  for (int i = 1; i < n; ++i) {
    scratch[i] += scratch[i - 1] * scratch[i];
    total += scratch[i] * scratch[i];
  }
}

static double f(const double *x, int n) {
  total = x[0];
  stage(x, n);
  accumulate(n);
  return total * (1 + 0.1 * total);
}

static __thread double row[8];

/// The same in memory that each thread has for itself.
static double in_thread(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    row[i] = x[i] * x[(i + 1) % n] + row[i / 2];
  for (int i = 0; i < n; ++i)
    sum += row[i] * row[3 * i % n];
  memset(row, 0, sizeof row);
  return sum;
}

static void check_in_thread(const double *x, const double *v) {
  for (int again = 0; again < 2; ++again) {
    double g[8] = {0};
    __enzyme_autodiff((void *)in_thread, x, g, 8);
    GRADIENT(in_thread, x, g, 8);
    NEAR(__enzyme_fwddiff((void *)in_thread, x, v, 8), dot(g, v, 8), 1e-12);
  }
}

static void gradient(const double *x, double *g, int n) {
  memset(g, 0, sizeof(double) * (size_t)n);
  __enzyme_autodiff_void((void *)f, enzyme_dup, x, g, enzyme_const, n);
}

static const double other[] = {1, 0.5, -1, 0.25, 2, -0.5, 1, -0.3};

static double along_other(const double *x, int n) {
  double g[8];
  gradient(x, g, n);
  return dot(g, other, n);
}

/// The adjoint of a global is memory of the gradient, and has a tangent.
static void check_nested(const double *x, const double *v) {
  for (int again = 0; again < 2; ++again) {
    double g[8], h[8], hv[8];
    gradient(x, g, 8);
    __enzyme_fwddiff_void((void *)gradient, enzyme_dup, x, v, enzyme_dup, h, hv,
                          enzyme_const, 8);
    for (int i = 0; i < 8; ++i)
      NEAR(h[i], g[i], 1e-12);
    NEAR(dot(hv, other, 8), slope(along_other, x, v, 8), 1e-7);
  }
}

int main(void) {
  const double x[] = {0.4, 0.9, 1.2, -0.7, 1.1, 0.3, -0.2, 0.8};
  const double v[] = {1, -0.5, 0.25, 2, -1, 0.4, 0.1, -0.3};
  check_in_thread(x, v);
  double first[8] = {0};
  __enzyme_autodiff((void *)f, x, first, 8);
  GRADIENT(f, x, first, 8);
  for (int again = 0; again < 3; ++again) {
    double g[8] = {0};
    scratch[3] = total = 99; // whatever was there before
    __enzyme_autodiff((void *)f, x, g, 8);
    for (int i = 0; i < 8; ++i)
      NEAR(g[i], first[i], 1e-15);
    NEAR(__enzyme_fwddiff((void *)f, x, v, 8), dot(g, v, 8), 1e-12);
  }
  // Seven calls of f or its derivatives, and 48 of the differences.
  NEAR(calls, 7 + 48, 0);
  check_nested(x, v);
  return finish();
}
