// Functions without a derivative that take structs by value, and return them
// through memory: the derivative calls them as the primal does.
// OPTIONS: -mllvm -retro-inline=0
#include "../check.h"

struct Box {
  long at;
  double value[4];
};

static long calls;

static NOINLINE double count(Box b, Box c, double a) {
  double *kept = new double(a);
  calls += 10 * b.at + c.at;
  double r = b.value[c.at & 3] + *kept;
  delete kept;
  return r;
}

static NOINLINE Box shifted(Box b, long by) {
  b.at = (b.at + by) % 4;
  calls += 100;
  return b;
}

static double f(double *x, Box *b) {
  Box next = shifted(*b, 1), before = *b;
  b->at = 3;
  double unused = count(before, next, x[0]);
  b->at = before.at;
  (void)unused;
  return x[0] * x[0] * x[1] + (double)next.at;
}

int main() {
  Box b = {2, {1, 2, 3, 4}};
  double x[2] = {2, 3}, d[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, &b);
  NEAR(d[0], 12, 1e-14);
  NEAR(d[1], 4, 1e-14);
  NEAR(calls, 123, 0);
  NEAR(b.at, 2, 0);
  const double v[2] = {1, 0.5};
  NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, &b), 14,
       1e-14);
  NEAR(calls, 246, 0);
  return finish();
}
