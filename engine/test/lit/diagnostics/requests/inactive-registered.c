// What a registered inactive function writes is constant. Where it visibly
// writes active numbers that are read again, that is an error; where it reads
// them, or writes what the code does not look at, it is not.
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang -O2 -DRIGHT %s -o %t -lm && %t | FileCheck --check-prefix=VALUE %s
// RUN: %retro-clang -O0 -DRIGHT %s -o %t -lm && %t | FileCheck --check-prefix=VALUE %s
#include "request.h"
#define NOINLINE __attribute__((noinline))

typedef struct { int steps; double x, last; } state;

static NOINLINE void fill(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = 0.5 * i;
}
static NOINLINE void refill(double *x, int n) { fill(x, n); }
static NOINLINE void report(const double *x, int n) {
  for (int i = 0; i < n; ++i)
    if (x[i] > 1e9)
      printf("%g\n", x[i]);
}
static NOINLINE void note(state *s) {
  s->last = s->x;
  ++s->steps;
}
void *__enzyme_inactivefn_1[] = {(void *)refill, (void *)report, (void *)note};

static double reused(const double *x, int n) {
  double b[4], sum = 0;
  for (int i = 0; i < 4; ++i)
    b[i] = x[i] * x[i];
  for (int i = 0; i < 4; ++i)
    sum += b[i];
#ifndef RIGHT
  refill(b, 4);
#endif
  report(b, 4);
  return sum + b[1] * n;
}
// CHECK: inactive-registered.c:[[@LINE-5]]:3: error: 'refill' is registered as inactive, but it writes numbers that are active here [retro-inactive-write]; to fix it: register a derivative of it, or let it write to memory of its own

static double stepped(state *s) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    s->x *= s->x;
    note(s);
    sum += s->x;
  }
  return sum;
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, d[4] = {0};
  __enzyme_autodiff_void((void *)reused, x, d, 2);
  show("reused", d, 4);
  // VALUE: reused: 2 12 6 8
  state s = {0, 2, 0}, ds = {0, 0, 0};
  __enzyme_autodiff_void((void *)stepped, &s, &ds);
  show("stepped", &ds.x, 1);
  // d(x^2 + x^4 + x^8)
  // VALUE: stepped: 1060
  return s.steps != 3;
}
