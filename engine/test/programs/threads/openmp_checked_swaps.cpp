// FLAGS: -std=c++20 -fopenmp
// Loops of compare-and-swap with assertions in them, and the checks of
// sanitizers: these are no ways through, and the loops are what they were.
#include "swaps.h"

#include <assert.h>
#include <atomic>

static bool swap(uint64_t *at, uint64_t *old, uint64_t next) {
  return __atomic_compare_exchange_n(at, old, next, true, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

/// The first look is a plain load.
__attribute__((noinline)) static void multiply(uint64_t *p, double v) {
  uint64_t old = *p;
  while (!swap(p, &old, word(number(old) * v))) {
  }
}
static double product(const double *x) {
  uint64_t p = word(x[1]);
  for (int i = 0; i < N; ++i)
    multiply(&p, x[i]);
  return number(p) * x[0];
}
/// What is asserted depends on what the place holds.
static double positive_product(const double *x) {
  std::atomic<double> p{1};
#pragma omp parallel for
  for (int i = 0; i < N; ++i) {
    double old = p.load(), next;
    do {
      assert(x[i] > 0);
      next = old * x[i];
      assert(next > 0);
    } while (!p.compare_exchange_weak(old, next));
  }
  return p.load() * x[0];
}
/// Between the question whether to swap and the swap.
static void raise(uint64_t *m, double v) {
  uint64_t old = __atomic_load_n(m, __ATOMIC_RELAXED);
  while (number(old) < v) {
    assert(v > 0);
    if (swap(m, &old, word(v)))
      break;
  }
}
static double greatest(const double *x) {
  uint64_t m = word(0);
#pragma omp parallel for
  for (int i = 0; i < N; ++i)
    raise(&m, x[i] * x[i]);
  return number(m) * x[0];
}
/// What is expected first is a guess, which the place need not hold.
static double guessed(const double *x) {
  double m = 0.5;
#pragma omp parallel for
  for (int i = 0; i < N; ++i) {
    double v = x[i] * x[i], old = 0.5;
    while (old < v && !swap((uint64_t *)&m, (uint64_t *)&old,
                            __builtin_bit_cast(uint64_t, v)))
      ;
  }
  return m * x[0];
}
/// What is expected first was there before.
static double older_product(const double *x) {
  uint64_t m = word(1);
  for (int i = 0; i < N; ++i) {
    uint64_t old = m;
    m = word(number(old) * 0.5 + x[i]);
    while (!swap(&m, &old, word(number(old) * 0.5 * x[i])))
      ;
  }
  return number(m) * x[0];
}
/// Before the loop, where it is worth while.
static int raised;
static double counted(const double *x) {
  double m = 0, y = 1;
  raised = 0;
  for (int i = 0; i < N; ++i) {
    double v = x[i] * x[i], old = m;
    if (old < v) {
      ++raised;
      y *= x[i];
      do {
      } while (old < v && !swap((uint64_t *)&m, (uint64_t *)&old,
                                __builtin_bit_cast(uint64_t, v)));
    }
  }
  return m * y;
}
/// Sums at whose intermediate values nobody looks, of one thread.
static double sum(const double *x) {
  double s = 1;
  for (int i = 0; i < N; ++i)
    __atomic_fetch_add(&s, x[i] * x[i], __ATOMIC_RELAXED);
  for (int i = 0; i < N; ++i)
    __atomic_fetch_sub(&s, x[i] * x[0], __ATOMIC_RELAXED);
  return s * s;
}

int main() {
  check(product);
  check(positive_product);
  check(greatest);
  check(guessed);
  check(older_product);
  check(counted);
  int in_derivative = raised;
  double x[N];
  for (int i = 0; i < N; ++i)
    x[i] = 0.7 + 0.025 * ((i * 7) % N);
  counted(x);
  NEAR(in_derivative, raised, 0);
  check(sum);
  return finish();
}
