// Nobody but the calls that share a loop out writes the places of a thread's
// share: what the derivative calls in the loop leaves them alone, so that they
// are read once. Atomic additions to a shadow leave the tape alone.
// RUN: %retro-clang -fopenmp -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %retro-clang -fopenmp -O2 -mllvm -retro-omp-combine=0 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ATOMIC
#include "request.h"

double f(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += sin(x[i]) * x[(i + 1) % n];
  return s;
}

// CHECK-LABEL: define internal {{.*}}@combined_f.omp_outlined
// CHECK: call void @__kmpc_for_static_init_4(
// CHECK: load i32, ptr [[LAST:%.*]], align 4
// CHECK: load i32, ptr [[FIRST:%.*]], align 4
// CHECK-NOT: load i32
// CHECK: call void @__retro_combine_double(
// CHECK-NOT: load i32
// CHECK: {{^}}}

// ATOMIC-LABEL: define internal {{.*}}@combined_f.omp_outlined
// ATOMIC: atomicrmw fadd ptr {{.*}}, !alias.scope [[SHADOW:![0-9]+]], !noalias [[REST:![0-9]+]]
// ATOMIC: {{^}}}

void gradient(const double *x, double *g, int n) {
  __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n);
}
