// Indices that are computed with int, as i * n + j, are sums of numbers of
// iterations: the program is asked which memory the loops read and store to,
// also behind a loop that does not run in the first iteration. Where the arrays
// are apart nothing of the matrix is kept, and no row of what is solved for.
// RUN: %retro-clang -O2 -S -emit-llvm -o /dev/null -mllvm -retro-print-plan %s 2>&1 | FileCheck %s
#include "request.h"

// CHECK: plan for solve (root)
// CHECK: copy array at %0
// CHECK: for arguments that are apart:
// CHECK-NEXT: plan for solve (root)
// CHECK-NOT: copy array
// CHECK: reverse
static void solve(const double *l, double *x, int n, int r) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k)
      for (int c = 0; c < r; ++c)
        x[i * r + c] -= l[i * n + k] * x[k * r + c];
    for (int c = 0; c < r; ++c)
      x[i * r + c] /= l[i * n + i];
  }
}
void gradient(double *l, double *dl, double *x, double *dx, int n, int r) {
  __enzyme_autodiff_void((void *)solve, enzyme_dup, l, dl, enzyme_dup, x, dx,
                         enzyme_const, n, enzyme_const, r);
}
