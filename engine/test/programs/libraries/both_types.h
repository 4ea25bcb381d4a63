// The gradients of one routine of BLAS, for double and for float.
#ifndef RETROGRADE_TEST_PROGRAMS_LIBRARIES_BOTH_TYPES_H
#define RETROGRADE_TEST_PROGRAMS_LIBRARIES_BOTH_TYPES_H

#include "../check.h"

/// The sizes of a routine's matrices, and where they begin among its numbers.
enum { M = 3, N = 4, K = 2, Ld = 5, A0 = 4, B0 = 34, C0 = 64 };

/// F's gradient is held to differences and to forward mode, and G's to F's.
template <double (*F)(const double *, int), float (*G)(const float *, int),
          int Words>
void check_both() {
  double p[Words], d[Words] = {}, v[Words];
  float ps[Words], ds[Words] = {};
  for (int i = 0; i < Words; ++i) {
    p[i] = 0.4 * sin(i + 1) + (i >= A0 && (i - A0) % (Ld + 1) == 0 && i < B0);
    v[i] = cos(3 * i);
    ps[i] = float(p[i]);
  }
  __enzyme_autodiff_void((void *)F, enzyme_dup, p, d, enzyme_const, Words);
  GRADIENT(F, p, d, Words);
  NEAR(__enzyme_fwddiff((void *)F, enzyme_dup, p, v, enzyme_const, Words),
       dot(d, v, Words), 1e-11);
  __enzyme_autodiff_void((void *)G, enzyme_dup, ps, ds, enzyme_const, Words);
  for (int i = 0; i < Words; ++i)
    NEAR(ds[i], d[i], 2e-3);
}

#endif
