// A variable that LLVM makes, for a cell that changes places with another, has
// the type of what one access takes it for, two doubles; a pointer, and four
// floats, are there at other times.
// RUN: %retro-clang -O1 %s -lm -o %t && %t
#include "request.h"
struct Cell {
  long kind;
  union {
    double *p;
    double d[2];
    float f[4];
  };
};
__attribute__((noinline)) static Cell make(int kind, double *x) {
  Cell c;
  switch (c.kind = kind) {
  case 0:
    c.p = x;
    break;
  case 1:
    c.d[0] = x[0], c.d[1] = x[1];
    break;
  default:
    for (int m = 0; m < 4; ++m)
      c.f[m] = float(x[m & 1]);
  }
  return c;
}
__attribute__((noinline)) static double value(const Cell &c) {
  switch (c.kind) {
  case 0:
    return *c.p;
  case 1:
    return c.d[0] - c.d[1];
  default:
    return c.f[0] + c.f[1] * .5 + c.f[2] * c.f[3];
  }
}
__attribute__((noinline)) static double f(double *x, int n) {
  Cell t[3];
  for (int i = 0; i < n; ++i)
    t[i] = make(2 - i % 3, x);
  for (int i = 1; i < n; ++i) {
    Cell u = t[i];
    if (u.kind < t[0].kind) {
      t[i] = t[0];
      t[0] = u;
    }
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += (i + 1) * value(t[i]);
  return s;
}
static bool near(double a, double b) { return a - b < 1e-6 && b - a < 1e-6; }
int main() {
  double x[2] = {0.25, 0.75}, g[2] = {};
  __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, 3);
  // The pointer to x[0], twice the floats, three times the doubles.
  return !near(g[0], 1 + 2 * (1 + x[1]) + 3) || !near(g[1], 2 * (0.5 + x[0]) - 3);
}
