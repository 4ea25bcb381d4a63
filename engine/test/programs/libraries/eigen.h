// Checks gradients of functions of 20 numbers against differences.
#ifndef RETROGRADE_TEST_PROGRAMS_LIBRARIES_EIGEN_H
#define RETROGRADE_TEST_PROGRAMS_LIBRARIES_EIGEN_H

#include "../check.h"

// Each function takes the compiler seconds. Of two tests that build a program
// one takes the first half (-DHALF=1), the other one the rest (-DHALF=2).
#if !defined(HALF) || HALF == 1
#define FIRST_HALF(...) __VA_ARGS__
#else
#define FIRST_HALF(...)
#endif
#if !defined(HALF) || HALF == 2
#define OTHER_HALF(...) __VA_ARGS__
#else
#define OTHER_HALF(...)
#endif

template <double (*F)(const double *, int)> void check(double tolerance) {
  const int n = 20;
  // Shadows are not aligned as what they are the shadows of.
  alignas(16) double x[n], place[n + 1] = {}, v[n], u[n] = {};
  double *d = place + 1;
  for (int i = 0; i < n; ++i)
    x[i] = sin(i * i + 1), v[i] = cos(3 * i);
  __enzyme_autodiff_void((void *)F, enzyme_dup, x, d, enzyme_const, n);
  for (int i = 0; i < n; ++i) {
    u[i] = 1;
    NEAR(d[i], slope(F, x, u, n), tolerance);
    u[i] = 0;
  }
  NEAR(__enzyme_fwddiff((void *)F, enzyme_dup, x, v, enzyme_const, n),
       dot(d, v, n), 0.1 * tolerance);
}

#endif
