// A number of a union that the optimizer moves as the pointer beside it.
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c -DFORWARD %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"
double __enzyme_fwddiff(void *, ...);

typedef struct node {
  int kind;
  union {
    double number;
    struct {
      struct node *first;
      int n;
    } children;
  };
} node;

static double total(const node *at) {
  node copy = *at;
  if (copy.kind == 1)
    // CHECK: union-word.c:{{2[0-9]}}:{{[0-9]+}}: error: {{.*}}[retro-unknown-type]
    return copy.number * copy.number;
  double s = 0;
  for (int k = 0; k < copy.children.n; k++)
    s += total(copy.children.first + k);
  return s;
}

double f(const double *x) {
  node leaves[2] = {{1, .number = x[0]}, {1, .number = 4}};
  node top = {2, .children = {leaves, 2}};
  return total(&top);
}

double r(double *x, double *d) {
#ifdef FORWARD
  return __enzyme_fwddiff((void *)f, x, d);
#else
  return __enzyme_autodiff((void *)f, x, d);
#endif
}
