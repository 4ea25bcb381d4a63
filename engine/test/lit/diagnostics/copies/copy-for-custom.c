// What is copied without a type to where only a function with a derivative of the
// user's own looks may be numbers: it is not taken for inactive.
// RUN: not %retro-clang -O0 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -mllvm -retro-preopt=0 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang -O0 -DRIGHT %s -o %t -lm
// RUN: %t | FileCheck %s --check-prefix=RIGHT
// RUN: %retro-clang -O2 -DRIGHT %s -o %t -lm
// RUN: %t | FileCheck %s --check-prefix=RIGHT
#include "request.h"

typedef struct {
  double b[3];
} vector;
__attribute__((noinline)) double norm(const vector *v) {
  return v->b[0] * v->b[0] + v->b[1] * v->b[1] + v->b[2] * v->b[2];
}
static double augmented(const vector *v, vector *d) {
  (void)d;
  return norm(v);
}
static void reverse(const vector *v, vector *d, double g) {
  for (int i = 0; i < 3; i++)
    d->b[i] += 2 * v->b[i] * g;
}
void *__enzyme_register_gradient_norm[3] = {(void *)norm, (void *)augmented, (void *)reverse};

#ifndef RIGHT
// CHECK: copy-for-custom.c:[[#@LINE+2]]:{{.*}} error: cannot deduce the type of the memory that is copied here [retro-unknown-type]
// CHECK: note: the derivative of 'stack'
double stack(void *p) {
  char t[24] __attribute__((aligned(8)));
  memcpy(t, p, sizeof t);
  return norm((vector *)t);
}
double r1(double *x, double *d) { return __enzyme_autodiff((void *)stack, x, d); }

// The last copy is the one that is reported.
// CHECK: copy-for-custom.c:[[#@LINE+2]]:{{.*}} error: cannot deduce the type of the memory that is copied here [retro-unknown-type]
// CHECK: note: the derivative of 'heap'
double heap(void *p) {
  void *t = malloc(24), *u = malloc(24);
  memcpy(t, p, 24);
  memcpy(u, t, 24);
  double r = norm((vector *)u);
  free(t);
  free(u);
  return r;
}
double r2(double *x, double *d) { return __enzyme_autodiff((void *)heap, x, d); }
// CHECK: 2 errors generated

#else
// With a type; and of what has no derivative.
static double typed(void *p, void *fixed) {
  vector t;
  memcpy(&t, p, sizeof t);
  char c[24] __attribute__((aligned(8)));
  memcpy(c, fixed, sizeof c);
  return norm(&t) * norm((vector *)c);
}
int main(void) {
  double x[3] = {1, 2, 3}, d[3] = {1, 1, 1}, one[3] = {1, 1, 1};
  __enzyme_autodiff((void *)typed, enzyme_dup, x, d, enzyme_const, one);
  // 2 x times 3, and 1.
  // RIGHT: typed: 7 13 19
  show("typed", d, 3);
}
#endif
