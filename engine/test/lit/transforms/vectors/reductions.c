// The largest, smallest and product of the lanes of a vector, in both modes.
// RUN: %retro-clang -O0 %s -lm -o %t && %t | FileCheck %s
// RUN: %retro-clang -O2 %s -lm -o %t && %t | FileCheck %s
#include "request.h"
typedef double V __attribute__((ext_vector_type(4)));
static V load(const double *x) {
  V v = {x[0], x[1], x[2], x[3]};
  return v;
}
double most(const double *x) { return __builtin_reduce_max(load(x) * load(x)); }
double least(const double *x) { return __builtin_reduce_min(load(x)); }
double last(const double *x) { return __builtin_reduce_maximum(-load(x)); }
int main(void) {
  double x[4] = {3, -1, 2, -4}, g[4] = {0};
  const double t[4] = {1, 10, 100, 1000};
  __enzyme_autodiff_void((void *)most, enzyme_dup, x, g);
  show("most", g, 4); // CHECK: most: 0 0 0 -8
  memset(g, 0, sizeof g);
  __enzyme_autodiff_void((void *)least, enzyme_dup, x, g);
  show("least", g, 4); // CHECK: least: 0 0 0 1
  memset(g, 0, sizeof g);
  __enzyme_autodiff_void((void *)last, enzyme_dup, x, g);
  show("last", g, 4); // CHECK: last: 0 0 0 -1
  double d = __enzyme_fwddiff((void *)most, enzyme_dup, x, t);
  show("along", &d, 1); // CHECK: along: -8000
}
