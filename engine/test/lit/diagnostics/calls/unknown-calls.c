// A function without a body is refused where it could read or write active
// memory, though no number is passed to it and nothing reads it afterwards.
// RUN: not %retro-clang -O0 -g -c %s -fopenmp -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -fopenmp -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

int put(const void *, int);
double get(void);
double f1(double x) {
  double y = x * x;
  put(&y, 1);
  return get();
}
// CHECK: unknown-calls.c:[[@LINE-3]]:3: error: no derivative is known for the function 'put' [retro-no-derivative]
double r1(double x) { return __enzyme_autodiff((void *)f1, x); }

// All that is known of the memory is that the request duplicates it.
double sum_of(void *, int);
double f2(double *x, int n) { return sum_of(x, n) + n; }
// CHECK: unknown-calls.c:[[@LINE-1]]:38: error: no derivative is known for the function 'sum_of' [retro-no-derivative]
double r2(double *x, double *dx, int n) { return __enzyme_autodiff((void *)f2, x, dx, n); }

// Through pointers in memory.
struct Inner { double *v; };
struct Outer { long tag; struct Inner *in; };
void enter(struct Outer *);
double f3(double x) {
  double y = x;
  struct Inner i = {&y};
  struct Outer o = {1, &i};
  enter(&o);
  return x;
}
// CHECK: unknown-calls.c:[[@LINE-3]]:3: error: no derivative is known for the function 'enter' [retro-no-derivative]
double r3(double x) { return __enzyme_fwddiff((void *)f3, x, 1.0); }

// A look at numbers that gives none is no loss, nor is other memory.
int biggest(const double *, int) __attribute__((pure));
void label(const char *, int *);
double f4(double *x, int n) {
  int k = biggest(x, n), m = 0;
  label("x", &m);
  return x[k] * x[k] * m;
}
double r4(double *x, double *dx, int n) { return __enzyme_autodiff((void *)f4, x, dx, n); }

double f5(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i];
    if (x[i] > 3) {
#pragma omp cancel for
    }
  }
  return s;
}
// CHECK: unknown-calls.c:[[@LINE-5]]:1: error: cannot differentiate a parallel region with a cancel: what ran before it is not known [retro-cancelled]; to fix it: run all iterations, and skip the work of some by a condition
double r5(double *x, double *dx, int n) { return __enzyme_autodiff((void *)f5, x, dx, n); }

int thrd_create(unsigned long *, int (*)(void *), void *);
int square(void *x) { return *(double *)x *= *(double *)x, 0; }
double f7(double *x, int n) {
  unsigned long thread;
  thrd_create(&thread, square, x);
  return *x;
}
// CHECK: unknown-calls.c:[[@LINE-3]]:3: error: cannot differentiate what other threads compute ('thrd_create') [retro-parallel]; to fix it: compute it in one thread
double r7(double *x, double *dx, int n) { return __enzyme_autodiff((void *)f7, x, dx, n); }

// Bytes of a number in another order.
double f6(double x) {
  unsigned long u, v;
  memcpy(&u, &x, 8);
  volatile unsigned long there = __builtin_bswap64(u);
  v = __builtin_bswap64(there);
  memcpy(&x, &v, 8);
  return x;
}
// CHECK: error: integer arithmetic on the bits of an active floating-point value ({{.*}}) [retro-bit-arithmetic]
double r6(double x) { return __enzyme_autodiff((void *)f6, x); }
// CHECK: 6 errors generated
