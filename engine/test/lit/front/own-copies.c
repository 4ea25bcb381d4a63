// The program's own calls of a static function are compiled as if no request
// named it: a number that all of them pass is propagated, and the only call is
// inlined. Messages name the function as the user does.
// RUN: %retro-clang -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %retro-clang -O2 -mllvm -retro-own-copy=0 -S -emit-llvm %s -o - | FileCheck --check-prefix=OFF %s
// RUN: %retro-clang -O2 -mllvm -retro-print-counters -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=COUNT %s
// RUN: not %retro-clang -O2 -g -DWRONG -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: %retro-clang -O2 -DMAIN %s -o %t -lm && %t | FileCheck --check-prefix=RESULT %s
#include "request.h"

// COUNT: retro-counter own-copy 2
// COUNT: retro-counter constants 1

static __attribute__((noinline)) double below(const double *x, int n) {
#ifdef WRONG
  double v = x[n];
  __asm__ volatile("movq %0, %0" : "+r"(v));
  return v;
  // ERROR: own-copies.c:[[@LINE-2]]:3: error: {{.*}}inline assembly
  // ERROR: note: 'below' is called from 'f' here
  // ERROR: note: the derivative of 'f' is requested in 'g' here
#endif
  return x[n % 1000] * x[n];
}
static __attribute__((noinline)) double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * below(x, i);
  return s + below(x, n);
}

// No parameter is left of n.
// CHECK: define {{.*}}double @f(ptr {{[^,]*}})
// CHECK-NOT: @f.own
// OFF: define {{.*}}double @f(ptr {{[^,]*}}, i32 {{[^,]*}})
double primal(const double *x) { return f(x, 500); }
void g(const double *x, double *dx) {
  __enzyme_autodiff_void((void *)f, enzyme_dup, x, dx, enzyme_const, 500);
}

#ifdef MAIN
// f = x_0^3 + … + x_499^3 + x_500^2, of ones.
// RESULT: gradient: 3 3 2
int main(void) {
  double x[501], d[501] = {0};
  for (int i = 0; i <= 500; ++i)
    x[i] = 1;
  g(x, d);
  double some[3] = {d[0], d[499], d[500]};
  show("gradient", some, 3);
  return primal(x) != 501;
}
#endif
