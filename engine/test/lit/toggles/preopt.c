// preopt: what is differentiated has been through clang's optimizer; without
// it, it is what the front end emitted, with every variable in memory.
// RUN: %retro-clang -O2 -fno-discard-value-names -mllvm -retro-print-plan -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=ON %s
// RUN: %retro-clang -O2 -fno-discard-value-names -mllvm -retro-preopt=0 -mllvm -retro-print-plan -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: %retro-clang -O2 %s -o %t && %t | FileCheck --check-prefix=RESULT %s
// RUN: %retro-clang -O2 -mllvm -retro-preopt=0 %s -o %t && %t | FileCheck --check-prefix=RESULT %s
// RESULT: 576
// ON: plan for f (root)
// ON-NOT: plan for square
// ON-NOT: cache value
// OFF: plan for f (root)
// OFF: plan for square
// OFF: cache value {{.*}} : double in frame
double __enzyme_autodiff(void *, ...);
int printf(const char *, ...);

static double square(double x) {
  x *= x;
  return x;
}
static double f(double x) {
  double y = square(x);
  y = y * y;
  return y * 18;
}
int main(void) { printf("%g\n", __enzyme_autodiff((void *)f, 2.0)); }
