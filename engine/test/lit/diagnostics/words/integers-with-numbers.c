// The bits of a number in an object of integer type, moved from there as an
// integer, in memory where other objects have a number: not a constant.
// RUN: not %retro-clang -O0 -c %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: cannot deduce the type of the memory that is copied here [retro-unknown-type]
#include "request.h"
#include <stdlib.h>

struct N {
  struct N *next;
  double v;
};
struct W {
  struct N *next;
  long w;
};
static double f(double *x) {
  struct N *n = malloc(sizeof *n);
  struct W *w = malloc(sizeof *w), *u = malloc(sizeof *u);
  n->next = w->next = u->next = n;
  n->v = x[2];
  void *table[] = {n, w, u};
  volatile int at = 1;
  struct W *a = table[at], *b = table[at + 1];
  struct N *c = table[at - 1];
  double r = x[0] * x[1];
  __builtin_memcpy(&a->w, &r, 8);
  c->v *= 2;
  b->w = a->w;
  c->v *= 2;
  __builtin_memcpy(&r, &b->w, 8);
  return r * c->v;
}
double request(double *x, double *dx) { return __enzyme_autodiff((void *)f, x, dx); }
