// The facts hold apart what a function's calls do to different memory, and a
// derivative is emitted for each. Where that has left no trace in the code, one
// of them is left. The strings in which each says where its tape could not grow
// tell nothing apart.
// RUN: %retro-clang -O1 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %retro-clang -O1 %s -lm -o %t && %t
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
void __enzyme_autodiff(void *, ...);

// CHECK-COUNT-1: define internal {{.*}} @augmented_grown
// CHECK-NOT: define internal {{.*}} @augmented_grown
// CHECK-COUNT-1: define internal {{.*}} @reverse_grown
// CHECK-NOT: define internal {{.*}} @reverse_grown
static void grown(double *p, int n) {
  while (n > 1) {
    p[0] = sin(p[0]) * p[n - 1];
    grown(p + 1, n / 2);
    n -= 1 + (p[0] > 2);
  }
}

static double f(double *x, double *y) {
  double a[8], b[8];
  for (int i = 0; i < 8; ++i) {
    a[i] = x[i] * y[i];
    b[i] = x[i] + y[i];
  }
  grown(x, 8);
  grown(y, 7);
  grown(a, 6);
  grown(b, 5);
  return x[0] * y[0] + a[0] * b[0];
}

int main(void) {
  double x[8], y[8], dx[8] = {0}, dy[8] = {0};
  for (int i = 0; i < 8; ++i) {
    x[i] = 1 + 0.1 * i;
    y[i] = 2 - 0.2 * i;
  }
  double u[8], v[8];
  for (int i = 0; i < 8; ++i)
    u[i] = x[i], v[i] = y[i];
  __enzyme_autodiff((void *)f, u, dx, v, dy);
  for (int i = 0; i < 16; ++i) {
    double s[2];
    for (int k = 0; k < 2; ++k) {
      for (int j = 0; j < 8; ++j)
        u[j] = x[j], v[j] = y[j];
      (i < 8 ? u : v)[i % 8] += k ? -1e-6 : 1e-6;
      s[k] = f(u, v);
    }
    double want = (s[0] - s[1]) / 2e-6, is = (i < 8 ? dx : dy)[i % 8];
    if (!(fabs(want - is) < 1e-7 * (1 + fabs(want)))) {
      printf("%d: %.9g, not %.9g\n", i, is, want);
      return 1;
    }
  }
  return 0;
}
