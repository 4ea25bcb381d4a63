// Positions in packed triangles are functions of the row: none is on the tape.
// RUN: %retro-clang -O2 -S %s -o /dev/null -mllvm -retro-print-plan 2>&1 | FileCheck %s
double __enzyme_autodiff(void *, ...);
extern int enzyme_const;

// CHECK: plan for lower (root)
// CHECK-NOT: cache {{.*}} in {{indexed|record}}
// CHECK: reverse
static double lower(const double *restrict x, const double *restrict y, long n) {
  double sum = 0;
  long row = 0;
  for (long r = 0; r < n; ++r)
    for (long c = 0; c <= r; ++c)
      sum += x[row] * x[row] * y[c], ++row;
  return sum;
}

// The last round of the outer loop has none of the inner one.
// CHECK: plan for strict (root)
// CHECK-NOT: cache {{.*}} in {{indexed|record}}
// CHECK: reverse
static double strict(const double *restrict x, const double *restrict y, int n) {
  double sum = 0;
  int entry = 0;
  for (int c = 0; c < n; ++c)
    for (int r = c + 1; r < n; ++r)
      sum += x[entry] * x[entry] * y[c], ++entry;
  return sum;
}

// Nothing bounds how many there are in a row.
// CHECK: plan for ragged (root)
// CHECK: cache value {{.*}} : i64
static double ragged(const double *restrict x, const double *restrict y, const long *restrict size, long n) {
  double sum = 0;
  long entry = 0;
  for (long c = 0; c < n; ++c)
    for (long r = 0; r < size[c]; ++r)
      sum += x[entry] * x[entry] * y[c], ++entry;
  return sum;
}

double gradient(const double *x, double *dx, const double *y, double *dy, const long *size, int n) {
  return __enzyme_autodiff((void *)lower, x, dx, y, dy, (long)n) + __enzyme_autodiff((void *)strict, x, dx, y, dy, n) +
         __enzyme_autodiff((void *)ragged, x, dx, y, dy, enzyme_const, size, (long)n);
}
