// What the programs share that compute with threads which compare and swap
// words: numbers as words, and a check of a function of N numbers.
#include "../check.h"

template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

constexpr int N = 24;

static uint64_t word(double x) { return __builtin_bit_cast(uint64_t, x); }
static double number(uint64_t w) { return __builtin_bit_cast(double, w); }

/// The gradient of f against differences, and its tangent against the
/// gradient.
template <class F> static void check(F f) {
  double x[N], d[N] = {0}, t[N], along = 0;
  for (int i = 0; i < N; ++i)
    x[i] = 0.7 + 0.025 * ((i * 7) % N), t[i] = 0.1 * (i % 5) - 0.2;
  __enzyme_autodiff<double>((void *)f, enzyme_dup, x, d);
  for (int i = 0; i < N; ++i) {
    double h = 1e-4, at = x[i];
    x[i] = at + h;
    double up = f(x);
    x[i] = at - h;
    double want = (up - f(x)) / (2 * h);
    x[i] = at;
    NEAR(d[i], want, 1e-5);
    along += d[i] * t[i];
  }
  NEAR(__enzyme_fwddiff<double>((void *)f, enzyme_dup, x, t), along, 1e-9);
}
