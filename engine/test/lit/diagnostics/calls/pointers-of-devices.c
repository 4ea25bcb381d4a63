// Factors and results may be in the memory of the device: nothing on the host
// can read them.
// RUN: not %retro-clang -O1 -S -o /dev/null %s 2>&1 | FileCheck %s
#include "request.h"

int cublasSetPointerMode_v2(void *, int);
int cublasDdot_v2(void *, int, const double *, int, const double *, int,
                  double *);

// CHECK: error: no derivative is known for the function 'cublasDdot_v2'
static void f(void *h, const double *x, double *r) {
  cublasDdot_v2(h, 3, x, 1, x, 1, r);
}
void g(void *h, const double *x, double *dx, double *r, double *dr) {
  cublasSetPointerMode_v2(h, 1);
  __enzyme_autodiff_void((void *)f, enzyme_const, h, enzyme_dup, x, dx,
                         enzyme_dup, r, dr);
}
