// Both modes of a function of a few numbers, held to differences.
#ifndef RETROGRADE_TEST_PROGRAMS_LIBRARIES_SLOPES_H
#define RETROGRADE_TEST_PROGRAMS_LIBRARIES_SLOPES_H

#include "../check.h"

/// At x, with a shadow at d, which is zero, and a tangent v.
template <double (*F)(const double *, int), int n>
void check_slopes(double *x, double *d, double *v, double tolerance,
                  double of_tangent) {
  double u[n] = {};
  __enzyme_autodiff_void((void *)F, enzyme_dup, x, d, enzyme_const, n);
  for (int i = 0; i < n; ++i) {
    u[i] = 1;
    NEAR(d[i], slope(F, x, u, n), tolerance);
    u[i] = 0;
  }
  NEAR(__enzyme_fwddiff((void *)F, enzyme_dup, x, v, enzyme_const, n),
       dot(d, v, n), of_tangent);
}

#endif
