// FLAGS: -std=c++20 -fopenmp
// Threads that add to a number, look for the greatest or the least, or
// multiply, by compare-and-swap on its words.
#include "swaps.h"

static bool swap(uint64_t *at, uint64_t *old, uint64_t next) {
  return __atomic_compare_exchange_n(at, old, next, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}

static double sum(const double *x) {
  uint64_t s = word(0);
#pragma omp parallel for
  for (int i = 0; i < N; ++i) {
    uint64_t old = __atomic_load_n(&s, __ATOMIC_RELAXED);
    while (!swap(&s, &old, word(number(old) + x[i] * x[i]))) {
    }
  }
  return number(s) * number(s);
}
static double greatest(const double *x) {
  uint64_t m = word(0);
#pragma omp parallel for
  for (int i = 0; i < N; ++i) {
    double v = x[i] * x[i];
    uint64_t old = __atomic_load_n(&m, __ATOMIC_RELAXED);
    while (number(old) < v && !swap(&m, &old, word(v))) {
    }
  }
  return number(m) * x[0];
}
static double least(const double *x) {
  uint64_t m = word(1e3);
#pragma omp parallel for
  for (int i = 0; i < N; ++i)
    __atomic_fetch_min(&m, word(x[i] * x[i]), __ATOMIC_RELAXED);
  return number(m) * x[0];
}
static double product(const double *x) {
  uint64_t p = word(1);
#pragma omp parallel for
  for (int i = 0; i < N; ++i) {
    uint64_t old = __atomic_load_n(&p, __ATOMIC_RELAXED);
    while (!swap(&p, &old, word(number(old) * x[i]))) {
    }
  }
  return number(p) * x[0];
}

int main() {
  check(sum);
  check(greatest);
  check(least);
  check(product);
  return finish();
}
