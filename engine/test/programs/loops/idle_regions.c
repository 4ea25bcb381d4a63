// Values whose last use lies before code that the reverse pass skips.
#include "../check.h"

static int tally[4];

// v's users meet in blocks that count, and have no adjoints.
static NOINLINE double f(const double *x, int n) {
  double v = sin(x[0]), w = exp(x[1]), s = 1;
  if (n & 1)
    s = v * v * w;
  else if (n & 2)
    s = v + w * w;
  else
    goto middle;
  if (n & 4)
    tally[0]++;
  else
    tally[1]++;
  if (n & 8)
    goto end;
middle:
  tally[2]++;
  if (n & 16) {
    tally[3]++;
    goto end;
  }
  s *= x[1];
end:
  tally[3]++;
  return s * x[0];
}

// The same in a loop, with values from outside of it and carried by it.
static NOINLINE double g(const double *x, int n) {
  double v = cos(x[0]), sum = 0, carried = x[1];
  for (int i = 0; i < n; ++i) {
    double u = carried * v;
    if (i & 1)
      sum += u * u;
    else if (i & 2)
      tally[0]++;
    else
      carried = u + x[0];
    tally[1] += i & 4 ? 1 : 2;
  }
  if (n & 1)
    tally[2]++;
  else
    tally[3]++;
  return sum + carried * v;
}

typedef double Function(const double *, int);

static void check(Function *h, const double *x, const double *d, int n) {
  for (int i = 0; i < 2; ++i) {
    double a[2] = {x[0], x[1]}, b[2] = {x[0], x[1]}, e = 1e-5;
    a[i] += e;
    b[i] -= e;
    NEAR(d[i], (h(a, n) - h(b, n)) / (2 * e), 1e-7);
  }
}

int main(void) {
  const double x[2] = {0.7, 0.4};
  for (int n = 0; n < 32; ++n) {
    double df[2] = {0}, dg[2] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, df, enzyme_const, n);
    __enzyme_autodiff((void *)g, enzyme_dup, x, dg, enzyme_const, n);
    check(f, x, df, n);
    check(g, x, dg, n);
  }
  return finish();
}
