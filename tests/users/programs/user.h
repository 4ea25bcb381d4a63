// What the programs here share: their gradients are compared with central
// differences at several sizes. A program is written as a user would write it,
// as one function of numbers (double or float) and a count; DERIVED(f), or
// DERIVED_FLOAT(f) of a template over the number's type, is its main().
#ifndef RETROGRADE_TESTS_USERS_USER_H
#define RETROGRADE_TESTS_USERS_USER_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
#ifdef __cplusplus
}
#endif

#define UNUSED __attribute__((unused))

static int user_checks, user_failures;

/// Bits, not comparisons: with -ffast-math a NaN compares as it likes.
static UNUSED int is_number(double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof(bits));
  return (bits >> 52 & 0x7ff) != 0x7ff;
}

/// The slope of f along x[i]: of three step lengths the one that is nearest to
/// got, since f may have a kink nearby.
static UNUSED double slope_near(double (*f)(const double *, int),
                                const double *x, int n, int i, double got) {
  const double steps[] = {1e-4, 1e-5, 1e-6}, weights[] = {-1, 8, -8, 1};
  double *y = (double *)malloc(sizeof(double) * (size_t)n), best = 0;
  memcpy(y, x, sizeof(double) * (size_t)n);
  for (int k = 0; k < 3; ++k) {
    double sum = 0;
    for (int j = 0; j < 4; ++j) {
      y[i] = x[i] + (j < 2 ? 2 - j : 1 - j) * steps[k];
      sum += weights[j] * f(y, n);
    }
    const double is = sum / (12 * steps[k]);
    if (k == 0 || fabs(is - got) < fabs(best - got))
      best = is;
  }
  free(y);
  return best;
}

static UNUSED void compare(double (*f)(const double *, int), const double *x,
                           int n, const double *gradient, double tolerance) {
  for (int i = 0; i < n; ++i) {
    const double got = gradient[i], want = slope_near(f, x, n, i, got);
    ++user_checks;
    if (is_number(got) && fabs(got - want) <= tolerance * (1 + fabs(want)))
      continue;
    ++user_failures;
    printf("of %d numbers, with respect to number %d: %.15g, expected %.15g\n",
           n, i, got, want);
  }
}

static UNUSED int finish(void) {
  printf("%d of %d checks failed\n", user_failures, user_checks);
  return user_failures != 0 || user_checks == 0;
}

static UNUSED double sample(int i) {
  return 0.9 + 0.5 * sin(3.1 * i + 0.7) + 0.003 * i;
}

#define DERIVED_AS(NUMBER, F, IN_DOUBLE, TOLERANCE)                            \
  int main(void) {                                                             \
    static const int sizes[] = {1, 2, 3, 5, 8, 13, 24, 5};                     \
    for (int s = 0; s < 8; ++s) {                                              \
      NUMBER x[24], dx[24] = {0};                                              \
      double xd[24], got[24];                                                  \
      for (int i = 0; i < sizes[s]; ++i)                                       \
        xd[i] = x[i] = (NUMBER)sample(i);                                      \
      __enzyme_autodiff((void *)F, enzyme_dup, x, dx, enzyme_const, sizes[s]); \
      for (int i = 0; i < sizes[s]; ++i)                                       \
        got[i] = dx[i];                                                        \
      compare(IN_DOUBLE, xd, sizes[s], got, TOLERANCE);                        \
    }                                                                          \
    return finish();                                                           \
  }
#define DERIVED(F) DERIVED_AS(double, F, F, 1e-6)
#define DERIVED_FLOAT(F) DERIVED_AS(float, F<float>, F<double>, 3e-5)

#endif
