// What cannot be differentiated is reported at its own line, not the request's.
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null -mllvm -retro-tape-budget=4096 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null -mllvm -retro-tape-budget=4096 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -c %s -o /dev/null -mllvm -retro-tape-budget=4096 2>&1 | FileCheck --check-prefix=COUNT %s
// No code is emitted for what is refused.
// RUN: not %retro-clang -O2 -c %s -o /dev/null -mllvm -retro-tape-budget=4096 -mllvm -retro-time 2>&1 | FileCheck --check-prefix=BEFORE --implicit-check-not="emit: Emission" %s
// BEFORE: plan: Plan of the derivative
// COUNT-COUNT-12: error:
// COUNT-NOT: {{error|warning}}:
#include "request.h"

double elsewhere(double);
double f1(double x) {
  return x +
         elsewhere(x);
}
// CHECK: construct-errors.c:[[@LINE-2]]:10: error: no derivative is known for the function 'elsewhere' [retro-no-derivative]; to fix it: define it in this translation unit, or compile its file too with -flto and give the plugin to the linker (docs/lto.md), or give its derivative (docs/custom-derivatives.md), or mark its arguments inactive
double r1(double x) { return __enzyme_autodiff((void *)f1, x); }

// It may also write the derivative's way out.
void fills(const char *, double *);
double f2(double x) {
  double y = x;
  fills("y", &y);
  return y;
}
// CHECK: construct-errors.c:[[@LINE-3]]:3: error: no derivative is known for the function 'fills' [retro-no-derivative]
double r2(double x) { return __enzyme_autodiff((void *)f2, x); }

double f3(double x, short (*g)(double *, char)) {
  double y = x;
  g(&y, 'c');
  return y;
}
// CHECK: construct-errors.c:[[@LINE-3]]:3: error: cannot differentiate an indirect call: no function of this type has its address taken here [retro-indirect-call]; to fix it: call the function directly
double r3(double x, void *g) { return __enzyme_autodiff((void *)f3, x, enzyme_const, g); }

double f4(double x) {
  long bits;
  memcpy(&bits, &x, 8);
  bits = bits * 3;
  memcpy(&x, &bits, 8);
  return x;
}
// CHECK: construct-errors.c:[[@LINE-4]]:15: error: integer arithmetic on the bits of an active floating-point value ('mul') [retro-bit-arithmetic]; to fix it: compute with floating-point operations
double r4(double x) { return __enzyme_autodiff((void *)f4, x); }

void f5(void *a, void *b, long n) {
  memcpy(a, b, n);
  double *d = a;
  d[0] *= d[0];
  float *g = a;
  g[4] *= g[4];
}
// CHECK: construct-errors.c:[[@LINE-6]]:3: error: cannot deduce the type of the memory that is copied here [retro-unknown-type]; to fix it: copy typed values
void r5(void *a, void *da, void *b, void *db, long n) { __enzyme_autodiff_void((void *)f5, a, da, b, db, n); }

double f6(double x, double *scratch, int n) {
  scratch[0] = x;
  for (int i = 0; i < n; ++i)
    scratch[i + 1] = scratch[i] * x;
  return scratch[n];
}
// CHECK: construct-errors.c:[[@LINE-5]]:14: error: active values flow through memory that the request marks constant [retro-mixed-const]; to fix it: pass it as enzyme_dup with a zeroed shadow, or say with -mllvm -retro-trust-const
double r6(double x, double *scratch) { return __enzyme_autodiff((void *)f6, x, enzyme_const, scratch, 3); }

double *where(int);
double f7(double x, int n) {
  double *t = where(n);
  t[0] = x;
  for (int i = 0; i < n; ++i)
    t[i + 1] = t[i] * x;
  return t[n];
}
// CHECK: construct-errors.c:[[@LINE-5]]:8: error: the shadow of this memory is not known (it comes from a function without a body) [retro-unknown-shadow]; to fix it: allocate it in the differentiated code or pass it duplicated
double r7(double x) { return __enzyme_autodiff((void *)f7, x, 3); }

double f8(double *sum, double x) {
  double old = *sum, next = old * x;
  __atomic_compare_exchange(sum, &old, &next, 0, __ATOMIC_SEQ_CST,
                            __ATOMIC_SEQ_CST);
  return *sum;
}
// CHECK: construct-errors.c:[[@LINE-4]]:3: error: atomic operations of this kind on active values are not supported [retro-atomic]; to fix it: use an atomic load, store, exchange, sum, maximum or minimum (on a device a sum, maximum or minimum whose result is not used), a loop that reads the place, computes, and compares and swaps until that succeeds, or plain accesses
double r8(double *s, double *ds, double x) { return __enzyme_autodiff((void *)f8, s, ds, x); }

double f9(double x) {
  double y;
  __asm__("sqrtsd %1, %0" : "=x"(y) : "x"(x));
  return y;
}
// CHECK: construct-errors.c:[[@LINE-3]]:3: error: cannot differentiate inline assembly [retro-inline-asm]; to fix it: write it in the source language
double r9(double x) { return __enzyme_autodiff((void *)f9, x); }

typedef float Pair __attribute__((vector_size(8)));
double f10(double x) {
  Pair p;
  memcpy(&p, &x, 8);
  p *= p;
  memcpy(&x, &p, 8);
  return x;
}
// CHECK: construct-errors.c:[[@LINE-2]]:10: error: cannot differentiate through 'bitcast between float types' [retro-unknown-instruction]; to fix it: rewrite the expression or mark its inputs inactive
double r10(double x) { return __enzyme_autodiff((void *)f10, x); }

double f11(const double *x) {
  double s = 1;
  for (int i = 0; i < 1000000; ++i)
    s = sin(s * x[i]);
  return s;
}
// CHECK: construct-errors.c:[[@LINE-4]]:3: error: the tape of this loop would take 8000000 bytes, over the budget of 4096 [retro-tape-too-large]; to fix it: raise -retro-tape-budget or reduce the loop
double r11(double *x, double *dx) { return __enzyme_autodiff((void *)f11, x, dx); }

// Forward mode has the same limits.
double r12(double x) { return __enzyme_fwddiff((void *)f9, x, 1.0); }
// CHECK: construct-errors.c:{{[0-9]+}}:3: error: cannot differentiate inline assembly [retro-inline-asm]
