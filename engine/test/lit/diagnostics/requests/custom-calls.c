// Calls that a registered derivative cannot serve.
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -DGUARDED -g -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=GUARDED %s
// RUN: not %retro-clang -O2 -DGUARDED -g -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=GUARDED %s
// GUARDED-NOT: retro-inactive-shadow
#include "request.h"

double elsewhere(double x);
double elsewhere_reverse(double x, double seed);
void *__enzyme_register_gradient_1[] = {(void *)elsewhere, (void *)elsewhere, (void *)elsewhere_reverse};

double unseen(double x) {
  return elsewhere(x * x);
}
double r1(double x) { return __enzyme_fwddiff((void *)unseen, x, 1.0); }
// CHECK: custom-calls.c:[[@LINE-3]]:10: error: no forward derivative is registered for 'elsewhere', whose body is not in this translation unit [retro-no-rule-in-mode]; to fix it: register one, or define the function here
// CHECK: custom-calls.c:[[@LINE-2]]:30: note: the derivative of 'unseen' is requested in 'r1' here

double ahead(double x);
typedef struct { double value, tangent; } dual;
dual ahead_forward(double x, double dx);
void *__enzyme_register_derivative_2[] = {(void *)ahead, (void *)ahead_forward};
double unseen_ahead(double x) {
  return ahead(x * x);
}
double r2(double x) { return __enzyme_autodiff((void *)unseen_ahead, x); }
// CHECK: custom-calls.c:[[@LINE-3]]:10: error: no gradient is registered for 'ahead', whose body is not in this translation unit [retro-no-rule-in-mode]

// Four doubles travel in memory, and the callee has a copy.
struct four { double x[4]; };
double by_value(struct four m);
void by_value_reverse(struct four m, struct four dm, double seed);
void *__enzyme_register_gradient_3[] = {(void *)by_value, (void *)by_value, (void *)by_value_reverse};
double copies(double x) {
  struct four m = {{x, x * x, 1, 2}};
  return by_value(m);
}
double r3(double x) { return __enzyme_autodiff((void *)copies, x); }
// CHECK: custom-calls.c:[[@LINE-3]]:10: error: the registered derivative of 'by_value' cannot take this argument: a copy of it has no adjoint that could be added to [retro-custom-argument]; to fix it: pass it through a pointer

// A float and an integer travel as one word.
struct mixed { float a; int n; };
double by_word(struct mixed m);
void by_word_reverse(struct mixed m, struct mixed again, double seed);
void *__enzyme_register_gradient_4[] = {(void *)by_word, (void *)by_word, (void *)by_word_reverse};
double words(struct mixed *m) {
  return by_word(*m);
}
double r4(struct mixed *m, struct mixed *d) { return __enzyme_autodiff((void *)words, m, d); }
// CHECK: custom-calls.c:[[@LINE-3]]:10: error: the registered derivative of 'by_word' cannot take this argument: numbers in it travel as an integer [retro-custom-argument]

double *place(double *x, int i);
double *place_forward(double *x, double *dx, int i, int again);
void place_reverse(double *x, double *dx, int i, int again);
void *__enzyme_register_gradient_5[] = {(void *)place, (void *)place_forward, (void *)place_reverse};
double placed(double *x) {
  return *place(x, 2) * 3;
}
double r5(double *x, double *d) { return __enzyme_autodiff((void *)placed, x, d); }
// CHECK: custom-calls.c:[[@LINE-3]]:11: error: the shadow of this memory is not known (it is returned by 'place', whose registered derivative does not return one) [retro-unknown-shadow]

// The shadow of a constant argument is the argument itself.
static __attribute__((noinline)) double scaled(double *x, double *w) { return x[0] * w[0]; }
static double scaled_forward(double *x, double *dx, double *w, double *dw) { return x[0] * w[0]; }
static void scaled_reverse(double *x, double *dx, double *w, double *dw, double seed) {
  dx[0] += w[0] * seed;
#ifdef GUARDED
  if (dw != w)
#endif
    dw[0] += x[0] * seed;
}
void *__enzyme_register_gradient_6[] = {(void *)scaled, (void *)scaled_forward, (void *)scaled_reverse};
double weighted(double *x, double *w) {
  return scaled(x, w);
}
double r6(double *x, double *d, double *w) { return __enzyme_autodiff((void *)weighted, x, d, enzyme_const, w); }
// CHECK: custom-calls.c:[[@LINE-3]]:10: error: argument 2 of 'scaled' has no shadow here, but the registered derivative writes to its shadow: it would overwrite the argument itself [retro-inactive-shadow]; to fix it: make it active (enzyme_dup), or let the derivative write only if the two pointers differ
