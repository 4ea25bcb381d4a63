// Sparse accumulation: a Hessian as a list of its entries.
#include "check.h"

#include <cstdint>
#include <cstdlib>
#include <vector>

extern int enzyme_const, enzyme_dup, enzyme_dupnoneed;
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
template <typename R, typename... A> R __enzyme_todense(A...);

struct Triple {
  int64_t row, column;
  double value;
};
using Triples = std::vector<Triple>;

/// The direction: one at number i, zero elsewhere. Nobody writes to it.
static double unit(int64_t offset, int64_t i) { return offset / 8 == i; }
static void never(double, int64_t, int64_t) { abort(); }

/// The result: what is stored and is not zero becomes an entry of the list;
/// what is read is zero, so entries at the same place are to be summed.
__attribute__((noinline)) static void append(Triples *t, int64_t row,
                                             int64_t column, double v) {
  t->push_back({row, column, v});
}
static double zero(int64_t, int64_t, Triples *) { return 0; }
static void store(double v, int64_t offset, int64_t column, Triples *t) {
  if (v != 0)
    append(t, offset / 8, column, v);
}

/// A chain of springs, n numbers.
static double chain(const double *x, int64_t n) {
  double s = std::cosh(x[0]);
  for (int64_t i = 0; i + 1 < n; ++i) {
    const double d = x[i + 1] - x[i];
    s += 0.5 * d * d + 0.25 * d * d * d * d + std::cos(x[i]);
  }
  return s;
}
static void gradient(const double *x, double *g, int64_t n) {
  __enzyme_autodiff<void>((void *)chain, enzyme_dup, x, g, enzyme_const, n);
}

static Triples hessian(const double *x, int64_t n) {
  Triples t;
  for (int64_t i = 0; i < n; ++i)
    __enzyme_fwddiff<void>(
        (void *)gradient, enzyme_dup, x,
        __enzyme_todense<double *>((void *)unit, (void *)never, i),
        enzyme_dupnoneed, (double *)nullptr,
        __enzyme_todense<double *>((void *)zero, (void *)store, i, &t),
        enzyme_const, n);
  return t;
}

int main() {
  constexpr int n = 40;
  double x[n], dense[n][n] = {};
  for (int i = 0; i < n; ++i)
    x[i] = std::sin(0.7 * i);
  const Triples t = hessian(x, n);
  for (const Triple &e : t)
    dense[e.row][e.column] += e.value;
  expect("few entries", t.size() <= 4 * n, 1);

  // The stiffness of spring i, which is between numbers i and i + 1.
  const auto k = [&](int i) {
    return i < 0 || i > n - 2 ? 0 : 1 + 3 * std::pow(x[i + 1] - x[i], 2);
  };
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c)
      expect("entry", dense[r][c],
             r == c       ? k(r - 1) + k(r) - (r < n - 1 ? std::cos(x[r]) : 0) +
                                (r == 0 ? std::cosh(x[0]) : 0)
             : r == c + 1 ? -k(c)
             : c == r + 1 ? -k(r)
                          : 0);
  return finish();
}
