// A function that sets how its numbers are rounded has no derivative: what is
// derived would not be kept in order with that.
// RUN: not %retro-clang -O2 -ffp-model=strict -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: rounding-mode.c:[[@LINE+4]]:{{.*}} error: no derivative is known for the function 'llvm.experimental.constrained.fmul.f64' {{.*}}[retro-no-derivative]
#include <fenv.h>
double __enzyme_autodiff(void *, double);

static double above(double x) {
  fesetround(FE_UPWARD);
  double y = x * x;
  fesetround(FE_TONEAREST);
  return y;
}
double slope(double x) { return __enzyme_autodiff((void *)above, x); }
