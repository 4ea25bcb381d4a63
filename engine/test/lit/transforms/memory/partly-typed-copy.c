// A copy moves more than the one number whose type an access shows.
// RUN: %retro-clang -O0 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang -O2 %s -o %t -lm && %t | FileCheck %s
#include "request.h"

static void copy(double *restrict a, double *restrict b) {
  b[0] *= b[0];
  memcpy(a, b, 16);
}
static void move(double *a, long n) {
  a[0] *= a[0];
  memmove(a + 1, a, n * sizeof *a);
}
int main(void) {
  double a[2] = {0}, b[2] = {3, 4}, da[2] = {1, 10}, db[2] = {0};
  __enzyme_autodiff_void((void *)copy, a, da, b, db);
  printf("%g %g, %g %g\n", da[0], da[1], db[0], db[1]);
  // CHECK: 0 0, 6 10
  double m[4] = {3, 4, 5, 6}, dm[4] = {1, 10, 100, 1000};
  __enzyme_autodiff_void((void *)move, m, dm, 3L);
  printf("%g %g %g %g\n", dm[0], dm[1], dm[2], dm[3]);
  // CHECK: 66 100 1000 0
}
