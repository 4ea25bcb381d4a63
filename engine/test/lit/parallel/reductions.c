// Parts of sums are added atomically, under no lock, and their adjoints taken
// in no order. Where order matters, or another thread waits for the sum, there
// are turns and barriers.
// RUN: %retro-clang -O2 -fopenmp -S -emit-llvm -o - %s -mllvm -retro-combine=0 | FileCheck %s
#include "request.h"

// CHECK-LABEL: define internal {{.*}}@augmented_sum.omp_outlined
// CHECK-NOT: @__kmpc_critical
// CHECK: atomicrmw fadd
// CHECK: atomicrmw add
// CHECK-NOT: @__kmpc_critical
// CHECK-NOT: @__kmpc_end_critical
// CHECK-LABEL: define internal {{.*}}@reverse_sum.omp_outlined
// CHECK-NOT: turn
// CHECK: ret
double sum(const double *x, int n) {
  double s = 0;
  int many = 0;
#pragma omp parallel for reduction(+ : s, many)
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i];
    many += i % 3;
  }
  return s * s * many;
}
// CHECK-LABEL: define internal {{.*}}@augmented_waited.omp_outlined
// CHECK: atomicrmw fadd
// CHECK-NOT: critical
// The reduction's, and the loop's.
// CHECK-COUNT-2: call void @__kmpc_barrier
// CHECK-LABEL: define internal {{.*}}@reverse_waited.omp_outlined
double waited(const double *x, int n) {
  double s = 0, t = 0;
#pragma omp parallel reduction(max : t)
  {
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; ++i)
      s += x[i] * x[i];
    t = s;
  }
  return t;
}
// CHECK-LABEL: define internal {{.*}}@augmented_most.omp_outlined
// CHECK: call {{.*}}@__kmpc_critical
double most(const double *x, int n) {
  double m = 0;
#pragma omp parallel for reduction(max : m)
  for (int i = 0; i < n; ++i)
    m = m < x[i] ? x[i] : m;
  return m;
}
void all(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)sum, enzyme_dup, x, dx, n);
  __enzyme_autodiff((void *)waited, enzyme_dup, x, dx, n);
  __enzyme_autodiff((void *)most, enzyme_dup, x, dx, n);
}
