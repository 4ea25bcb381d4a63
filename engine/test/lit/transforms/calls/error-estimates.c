// What an error estimate adds for each operation, and what it tells a logger.
// RUN: %retro-clang -O2 %s -S -emit-llvm -o - | FileCheck --check-prefix=IR %s
// RUN: %retro-clang -O0 -g -DLOG %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang -O2 -g -DLOG %s -o %t -lm && %t | FileCheck %s
#include <math.h>
#include <stdio.h>

double __enzyme_error_estimate(void *, ...);

static double sum(double x, double y) { return x + y; }
double of_sum(double x, double ex, double y, double ey) {
  return __enzyme_error_estimate((void *)sum, x, ex, y, ey);
}
// The exponent of the sum, times 2^-52; and the sizes of the operands' errors.
// IR-LABEL: define internal {{.*}}@tangent_of_sum(
// IR: [[Y:%.*]] = fadd double
// IR-COUNT-2: call double @llvm.fabs.f64(
// IR: [[CARRIED:%.*]] = fadd double
// IR: bitcast double [[Y]] to i64
// IR: and i64 {{.*}}, 9218868437227405312
// IR: [[OWN:%.*]] = fmul double {{.*}}, 0x3CB0000000000000
// IR: fadd double [[CARRIED]], [[OWN]]
// IR: ret { double }

static double moved(double x) { return -x * 4; }
double of_moved(double x, double ex) {
  return __enzyme_error_estimate((void *)moved, x, ex);
}
// IR-LABEL: define internal {{.*}}@tangent_of_moved(
// IR-NOT: bitcast
// IR: ret { double }

#ifdef LOG
void enzymeLogError(double result, double error, const char *operation,
                    const char *callee, const char *file, const char *function,
                    const char *block, int line) {
  (void)block;
  printf("%.6g off by %.3g: %s %s in %s, %s:%d\n", result, error, operation,
         callee, function, file, line);
}
static double cancels(double x) {
  double c = cos(x);
  double d = 1 - c;
  return d / (x * x);
}
int main(void) {
  printf("%.3g\n", __enzyme_error_estimate((void *)cancels, 1e-7, 0.0));
  // CHECK: 1 off by 1.11e-16: call {{.*}}cos{{.*}} in cancels, {{.*}}error-estimates.c:[[@LINE-6]]
  // CHECK-NEXT: 4.996e-15 off by 1.11e-16: fsub  in cancels, {{.*}}error-estimates.c:[[@LINE-6]]
  // CHECK-NEXT: 1e-14 off by 1.58e-30: fmul  in cancels, {{.*}}error-estimates.c:[[@LINE-6]]
  // CHECK-NEXT: 0.4996 off by 0.0111: fdiv  in cancels, {{.*}}error-estimates.c:[[@LINE-7]]
  // CHECK-NEXT: 0.0111
  return 0;
}
#else
int main(void) { return 0; }
#endif
