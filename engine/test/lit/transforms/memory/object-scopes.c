// Memory that the function allocates: what is of different objects is apart, and
// so are their shadows, whatever pointers lead there. A sum in an element of one
// array stays in a register in both passes while another array is read and its
// shadow is added to, which is one of several, since the loop around replaces
// it.
// RUN: clang -O1 -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %retro-opt %t.ll | FileCheck %s
// RUN: %retro-opt -retro-alias-scopes=0 %t.ll | FileCheck --check-prefix=OFF %s
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);

// CHECK-LABEL: define internal {{.*}}@gradient_sums(
// CHECK: product:
// CHECK-NOT: store
// CHECK: br i1 {{.*}}label %product
// CHECK: rev.product:
// CHECK-COUNT-2: store double {{%.+}}, ptr
// CHECK-NOT: store
// CHECK: br i1 {{.*}}label %rev.product
// OFF-LABEL: define internal {{.*}}@gradient_sums(
// OFF: product:
// OFF: store
// OFF: br i1 {{.*}}label %product
// OFF: rev.product:
// OFF-COUNT-4: store double {{.+}}, ptr
// OFF: br i1 {{.*}}label %rev.product
double sums(const double *x, int n) {
  double *v = malloc(n * sizeof(double));
  memcpy(v, x, n * sizeof(double));
  for (int step = 0; step < 3; ++step) {
    double *u = malloc(n * sizeof(double));
    for (int i = 0; i < n; ++i) {
      int j = 0;
      u[i] = 1;
    product:
      u[i] += x[j] * v[j];
      if (++j < n)
        goto product;
    }
    if (x[step] > 0.5) {
      free(v);
      v = malloc(n * sizeof(double));
    }
    memcpy(v, u, n * sizeof(double));
    free(u);
  }
  double last = v[0] * v[n - 1];
  free(v);
  return last;
}

double grad(const double *x, double *dx, int n) {
  return __enzyme_autodiff((void *)sums, x, dx, n);
}
