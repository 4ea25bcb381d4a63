// Functions that pass on which function to differentiate: at -O0 and before
// optimization they are inlined first, whatever they say about inlining.
// RUN: %retro-clang++ -O0 %s -o %t && %t | FileCheck %s
// RUN: %retro-clang++ -O2 %s -o %t && %t | FileCheck %s
// RUN: %retro-clang++ -O0 -mllvm -retro-preopt=0 %s -o %t && %t | FileCheck %s
// RUN: %retro-clang++ -O2 -mllvm -retro-preopt=0 %s -o %t && %t | FileCheck %s
// What nobody calls any more is deleted; what can be called from elsewhere
// stays, and is an error.
// RUN: %retro-clang++ -O0 -S -emit-llvm %s -o - | FileCheck --check-prefix=GONE %s
// RUN: not %retro-clang++ -O0 -DEXTERNAL -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=ERROR %s
// GONE-NOT: define {{.*}}(slope|twice|lasting)
#include "request.h"

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }

template <typename F> double slope(F f, double x) {
  return __enzyme_autodiff((void *)f, x);
}
template <typename F> double twice(F f, double x) {
  F copy = f;
  return 2 * slope(copy, x);
}
template <typename F> __attribute__((noinline)) double lasting(double x, F f) {
  return slope(f, x) + slope(f, 2 * x);
}
// The calls that may throw are invokes.
double guarded(double x) {
  struct Guard {
    double *p = new double(0);
    ~Guard() { delete p; }
  } guard;
  *guard.p = twice(cube, x);
  return *guard.p;
}
#ifdef EXTERNAL
double open(double (*f)(double), double x) {
  return __enzyme_autodiff((void *)f, x);
}
// ERROR: wrappers.cpp:[[@LINE-3]]:8: error: the first argument of __enzyme_autodiff is not a function known at compile time [retro-target-not-function]
// ERROR-NOT: error:
#endif

int main() {
  printf("%g %g\n", slope(square, 3.0), slope(cube, 3.0));
  // CHECK: 6 27
  printf("%g %g\n", twice(square, 3.0), twice(cube, 3.0));
  // CHECK-NEXT: 12 54
  printf("%g %g\n", lasting(3.0, square), lasting(3.0, cube));
  // CHECK-NEXT: 18 135
  printf("%g\n", guarded(1.0));
  // CHECK-NEXT: 6
}
