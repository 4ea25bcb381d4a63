// A loop that compares and swaps where the place holds less than a number is
// that place's maximum, if what it asks about first is what the place holds: of
// an older look, or of a guess, it may not swap at all. Nor is there a
// derivative of a try that does not end with the swap.
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

static double guessed(const double *x) {
  uint64_t m = word(x[0]);
  for (int i = 0; i < 4; ++i) {
    uint64_t old = word(5.0);
    while (number(old) < x[i] && !swap(&m, &old, word(x[i])))
      ;
  }
  return number(m) * x[0];
}

static double older(const double *x) {
  uint64_t m = word(0);
  for (int i = 0; i < 4; ++i) {
    uint64_t old = __atomic_load_n(&m, __ATOMIC_RELAXED);
    m = word(0.25 * x[i]);
    while (number(old) < x[i] && !swap(&m, &old, word(x[i])))
      ;
  }
  return number(m) * x[0];
}

static double older_product(const double *x) {
  uint64_t m = word(1);
  for (int i = 0; i < 4; ++i) {
    uint64_t old = m;
    m = word(number(old) * 0.5 + x[i]);
    while (!swap(&m, &old, word(number(old) * x[i])))
      ;
  }
  return number(m) * x[0];
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
  // CHECK: the derivative of 'guessed' is requested
  __enzyme_autodiff((void *)guessed, enzyme_dup, x, d);
  // CHECK: error: atomic operations of this kind on active values are not supported [retro-atomic]
  // CHECK: the derivative of 'older' is requested
  __enzyme_autodiff((void *)older, enzyme_dup, x, d);
  // CHECK: error: atomic operations of this kind on active values are not supported [retro-atomic]
  // CHECK: the derivative of 'older_product' is requested
  __enzyme_autodiff((void *)older_product, enzyme_dup, x, d);
  // CHECK: error: atomic operations of this kind on active values are not supported [retro-atomic]
  // CHECK: the derivative of 'twice' is requested
  __enzyme_autodiff((void *)twice, enzyme_dup, x, d);
}
