// A region is told that memory of the caller's is apart, where no thread waits
// there for another one; and never of its shadow, to which all threads add.
// RUN: %retro-clang -O2 -fopenmp -S -emit-llvm -o - %s | FileCheck %s
#include "request.h"

// CHECK: define internal {{.*}}@combined_apart.omp_outlined.given(ptr {{[^,]*}}, ptr {{[^,]*}}, i32 {{[^,]*}}, ptr noalias %[[X:[^,]*]], ptr noalias %[[Y:[^,]*]], ptr %{{[^,]*}}, ptr %{{[^,]*}}, ptr {{.*}})
void apart(double *restrict x, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * x[i];
    x[i] = 0;
  }
}
// The caller has two names for one.
// CHECK: define internal {{.*}}@combined_renamed.omp_outlined.given(ptr {{[^,]*}}, ptr {{[^,]*}},
// CHECK-NOT: noalias
// CHECK-SAME: {
void renamed(double *restrict x, int n) {
  double *y = x + n;
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
// What a thread reads behind a barrier others have written.
// CHECK: define internal {{.*}}@augmented_waits.omp_outlined.given(ptr {{[^,]*}}, ptr {{[^,]*}},
// CHECK-NOT: noalias
// CHECK-SAME: {
void waits(double *restrict x, double *restrict y, int n) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * x[i];
#pragma omp for
    for (int i = 0; i < n; ++i)
      x[i] = y[n - 1 - i];
  }
}
void all(double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff((void *)apart, x, dx, y, dy, n);
  __enzyme_autodiff((void *)renamed, x, dx, n);
  __enzyme_autodiff((void *)waits, x, dx, y, dy, n);
}
