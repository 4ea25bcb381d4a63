// FLAGS: -std=c++20
// Sums, maxima and minima of numbers by way of their words, atomically or by
// compare-and-swap, in code of one thread: each is the operation that it is.
#include "../check.h"

#include <atomic>

template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

constexpr int N = 4;

template <typename To, typename From> static To bits(From x) {
  return __builtin_bit_cast(To, x);
}
static int word(float x) { return bits<int>(x); }
static float number(int w) { return bits<float>(w); }

/// For words, the greatest of negative numbers is the least of them.
static double greatest(const double *x) {
  float m = -0.25f;
  for (int i = 0; i < N; ++i)
    __atomic_fetch_max((int *)&m, word(static_cast<float>(-x[i] * x[i])),
                       __ATOMIC_RELAXED);
  return m * x[0];
}
static double least(const double *x) {
  unsigned long m = bits<unsigned long>(1e3);
  for (int i = 0; i < N; ++i)
    __atomic_fetch_min(&m, bits<unsigned long>(x[i] * x[i]), __ATOMIC_RELAXED);
  return bits<double>(m) * x[0];
}
static double greatest_by_loop(const double *x) {
  int m = 0;
  for (int i = 0; i < N; ++i) {
    float v = static_cast<float>(x[i] * x[i]);
    int old = __atomic_load_n(&m, __ATOMIC_RELAXED);
    while (number(old) < v &&
           !__atomic_compare_exchange_n(&m, &old, word(v), true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
  }
  return number(m) * x[0];
}
static double least_by_loop(const double *x) {
  std::atomic<double> m{100};
  for (int i = 0; i < N; ++i) {
    double v = x[i] * x[i], old = m.load(std::memory_order_relaxed);
    do {
      if (old <= v)
        break;
    } while (!m.compare_exchange_strong(old, v));
  }
  return m.load() * x[1];
}
static double greatest_of_two(const double *x) {
  std::atomic<double> m{0};
  for (int i = 0; i < N; ++i) {
    double old = m.load();
    while (!m.compare_exchange_weak(old, old > x[i] ? old : x[i])) {
    }
  }
  double r = m.load();
  return r * r;
}
static double sum(const double *x) {
  std::atomic<double> s{1};
  for (int i = 0; i < N; ++i) {
    double old = s.load();
    while (!s.compare_exchange_weak(old, old + x[i] * x[i])) {
    }
  }
  double r = s.load();
  return r * r;
}
static double difference(const double *x) {
  uint64_t s = bits<uint64_t>(1.0);
  for (int i = 0; i < N; ++i) {
    uint64_t old = s, seen;
    do {
      seen = old;
      old = __sync_val_compare_and_swap(
          &s, seen, bits<uint64_t>(bits<double>(seen) - x[i] * x[i]));
    } while (old != seen);
  }
  double r = bits<double>(s);
  return r * r;
}
static double product(const double *x) {
  int p = word(1);
  for (int i = 0; i < N; ++i) {
    int old = __atomic_load_n(&p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(
        &p, &old, word(static_cast<float>(x[i]) * number(old)), true,
        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
  }
  return number(p) * x[0];
}

template <class F> static void check(F f, double tolerance) {
  double x[N] = {1.5, 2.5, 0.75, 1.25}, d[N] = {0}, t[N] = {1, -0.5, 2, 0.25};
  __enzyme_autodiff<double>((void *)f, enzyme_dup, x, d);
  double along = 0;
  for (int i = 0; i < N; ++i) {
    double h = 1e-3, up[N], down[N];
    memcpy(up, x, sizeof x), memcpy(down, x, sizeof x);
    up[i] += h, down[i] -= h;
    NEAR(d[i], (f(up) - f(down)) / (2 * h), tolerance);
    along += d[i] * t[i];
  }
  NEAR(__enzyme_fwddiff<double>((void *)f, enzyme_dup, x, t), along, 1e-6);
}

int main() {
  check(greatest, 1e-3);
  check(least, 1e-6);
  check(greatest_by_loop, 1e-3);
  check(least_by_loop, 1e-6);
  check(greatest_of_two, 1e-6);
  check(sum, 1e-6);
  check(difference, 1e-6);
  check(product, 1e-3);
  return finish();
}
