// Checks gradients of functions of 20 numbers against differences.
#ifndef RETROGRADE_TEST_PROGRAMS_LIBRARIES_EIGEN_H
#define RETROGRADE_TEST_PROGRAMS_LIBRARIES_EIGEN_H

#include "slopes.h"

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
  alignas(16) double x[n], place[n + 1] = {}, v[n];
  for (int i = 0; i < n; ++i)
    x[i] = sin(i * i + 1), v[i] = cos(3 * i);
  check_slopes<F, n>(x, place + 1, v, tolerance, 0.1 * tolerance);
}

#endif
