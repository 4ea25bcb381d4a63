// What the recurrences of a loop that is reversed in order take from the tape
// is read before the loop: behind the loop's condition it would be read in
// each iteration.
// RUN: %retro-clang -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -S -emit-llvm %s -o - | FileCheck %s
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
double sin(double);

// CHECK-LABEL: define internal {{.*}}@reverse_turned(
// CHECK: [[FIELD:%.+]] = getelementptr {{.*}}i8, ptr [[FRAME:%.+]], i64 8
// CHECK: load double, ptr {{.*}}!alias.scope [[TAPE:![0-9]+]]
// CHECK: [[LOOP:[0-9]+]]:{{.*}}preds = %[[LATCH:[0-9]+]]
// CHECK: phi double
// CHECK-NOT: !alias.scope [[TAPE]]
// CHECK: br i1
// CHECK: }
__attribute__((noinline)) static void turned(double *restrict x, int n) {
  if (n < 2)
    return;
  turned(x, n / 2);
  const double s = sin(1.0 / n);
  double w = 1, v = 0;
  for (int i = 0; i < n; ++i) {
    x[i] = w * x[i];
    const double old = w;
    w = w - s * v;
    v = v + s * old;
  }
}

void g(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)turned, enzyme_dup, x, dx, enzyme_const, n);
}
