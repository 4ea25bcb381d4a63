// The adjoint of a parallel region is a region of the same team: its barriers
// and locks stand where the primal's stand, seen from the other end.
// RUN: %retro-clang -O1 -fopenmp -S -emit-llvm -o - %s -mllvm -retro-post-opt=0 | FileCheck %s
#include "request.h"

// What threads read together each adds up for itself; what a thread has of its
// own, it adds to as always.
double shared(const double *x, int n) {
  double s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double own[2] = {x[i], x[0]};
    double *p = own + (i & 1);
    const double square = *p * *p;
#pragma omp critical
    s += square;
  }
  return s;
}
// CHECK-LABEL: define internal {{.*}} @augmented_shared.omp_outlined
// CHECK: call void @__kmpc_critical
// CHECK: call i64 @__retro_omp_ticket
// CHECK: call void @__kmpc_end_critical

// CHECK-LABEL: define internal {{.*}} @reverse_shared.omp_outlined
// CHECK: call ptr @__retro_combiner()
// CHECK-NOT: atomicrmw
// CHECK: call void @__retro_omp_await
// CHECK: call void @__retro_omp_pass
// CHECK-NOT: atomicrmw
// CHECK: call void @__retro_combine_double
// CHECK-NOT: atomicrmw
// CHECK: call void @__retro_combine_double
// CHECK-NOT: atomicrmw
// CHECK-LABEL: define internal {{.*}} @gradient_shared
// CHECK: call ptr @__retro_fork_forward(ptr {{.*}}@team_augmented_shared.omp_outlined
// CHECK: call void @__retro_fork_reverse(ptr {{.*}}@team_reverse_shared.omp_outlined
double r1(double *x, double *dx, int n) { return __enzyme_autodiff((void *)shared, x, dx, n); }

// A barrier between what is written and what is read stays between them.
double exchange(double *x, double *y, int n) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * x[i];
#pragma omp barrier
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      x[i] = y[n - 1 - i] * y[n - 1 - i];
  }
  return x[0];
}
// What a thread has for a place goes there before it takes the place.
// CHECK-LABEL: define internal {{.*}} @reverse_exchange.omp_outlined
// CHECK-NOT: atomicrmw
// CHECK-DAG: call void @__retro_combine_double
// CHECK-DAG: call void @__retro_combine_settle
// CHECK-DAG: call void @__kmpc_barrier
double r2(double *x, double *dx, double *y, double *dy, int n) {
  return __enzyme_autodiff((void *)exchange, x, dx, y, dy, n);
}
