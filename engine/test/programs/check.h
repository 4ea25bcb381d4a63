// What every program here includes: the entry points, and ways to check what
// they return. A program ends with `return finish();`, which fails if a check
// failed or if there was none.
#ifndef RETROGRADE_TEST_PROGRAMS_CHECK_H
#define RETROGRADE_TEST_PROGRAMS_CHECK_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Declares markers: nothing needs to define them.
#define MARKERS(...) extern int __VA_ARGS__

#ifdef __cplusplus
extern "C" {
#endif
MARKERS(enzyme_const, enzyme_dup, enzyme_out);
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_fwddiff_void(void *, ...);
#ifdef __cplusplus
}
#endif

#define NOINLINE __attribute__((noinline))
#define UNUSED __attribute__((unused))

static int checks, failures;

static UNUSED void near_at(int line, const char *what, double got, double want,
                           double tolerance) {
  ++checks;
  // Written so that a NaN fails.
  if (fabs(got - want) <= tolerance * fmax(fabs(want), 1e-2))
    return;
  ++failures;
  printf("line %d: %s is %.17g, expected %.17g (relative tolerance %g)\n", line,
         what, got, want, tolerance);
}

/// |got - want| <= tolerance max(|want|, 0.01)
#define NEAR(got, want, tolerance) near_at(__LINE__, #got, got, want, tolerance)

/// The derivative of f at x along v by central differences of order 6; for the
/// functions here, of size 1 and as smooth, it is good to some 1e-10.
static UNUSED double slope(double (*f)(const double *x, int n), const double *x,
                           const double *v, int n) {
  const double weight[3] = {45. / 60, -9. / 60, 1. / 60};
  const double h = 1e-3;
  double *at = (double *)malloc(sizeof(double) * (size_t)n), sum = 0;
  for (int k = 1; k <= 3; ++k)
    for (int side = -1; side <= 1; side += 2) {
      for (int i = 0; i < n; ++i)
        at[i] = x[i] + side * k * h * v[i];
      sum += side * weight[k - 1] * f(at, n);
    }
  free(at);
  return sum / h;
}

#ifdef __cplusplus
/// The derivative of F at x by one argument: a central difference of step h.
/// F may write to what it is given.
template <class T, int N, class Function>
static double central_difference(Function F, const T (&x)[N], int argument,
                                 double h) {
  double sum = 0;
  for (int side = -1; side <= 1; side += 2) {
    T y[N];
    memcpy(y, x, sizeof y);
    y[argument] = static_cast<T>(x[argument] + side * h);
    sum += side * F(y);
  }
  return sum / (2 * h);
}

/// The gradient of F at x, and its derivative in forward mode along each
/// argument, against differences.
template <double (*F)(const double *x, int n), int N>
static void check_modes(const double (&x)[N], double tolerance) {
  double g[N] = {};
  __enzyme_autodiff((void *)F, enzyme_dup, x, g, enzyme_const, N);
  for (int i = 0; i < N; ++i) {
    double v[N] = {};
    v[i] = 1;
    const double want = slope(F, x, v, N);
    NEAR(g[i], want, tolerance);
    NEAR(__enzyme_fwddiff((void *)F, enzyme_dup, x, v, enzyme_const, N), want,
         tolerance);
  }
}

/// The same at six numbers of both signs.
template <double (*F)(const double *x, int n)> static void check_modes() {
  check_modes<F>({0.7, -0.4, 1.2, 0.9, -1.1, 0.3}, 1e-8);
}
#endif

/// Every entry of the gradient g against differences.
static UNUSED void gradient_at(int line, double (*f)(const double *x, int n),
                               const double *x, const double *g, int n) {
  double *v = (double *)calloc((size_t)n, sizeof(double));
  for (int i = 0; i < n; ++i) {
    char what[32];
    snprintf(what, sizeof what, "gradient[%d]", i);
    v[i] = 1;
    near_at(line, what, g[i], slope(f, x, v, n), 1e-7);
    v[i] = 0;
  }
  free(v);
}
#define GRADIENT(f, x, g, n) gradient_at(__LINE__, f, x, g, n)

static UNUSED double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

/// Adds the gradient of f at x to g, which was zero, and holds it against
/// differences, and the derivative along v in forward mode against it.
#define BOTH_MODES(f, x, g, v, n)                                              \
  do {                                                                         \
    __enzyme_autodiff((void *)f, x, g, n);                                     \
    GRADIENT(f, x, g, n);                                                      \
    NEAR(__enzyme_fwddiff((void *)f, x, v, n), dot(g, v, n), 1e-12);           \
  } while (0)

/// The same of f, which is given constant memory besides: plain is f of that
/// and the n numbers, of which there are 8 at most.
#define BOTH_MODES_GIVEN(f, plain, x, v, n, fixed)                             \
  do {                                                                         \
    double given_g[8] = {0};                                                   \
    __enzyme_autodiff((void *)f, enzyme_dup, x, given_g, enzyme_const, n,      \
                      enzyme_const, fixed);                                    \
    GRADIENT(plain, x, given_g, n);                                            \
    NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, n,        \
                          enzyme_const, fixed),                                \
         dot(given_g, v, n), 1e-12);                                           \
  } while (0)

static UNUSED int finish(void) {
  printf("%d checks, %d failed\n", checks, failures);
  return checks == 0 || failures != 0;
}

#endif // RETROGRADE_TEST_PROGRAMS_CHECK_H
