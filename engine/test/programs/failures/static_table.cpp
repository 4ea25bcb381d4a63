// A static table of rows that a plain call has filled has no shadow where its
// rows cannot be told from memory that a request marks constant: where
// something active is written there, the derivative would be lost, and the
// program ends.
#include "again.h"
#include <stdio.h>
#include <vector>
extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static std::vector<double> &table(unsigned long n) {
  static std::vector<std::vector<double>> t(1);
  if (t[0].size() < n)
    t[0] = std::vector<double>(n, 0.5);
  return t[0];
}

static double f(const double *x, int n, double *other) {
  double *t = n < 9 ? table(4).data() : other;
  for (int i = 0; i < n; ++i)
    t[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < 4; ++i)
    s += t[i] * x[i];
  return s;
}

int main(int argc, char **) {
  double x[4] = {1, 2, 3, 4}, d[4] = {}, other[4] = {};
  if (f(x, 0, other) != 5)
    return 0;
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, argc - 1,
                    enzyme_const, other);
  for (double y : d)
    if (y != 0.5)
      return 0;
  AGAIN((void *)f, enzyme_dup, x, d, enzyme_const, argc, enzyme_const, other);
  return 0;
}
