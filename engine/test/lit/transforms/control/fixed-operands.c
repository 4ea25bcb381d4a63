// What the recurrences of a loop that is reversed in order take from the tape
// is read before the loop: behind the loop's condition it would be read in
// each iteration.
// RUN: clang -O2 -fno-discard-value-names -fno-unroll-loops -S -emit-llvm %s -o %t.ll
// RUN: opt -load-pass-plugin=%plugin -passes=retrograde -retro-post-opt=0 -S %t.ll | FileCheck %s
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
double sin(double);

// The edge into the loop reads the tape, the one to the next iteration does
// not.
// CHECK-LABEL: define internal {{.*}}@reverse_turned(
// CHECK: rev.for.body:
// CHECK: rev.for.body.edge:
// CHECK: [[S:%.+]] = load double, ptr {{.*}}!alias.scope [[TAPE:![0-9]+]]
// CHECK: store double [[S]], ptr %call.again
// CHECK: br label %rev.for.body
// CHECK: rev.if.end.edge:
// CHECK-NOT: !alias.scope [[TAPE]]
// CHECK: load double, ptr %call.again
// CHECK-NOT: !alias.scope [[TAPE]]
// CHECK: }
__attribute__((noinline)) static void turned(double *restrict x, int n,
                                             double w) {
  if (n < 2)
    return;
  turned(x, n / 2, w);
  const double s = sin(1.0 / n);
  double v = 0.5 * w;
  for (int i = 0; i < n; ++i) {
    x[i] = w * x[i] + v;
    const double old = w;
    w = w * (1 - s) - s * v;
    v = v + s * old;
  }
}

void g(double *x, double *dx, int n, double w) {
  __enzyme_autodiff((void *)turned, enzyme_dup, x, dx, enzyme_const, n,
                    enzyme_const, w);
}
