// What is computed again from one value may be a chain as long as the function:
// the compiler's stack does not grow with it.
// RUN: clang -O1 -S -emit-llvm %s -o %t.ll
// RUN: bash -c "ulimit -s 1024; opt -load-pass-plugin=%plugin -passes=retrograde -retro-post-opt=0 -retro-preopt=0 -retro-parts-above=1000000 -S %t.ll -o %t.grad.ll"
// RUN: FileCheck %s --input-file=%t.grad.ll
// CHECK: define internal {{.*}} @gradient_chain(
// CHECK-COUNT-9999: fmul double
// CHECK: ret
double __enzyme_autodiff(void *, ...);

#define TEN(x) x x x x x x x x x x
#define STEP                                                                   \
  a = a * b + 0.5;                                                             \
  b = b * 0.9 + a;

double chain(const double *x) {
  double a = x[0], b = x[1];
  TEN(TEN(TEN(TEN(STEP))))
  return a;
}

void gradient(const double *x, double *dx) {
  __enzyme_autodiff((void *)chain, x, dx);
}
