// FLAGS: -fopenmp
// OPTIONS: -mllvm -retro-preopt=0
// What is called through a pointer is none of the functions that an earlier
// request's tape is freed with, though their addresses are taken, too.
#include "../check.h"

MARKERS(enzyme_width);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double sum_of_squares(const double *x, int n) {
  double c[8], s = 0;
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < n; ++i)
    c[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    s += c[i] * c[i];
  return s;
}

static void doubled(double *x) { *x *= 2; }
static void squared(double *x) { *x *= *x; }
void (*volatile steps[])(double *) = {doubled, squared};

/// 16 x², for three steps.
static double stepped(double x, int n) {
  for (int i = 0; i < n; ++i)
    steps[i % 2](&x);
  return 2 * x;
}

int main() {
  double x[4] = {0.5, 1, -1, 2}, d[4] = {0};
  __enzyme_autodiff((void *)sum_of_squares, enzyme_dup, x, d, enzyme_const, 4);
  for (int i = 0; i < 4; ++i)
    NEAR(d[i], 4 * x[i] * x[i] * x[i], 0);
  NEAR(
      __enzyme_fwddiff((void *)stepped, enzyme_dup, 0.75, 1.0, enzyme_const, 3),
      24.0, 0);
  NEAR(__enzyme_autodiff((void *)stepped, enzyme_out, 0.75, enzyme_const, 3),
       24.0, 0);
  return finish();
}
