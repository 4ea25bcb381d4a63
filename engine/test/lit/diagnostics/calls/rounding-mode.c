// A function that sets how its numbers are rounded has no derivative: what is
// derived would not be kept in order with that.
// RUN: not %retro-clang -O2 -ffp-model=strict -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK-DAG: rounding-mode.c:[[@LINE+4]]:{{.*}} error: no derivative is known for the function 'llvm.experimental.constrained.fmul.f64' {{.*}}[retro-no-derivative]
#include <fenv.h>
double __enzyme_autodiff(void *, double);

static double above(double x) {
  fesetround(FE_UPWARD);
  double y = x * x;
  fesetround(FE_TONEAREST);
  return y;
}
// A function that it calls may do so, too.
// CHECK-DAG: rounding-mode.c:[[@LINE+3]]:{{.*}} error: no derivative is known for the function 'llvm.experimental.constrained.fmul.f64' {{.*}}[retro-no-derivative]
__attribute__((noinline)) static void set(int mode) { fesetround(mode); }

static double below(double x) {
  set(FE_DOWNWARD);
  double y = x * x;
  set(FE_TONEAREST);
  return y;
}
double other(double x) { return __enzyme_autodiff((void *)below, x); }
double slope(double x) { return __enzyme_autodiff((void *)above, x); }
