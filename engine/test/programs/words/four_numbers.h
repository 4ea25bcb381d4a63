// Checks functions of four numbers, each under a number of its own.
#ifndef RETROGRADE_TEST_PROGRAMS_WORDS_FOUR_NUMBERS_H
#define RETROGRADE_TEST_PROGRAMS_WORDS_FOUR_NUMBERS_H

#include "../check.h"

/// The gradient of F at a place, and its derivative in forward mode along each
/// argument, against differences of step h. F may write to what it is given.
template <double (*F)(double *)>
static void check_four(int number, const double (&at)[4], double h,
                       double tolerance) {
  double x[4], d[4] = {0};
  memcpy(x, at, sizeof x);
  __enzyme_autodiff((void *)F, enzyme_dup, x, d);
  for (int i = 0; i < 4; ++i) {
    double t[4] = {0};
    t[i] = 1;
    const double want = central_difference(F, x, i, h);
    near_at(number, "reverse", d[i], want, tolerance);
    near_at(number, "forward", __enzyme_fwddiff((void *)F, enzyme_dup, x, t),
            want, tolerance);
  }
}

#endif
