// A factorization reads what has got its last value. With rows of n numbers
// that is known if n is no large number, which the program is asked for: then
// no value is kept for each of its products.
// RUN: %retro-clang -O2 -S -emit-llvm -o /dev/null -mllvm -retro-print-plan %s 2>&1 | FileCheck %s
// Two columns further there is one that is stored to later.
// RUN: %retro-clang -O2 -DMORE=2 -S -emit-llvm -o /dev/null -mllvm -retro-print-plan %s 2>&1 | FileCheck --check-prefix=MORE %s
#include "request.h"

#ifndef MORE
#define MORE 0
#endif

// CHECK: plan for columns (root)
// CHECK: cache value {{.*}} indexed of loop [[I:%[0-9]+]] by [[I]] %
// CHECK: for arguments that are apart:
// CHECK-NEXT: plan for columns (root)
// CHECK-NOT: cache value {{.*}} by
// CHECK: reverse
// MORE: plan for columns (root)
// MORE: cache value {{.*}} indexed of loop [[I:%[0-9]+]] by [[I]] %
// MORE-NOT: for arguments that are apart:
static double columns(double *w, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i) {
      double v = w[i * n + j];
      for (int k = 0; k < j; ++k)
        v -= w[i * n + k + MORE] * w[i * n + k + MORE];
      w[i * n + j] = v;
    }
  return w[0];
}
void gradient(double *w, double *dw, int n) {
  __enzyme_autodiff_void((void *)columns, enzyme_dup, w, dw, enzyme_const, n);
}
