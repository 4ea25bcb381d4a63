// A large function is differentiated in parts: blocks, branches and bodies of
// loops, each a function with a pair of its own.
// DEFINE: %{cut} = -mllvm -retro-parts-above=100 -mllvm -retro-part-size=40 -mllvm -retro-loop-checkpoints=0
// RUN: %retro-clang -O2 -S -emit-llvm %s -o %t.ll %{cut}
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck --check-prefix=NO %s --input-file=%t.ll
// RUN: %retro-clang -O2 -S -emit-llvm %s -o - -mllvm -retro-loop-checkpoints=0 | FileCheck --check-prefix=WHOLE %s
// RUN: not %retro-clang -O2 -g -S %s -o /dev/null -DLOST %{cut} 2>&1 | FileCheck --check-prefix=LOST %s
// WHOLE-NOT: @augmented
// NO-NOT: define {{.*}} @straight.part
double __enzyme_autodiff(void *, ...);
double exp(double), sin(double);
double lost(double);

#define STEP(a, b) x[a] = sin(x[a]) * x[b] + x[(a) + 1];
#define STEPS STEP(0, 1) STEP(1, 2) STEP(2, 3) STEP(3, 4) STEP(4, 5) STEP(5, 6)
#define MANY STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS

// One block. The gradient's own function only calls.
// CHECK-LABEL: define internal {{.*}}@gradient_straight(
// CHECK-NOT: @sin
// CHECK: call {{.*}}@augmented_straight.part{{[.0-9]*}}(
// CHECK: call {{.*}}@augmented_straight.part{{[.0-9]*}}(
// CHECK: call {{.*}}@reverse_straight.part{{[.0-9]*}}(
// CHECK: call {{.*}}@reverse_straight.part{{[.0-9]*}}(
// CHECK-NOT: @sin
// CHECK: ret
double straight(double *x) {
  MANY
  return x[0];
}

// A loop stays in one function, its body does not.
// CHECK-LABEL: define internal {{.*}}@gradient_loop(
// CHECK: phi i64
// CHECK: call {{.*}}@augmented_loop.part{{[.0-9]*}}(
// CHECK: call {{.*}}@augmented_loop.part{{[.0-9]*}}(
// CHECK: br i1
// CHECK: phi i64
// CHECK: call {{.*}}@reverse_loop.part{{[.0-9]*}}(
// CHECK: call {{.*}}@reverse_loop.part{{[.0-9]*}}(
// CHECK: br i1
double loop(double *x, int n) {
  for (int i = 0; i < n; ++i) {
    MANY
  }
  return x[0];
}

#ifdef LOST
// An error in a part is one at its line.
// LOST: parts.c:[[@LINE+5]]:{{[0-9]+}}: error: {{.*}}lost
// LOST-NOT: called from
double missing(double *x) {
  MANY
  STEPS
  x[0] = lost(x[0]);
  MANY
  return x[0];
}
double m(double *x, double *dx) {
  return __enzyme_autodiff((void *)missing, x, dx);
}
#endif

double s(double *x, double *dx) {
  return __enzyme_autodiff((void *)straight, x, dx);
}
double l(double *x, double *dx, int n) {
  return __enzyme_autodiff((void *)loop, x, dx, n);
}
