// A function of the program says what operations, and stores, round.
// RUN: %retro-clang -O0 -g -mllvm -retro-preopt=0 %s -o %t -lm && %t | FileCheck %s
#include <math.h>
#include <stdio.h>
#include <string.h>

double __enzyme_error_estimate(void *, ...);

// Stores to the variable y round to multiples of 1/8; nothing else does.
double retroOwnError(double result, double own, const char *operation,
                     const char *input, const char *file, const char *function,
                     const char *block, const char *variable, int line) {
  (void)block;
  printf("%.6g rounds %.3g: %s '%s' in %s, line %d of %s, '%s'\n", result, own,
         operation, input, function, line, file, variable);
  return !strcmp(variable, "changed:y") ? 0.125 : 0;
}
struct Pair {
  double a, b;
};
static double changed(double x, double *to, struct Pair *p) {
  double y = x * 3;
  to[1] = y;
  p->b = 0.1;
  return y * 2 + sin(p->b);
}
int main(void) {
  double to[2], e[2] = {0, 0};
  struct Pair p, ep = {0, 0};
  extern int enzyme_dup;
  printf("%.3g\n", __enzyme_error_estimate((void *)changed, 1.5, 0.0,
                                           enzyme_dup, to, e, enzyme_dup, &p,
                                           &ep));
  // CHECK: 1.5 rounds 0: store 'argument' in changed, line {{[0-9]+}} of {{.*}}own-errors.c, 'changed:x'
  // CHECK-NEXT: 4.5 rounds 8.88e-16: fmul '' in changed, line 22 of {{.*}}, ''
  // CHECK-NEXT: 4.5 rounds 0: store 'fmul' in changed, line 22 of {{.*}}, 'changed:y'
  // CHECK-NEXT: 4.5 rounds 0: store 'load' in changed, line 23 of {{.*}}, 'changed:to'
  // CHECK-NEXT: 0.1 rounds 0: store '' in changed, line 24 of {{.*}}, 'changed:p'
  // CHECK: call {{.*}}'sin' in changed
  // CHECK: {{^}}0.25{{$}}
  printf("%.3g %.3g\n", e[1], ep.b);
  // CHECK-NEXT: 0.125 0
  return 0;
}
