// Nobody looks for lanes in a long block that touches little memory, where that
// takes half of the time to compile. A block of many loads and stores may have
// lanes, and so may short loops.
// RUN: %retro-clang -O2 -S -emit-llvm -fplugin=%plugin %s -o - -mllvm -retro-long-block=100 -Xclang -fdebug-pass-manager 2>&1 | FileCheck %s
// RUN: %retro-clang -O2 -S -emit-llvm -fplugin=%plugin %s -o - -Xclang -fdebug-pass-manager 2>&1 | FileCheck --check-prefix=SHORT %s
//
// CHECK-NOT: Skipping pass: SLPVectorizerPass
// CHECK: Skipping pass: SLPVectorizerPass on gradient_formula
// CHECK: Running pass: SLPVectorizerPass on gradient_table
// CHECK-NOT: Skipping pass: SLPVectorizerPass
// SHORT-NOT: Skipping pass: SLPVectorizerPass
extern double __enzyme_autodiff(void *, ...);
double sin(double), exp(double);

#define STEP a = 0.5 * a * b + sin(c), b = b - a * c, c = exp(-b * b) + a * c;
#define FOUR(X) X X X X

double formula(const double *x) {
  double a = x[0], b = x[1], c = x[2];
  FOUR(FOUR(STEP))
  return a + b + c;
}

#define ROW(I) y[I] = x[I] * x[I] * x[I + 32];
#define ROWS(I) ROW(I) ROW(I + 1) ROW(I + 2) ROW(I + 3)

void table(const double *restrict x, double *restrict y) {
  ROWS(0) ROWS(4) ROWS(8) ROWS(12) ROWS(16) ROWS(20) ROWS(24) ROWS(28)
}

double of_formula(double *x, double *dx) {
  return __enzyme_autodiff((void *)formula, x, dx);
}

void of_table(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)table, x, dx, y, dy);
}
