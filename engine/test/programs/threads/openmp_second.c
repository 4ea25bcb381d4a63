// FLAGS: -fopenmp
// Second derivatives of what threads compute: the tangent of the gradient, the
// gradient of the tangent, and the tangent of the tangent.
#include "../check.h"

#include <omp.h>

void __enzyme_fwddiff_second(void *, ...);

enum { N = 12, STEPS = 3 };

/// A sum that nobody asks for: both passes in one region.
static double sum(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += sin(x[i]) * x[(i + 1) % n];
  return s;
}

/// Steps whose teams are kept for the reverse pass, each with a barrier.
static double steps(const double *x, int n) {
  double u[N], v[N];
  for (int i = 0; i < n; ++i)
    u[i] = x[i];
  for (int t = 0; t < STEPS; ++t) {
#pragma omp parallel num_threads(1 + t)
    {
#pragma omp for schedule(dynamic, 2)
      for (int i = 0; i < n; ++i)
        v[i] = u[i] * u[(i + 1) % n] + 0.5 * sin(u[i]);
#pragma omp for schedule(static, 2)
      for (int i = 0; i < n; ++i)
        u[i] = 0.5 * v[i] + 0.25 * v[(i + n - 1) % n] * u[i];
    }
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += u[i] * u[i];
  return s;
}

/// The product joins in turns, the order of the loop, too.
static double turns(const double *x, int n) {
  double p = 1, s = 1;
#pragma omp parallel num_threads(3)
  {
#pragma omp for reduction(* : p)
    for (int i = 0; i < n; ++i)
      p *= 1 + 0.3 * sin(x[i] * x[i]);
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < n; ++i) {
      double t = x[i] * x[i];
#pragma omp ordered
      s = s * (0.5 + t) + 0.1 * i;
    }
  }
  return p * s;
}

/// Linked pieces of a tape, their lengths known by no one, in a region of one
/// thread, in one of several.
static double pieces(const double *x, int n) {
  double s = 0;
#pragma omp parallel for num_threads(2) reduction(+ : s) if (n > 2 * N)
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * x[i];
#pragma omp parallel for num_threads(2) schedule(dynamic)
  for (int i = 0; i < n; ++i) {
    double y = x[i];
    for (int m = i + 1; m != 1; m = m % 2 ? 3 * m + 1 : m / 2)
      y = 0.9 * y + 0.2 * sin(y * x[(i + 3) % n]);
#pragma omp atomic
    s += y;
  }
  return s;
}

/// What a thread allocates it frees.
static double heaps(const double *x, int n) {
  double s = 0;
#pragma omp parallel num_threads(2) reduction(+ : s)
  {
    double *h = malloc(sizeof(double) * (size_t)n);
#pragma omp for
    for (int i = 0; i < n; ++i) {
      h[i] = x[i] * x[i];
      s += h[i] * h[i] * x[n - 1 - i];
    }
    free(h);
  }
  return s * s;
}

#define FUNCTIONS(F) F(sum) F(steps) F(turns) F(pieces) F(heaps)

static double direction[N];

#define DERIVED(f)                                                             \
  static void f##_gradient(const double *x, double *g, int n) {                \
    __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n);           \
  }                                                                            \
  static double f##_along(const double *x, int n) {                            \
    return __enzyme_fwddiff((void *)f, enzyme_dup, x, direction, enzyme_const, \
                            n);                                                \
  }                                                                            \
  /* Of the entry of the gradient in the direction, by differences. */         \
  static double f##_entry(const double *x, int n) {                            \
    double g[N] = {0};                                                         \
    f##_gradient(x, g, n);                                                     \
    return dot(g, direction, n);                                               \
  }                                                                            \
  static void f##_check(const double *x) {                                     \
    double g[N] = {0}, again[N] = {0}, hv[N] = {0}, vh[N] = {0};               \
    f##_gradient(x, g, N);                                                     \
    GRADIENT(f, x, g, N);                                                      \
    __enzyme_fwddiff_second((void *)f##_gradient, enzyme_dup, x, direction,    \
                            enzyme_dup, again, hv, enzyme_const, N);           \
    __enzyme_autodiff((void *)f##_along, enzyme_dup, x, vh, enzyme_const, N);  \
    for (int i = 0; i < N; ++i) {                                              \
      NEAR(again[i], g[i], 1e-13);                                             \
      NEAR(vh[i], hv[i], 1e-12);                                               \
    }                                                                          \
    GRADIENT(f##_entry, x, hv, N);                                             \
    NEAR(__enzyme_fwddiff((void *)f##_along, enzyme_dup, x, direction,         \
                          enzyme_const, N),                                    \
         dot(hv, direction, N), 1e-12);                                        \
  }
FUNCTIONS(DERIVED)

int main() {
  omp_set_dynamic(0);
  omp_set_num_threads(2);
  double x[N];
  for (int i = 0; i < N; ++i) {
    x[i] = 0.7 + 0.3 * sin(2.0 * i);
    direction[i] = cos(3.0 * i);
  }
#define CHECK(f) f##_check(x);
  FUNCTIONS(CHECK)
  return finish();
}
