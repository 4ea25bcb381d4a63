// What cannot run in another format of numbers is refused, at its line.
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include <math.h>
#include <stdlib.h>

typedef double Unary(double);
Unary *__enzyme_truncate_op_func(Unary *, ...);
Unary *__enzyme_truncate_mem_func(Unary *, ...);
double __enzyme_truncate_mem_value(double, int, int);

double elsewhere(double), lgamma_r(double, int *);
double outside(double x) { return 2 * elsewhere(x); }
double by_pointer(double x, Unary *f) { return 2 * f(x); }
Unary *chosen;
double indirect(double x) { return 2 * chosen(x); }
double in_parts(double x) {
  int sign;
  return lgamma_r(x, &sign) * sign;
}
double kept = 0.1;
double with_global(double x) { return x * kept; }
double added(double x, double *to) {
  __atomic_fetch_add((long *)to, 1, __ATOMIC_RELAXED);
  return x;
}
double square(double x) { return x * x; }
double in_assembly(double x) {
  __asm__("sqrtsd %1, %0" : "=x"(x) : "x"(x));
  return x;
}
double bessel(double x) { return j0(x); }

// CHECK: formats.c:13:{{[0-9]+}}: error: 'outside' cannot run in another format of numbers: it calls 'elsewhere', whose body is not here [retro-not-in-format]
Unary *a(void) { return __enzyme_truncate_op_func(outside, 64, 32); }
// CHECK: formats.c:16:{{[0-9]+}}: error: 'indirect' cannot run in another format of numbers: it calls a function by a pointer
Unary *b(void) { return __enzyme_truncate_op_func(indirect, 64, 32); }
// CHECK: formats.c:19:{{[0-9]+}}: error: 'in_parts' cannot run in another format of numbers: 'lgamma_r' gives a part of its result by address
Unary *c(void) { return __enzyme_truncate_op_func(in_parts, 64, 32); }
// CHECK: formats.c:22:{{[0-9]+}}: error: 'with_global' cannot run in another format of numbers: the numbers in 'kept' are not kept in that format
Unary *d(void) { return __enzyme_truncate_mem_func(with_global, 64, 32); }
// CHECK: formats.c:29:{{[0-9]+}}: error: 'in_assembly' cannot run in another format of numbers: it has assembly code
Unary *e(void) { return __enzyme_truncate_op_func(in_assembly, 64, 32); }
// CHECK: formats.c:[[@LINE+1]]:{{[0-9]+}}: error: __enzyme_truncate_op_func is asked for a format of numbers that there is not: there is no type of 31 bits that is narrower [retro-bad-format]
Unary *f(void) { return __enzyme_truncate_op_func(square, 64, 31); }
// CHECK: formats.c:[[@LINE+1]]:{{[0-9]+}}: error: __enzyme_truncate_op_func is asked for a format of numbers that there is not: there is no type of 64 bits that is narrower
Unary *g(void) { return __enzyme_truncate_op_func(square, 32, 64); }
// CHECK: formats.c:[[@LINE+1]]:{{[0-9]+}}: error: __enzyme_truncate_op_func is asked for a format of numbers that there is not: {{an exponent has 2 to 11 bits|the engine was built without MPFR}}
Unary *h(void) { return __enzyme_truncate_op_func(square, 64, 1, 15, 112); }
// CHECK: formats.c:[[@LINE+1]]:{{[0-9]+}}: error: __enzyme_truncate_op_func is asked for a format of numbers that there is not: its bits are not constants
Unary *i(int n) { return __enzyme_truncate_op_func(square, 64, n); }
// CHECK: formats.c:[[@LINE+1]]:{{[0-9]+}}: error: __enzyme_truncate_mem_value is asked for a format of numbers that there is not: what it is given, or returns, has not so many bits
double j(double x) { return __enzyme_truncate_mem_value(x, 32, 16); }
// CHECK-NOT: error: 'square'
