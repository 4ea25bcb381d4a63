// The adjoint of a sum that was not the least is 0: the loop that would hand it
// on is not run.
// RUN: %retro-clang -O1 -S -emit-llvm -o /dev/null -mllvm -retro-print-after=idle-loops %s 2>&1 | FileCheck %s
// One that is always handed on, and one that is stored, are run.
// RUN: %retro-clang -O1 -DSUM -S -emit-llvm -o /dev/null -mllvm -retro-print-after=idle-loops %s 2>&1 | FileCheck --check-prefix=WHOLE %s
// RUN: %retro-clang -O1 -DSTORED -S -emit-llvm -o /dev/null -mllvm -retro-print-after=idle-loops %s 2>&1 | FileCheck --check-prefix=WHOLE %s
#include "request.h"

// CHECK: define internal {} @gradient_least(
// CHECK: [[CHOSEN:%[0-9]+]] = trunc i8 %{{[0-9]+}} to i1
// CHECK: %{{[0-9]+}} = select i1 [[CHOSEN]], double %{{[0-9]+}}, double 0
// CHECK: [[FROZEN:%[0-9]+]] = freeze i1 [[CHOSEN]]
// CHECK: br i1 [[FROZEN]], label
// WHOLE: define internal {} @gradient_least(
// WHOLE-NOT: freeze i1
static double least(double *x, int n, int m) {
  double best = 1e300, sum = 0;
  for (int k = 0; k < n; ++k) {
    double s = 0;
    for (int i = 0; i < m; ++i) {
      s += x[k * m + i] * x[k * m + i];
#ifdef STORED
      x[k * m + i] = s;
#endif
    }
    best = s < best ? s : best;
#ifdef SUM
    sum += s;
#endif
  }
  return best + sum;
}
void gradient(double *x, double *dx, int n, int m) {
  __enzyme_autodiff_void((void *)least, enzyme_dup, x, dx, enzyme_const, n, enzyme_const, m);
}
