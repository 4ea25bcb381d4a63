// Functions of which requests get copies of their own: the program calls them
// as well, directly, by pointer and recursively, with other functions below;
// and numbers that all requests of a function pass, or that differ.
#include "../check.h"

MARKERS(enzyme_width, enzyme_dupnoneed);

enum { N = 100, FEW = 3 };

/// A counter that all copies of a function share.
static int calls;
static NOINLINE double power(double x, int n) {
  ++calls;
  return n ? x * power(x, n - 1) : 1;
}
static NOINLINE double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += power(x[i], 1 + i % FEW) * x[(i + 7) % n];
  return s;
}
/// By hand.
static double sum_by(const double *x, int n, int i) {
  const int p = 1 + i % FEW, before = (i + n - 7 % n) % n;
  double d = p, q = 1;
  for (int k = 1; k < p; ++k)
    d *= x[i];
  for (int k = 0; k < 1 + before % FEW; ++k)
    q *= x[before];
  return d * x[(i + 7) % n] + q;
}

/// One whose address the program takes, and compares.
static double cube(double x) { return x * x * x; }
static double square(double x) { return x * x; }
static NOINLINE int is_cube(double (*f)(double)) { return f == cube; }

/// Of one that two requests pass other numbers.
static NOINLINE double scaled(double x, long n) { return x * x * (double)n; }
static double alone(double x, long n) { return sin(x) * (double)n; }

/// A request in a function that is derived.
static NOINLINE double slope_of(double x) {
  return __enzyme_autodiff((void *)scaled, x, 1000L);
}

/// A table of labels leads to those of one function.
static double steps(double x, const unsigned char *code, long n) {
  static void *const label[] = {&&times, &&plus, &&end};
  double a = x;
  goto *label[*code++];
times:
  a *= x;
  goto *label[*code++];
plus:
  a += (double)n * x;
  goto *label[*code++];
end:
  return a;
}

int main(void) {
  const unsigned char code[] = {0, 1, 0, 2}; // (x^2 + 100 x) x
  NEAR(steps(2, code, 100), 408, 1e-15);
  NEAR(__enzyme_autodiff((void *)steps, 2.0, enzyme_const, code, enzyme_const,
                         100L),
       412, 1e-15);
  double x[N], d[N] = {0}, e[N] = {0};
  for (int i = 0; i < N; ++i)
    x[i] = 0.5 + 0.01 * i;
  const double value = sum(x, N), few = sum(x, FEW);
  const int once = calls;
  __enzyme_autodiff((void *)sum, enzyme_dup, x, d, enzyme_const, N);
  for (int i = 0; i < N; ++i)
    NEAR(d[i], sum_by(x, N, i), 1e-12);
  __enzyme_autodiff((void *)sum, enzyme_dup, x, e, enzyme_const, FEW);
  for (int i = 0; i < FEW; ++i)
    NEAR(e[i], sum_by(x, FEW, i), 1e-12);
  const int before = calls;
  NEAR(sum(x, N), value, 1e-15);
  NEAR(sum(x, FEW), few, 1e-15);
  NEAR(calls - before, once, 0);

  NEAR(__enzyme_autodiff((void *)cube, 2.0), 12, 1e-15);
  NEAR(__enzyme_autodiff((void *)square, 2.0), 4, 1e-15);
  NEAR(is_cube(cube), 1, 0);
  NEAR(is_cube(square), 0, 0);

  NEAR(__enzyme_autodiff((void *)scaled, 3.0, 1000L), 6000, 1e-15);
  NEAR(__enzyme_autodiff((void *)scaled, 3.0, 2000L), 12000, 1e-15);
  NEAR(scaled(3, 1000) + scaled(3, 7), 9063, 1e-15);
  NEAR(__enzyme_autodiff((void *)alone, 0.0, -5000L), -5000, 1e-15);
  NEAR(__enzyme_fwddiff((void *)alone, 0.0, 2.0, -5000L), -10000, 1e-15);
  NEAR(__enzyme_fwddiff((void *)slope_of, 3.0, 1.0), 2000, 1e-15);
  NEAR(slope_of(2), 4000, 1e-15);
  return finish();
}
