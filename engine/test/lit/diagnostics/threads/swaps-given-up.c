// There is no derivative of tries to compare and swap that do not end with the
// swap.
// RUN: not %retro-clang -O0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -fsanitize=undefined -c %s -o %t.o 2>&1 | FileCheck %s
#include "request.h"

#include <stdint.h>
#include <string.h>

static double number(uint64_t w) {
  double x;
  memcpy(&x, &w, 8);
  return x;
}
static uint64_t word(double x) {
  uint64_t w;
  memcpy(&w, &x, 8);
  return w;
}
static int swap(uint64_t *at, uint64_t *old, uint64_t next) {
  return __atomic_compare_exchange_n(at, old, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static double twice(const double *x) {
  uint64_t m = word(1);
  for (int i = 0; i < 4; ++i) {
    uint64_t old = m;
    for (int k = 0; k < 2; ++k)
      swap(&m, &old, word(number(old) * x[i]));
  }
  return number(m) * x[0];
}

void all(double *x, double *d) {
  // CHECK: error: atomic operations of this kind on active values are not supported [retro-atomic]
  // CHECK: the derivative of 'twice' is requested
  __enzyme_autodiff((void *)twice, enzyme_dup, x, d);
}
