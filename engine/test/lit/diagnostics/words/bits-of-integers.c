// Functions of integers take the bits of an active number apart: they are no
// constants. The largest and the smallest of integers are choices, which are in
// the program choices_of_bits.cpp.
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"
#include <stdint.h>

static int64_t bits(double x) {
  int64_t b;
  __builtin_memcpy(&b, &x, 8);
  return b;
}
static double number(int64_t b) {
  double x;
  __builtin_memcpy(&x, &b, 8);
  return x;
}
#define REFUSED(NAME, EXPRESSION)                                              \
  static double NAME(double *x) { return number(EXPRESSION) * x[1]; }          \
  double r_##NAME(double *x, double *dx) { return __enzyme_autodiff((void *)NAME, x, dx); }

// CHECK: 'llvm.abs.i64'{{.*}}[retro-bit-arithmetic]
REFUSED(absolute, __builtin_elementwise_abs(bits(x[0])))
// CHECK: 'llvm.bswap.i64'{{.*}}[retro-bit-arithmetic]
REFUSED(swapped, __builtin_bswap64(bits(x[0])))
// CHECK: 'llvm.fshl.i64'{{.*}}[retro-bit-arithmetic]
REFUSED(turned, __builtin_rotateleft64(bits(x[0]), 1))
// CHECK: 'llvm.sadd.sat.i64'{{.*}}[retro-bit-arithmetic]
REFUSED(next, __builtin_elementwise_add_sat(bits(x[0]), (int64_t)1))
// CHECK: 'llvm.bitreverse.i64'{{.*}}[retro-bit-arithmetic]
REFUSED(mirrored, __builtin_bitreverse64(bits(x[0])))
// CHECK: 'llvm.ctpop.i64'{{.*}}[retro-bit-arithmetic]
REFUSED(counted, __builtin_popcountll(bits(x[0])))
// CHECK: 'llvm.smax.i64'{{.*}}[retro-bit-arithmetic]
REFUSED(computed, __builtin_elementwise_max(bits(x[0]) * 3, bits(x[2])))
