// Other code has made static pointers lead to memory that the differentiated
// code knows as other memory. What is read and written through them would have
// no derivative, or would change numbers that are taken to stay: with 0, the
// gradient would be 6750 225, where it is 150 90.
#include "again.h"
#include <stdlib.h>
#include <vector>

extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double *work;
static std::vector<double *> table;

/// Nothing forwards the numbers from stores to loads.
static double product(const double *x, double *to) {
  const int k = x[1] < 0;
  to[k] = x[0] * x[1];
  to[1 - k] = to[0] * x[0];
  return to[1];
}

#if WAY == 0 // an argument's
static double f(const double *x) {
  if (!work)
    work = static_cast<double *>(malloc(4 * sizeof(double)));
  return product(x, work);
}
static void same(double *x) { work = x; }
#elif WAY == 1 // that of a vector that is an argument
static double f(const std::vector<double> &x) { return product(&x[0], work); }
static void same(std::vector<double> &x) { work = &x[0]; }
#elif WAY == 2 // behind a static container, an argument's
static double f(const double *x) { return product(x, table[x[0] < 3]); }
static void same(double *x) { table[0] = x; }
#endif

int main() {
  double x[4] = {3, 5}, d[4] = {0}, own[4] = {};
  work = own;
  table.assign(2, own);
#if WAY == 1
  std::vector<double> v(x, x + 2), w(2);
  __enzyme_autodiff((void *)f, enzyme_dup, &v, &w);
  d[0] = w[0];
#else
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
#endif
  if (d[0] != 30)
    return 0;
#if WAY == 1
  same(v);
  AGAIN((void *)f, enzyme_dup, &v, &w);
#else
  same(x);
  AGAIN((void *)f, enzyme_dup, x, d);
#endif
  return 0;
}
