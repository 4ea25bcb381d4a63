// The Hessians of a chain and of a membrane, as lists of entries, against the
// dense ones. With --time, those with 10^6 entries.
#include "check.h"
#include "timing.h"

#include <cstdint>
#include <cstdlib>

extern int enzyme_const, enzyme_dup, enzyme_dupnoneed;
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
template <typename R, typename... A> R __enzyme_todense(A...);

struct Triple {
  int64_t row, column;
  double value;
};
using Triples = std::vector<Triple>;
using Vector = std::vector<double>;

static double unit(int64_t offset, int64_t i) { return offset / 8 == i; }
static void never(double, int64_t, int64_t) { abort(); }
__attribute__((noinline)) static void append(Triples *t, int64_t row,
                                             int64_t column, double v) {
  t->push_back({row, column, v});
}
static double zero(int64_t, int64_t, Triples *) { return 0; }
static void store(double v, int64_t offset, int64_t column, Triples *t) {
  if (v != 0)
    append(t, offset / 8, column, v);
}

/// Springs between neighbours, one end held.
static double chain(const double *x, int64_t n) {
  double s = std::cosh(x[0]);
  for (int64_t i = 0; i + 1 < n; ++i) {
    const double d = x[i + 1] - x[i];
    s += 0.5 * d * d + 0.25 * d * d * d * d + std::cos(x[i]);
  }
  return s;
}
static void chain_gradient(const double *x, double *g, int64_t n) {
  __enzyme_autodiff<void>((void *)chain, enzyme_dup, x, g, enzyme_const, n);
}

/// The area of a surface over a grid, and a potential.
static double membrane(const double *x, int64_t rows, int64_t columns) {
  double s = 0;
  for (int64_t r = 0; r + 1 < rows; ++r)
    for (int64_t c = 0; c + 1 < columns; ++c) {
      const double u = x[r * columns + c], e = x[r * columns + c + 1] - u,
                   w = x[(r + 1) * columns + c] - u;
      s += std::sqrt(1 + e * e + w * w) + 0.1 * u * u * u;
    }
  return s;
}
static void membrane_gradient(const double *x, double *g, int64_t rows,
                              int64_t columns) {
  __enzyme_autodiff<void>((void *)membrane, enzyme_dup, x, g, enzyme_const,
                          rows, enzyme_const, columns);
}

static Triples chain_hessian(const Vector &x) {
  Triples t;
  const auto n = static_cast<int64_t>(x.size());
  for (int64_t i = 0; i < n; ++i)
    __enzyme_fwddiff<void>(
        (void *)chain_gradient, enzyme_dup, x.data(),
        __enzyme_todense<double *>((void *)unit, (void *)never, i),
        enzyme_dupnoneed, (double *)nullptr,
        __enzyme_todense<double *>((void *)zero, (void *)store, i, &t),
        enzyme_const, n);
  return t;
}

static Triples membrane_hessian(const Vector &x, int64_t rows,
                                int64_t columns) {
  Triples t;
  for (int64_t i = 0; i < rows * columns; ++i)
    __enzyme_fwddiff<void>(
        (void *)membrane_gradient, enzyme_dup, x.data(),
        __enzyme_todense<double *>((void *)unit, (void *)never, i),
        enzyme_dupnoneed, (double *)nullptr,
        __enzyme_todense<double *>((void *)zero, (void *)store, i, &t),
        enzyme_const, rows, enzyme_const, columns);
  return t;
}

static Vector point(int64_t n) {
  Vector x(static_cast<size_t>(n));
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = std::sin(0.7 * static_cast<double>(i)) - 0.1;
  return x;
}

/// Sorted, with the entries at one place summed.
static Triples merged(Triples t) {
  std::sort(t.begin(), t.end(), [](const Triple &a, const Triple &b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  Triples m;
  for (const Triple &e : t)
    if (!m.empty() && m.back().row == e.row && m.back().column == e.column)
      m.back().value += e.value;
    else
      m.push_back(e);
  return m;
}

/// H v from the list against H v by one sweep with dense shadows.
template <typename Gradient, typename... Sizes>
static void verify(const Triples &t, const Vector &x, Gradient *gradient,
                   Sizes... sizes) {
  Vector v(x.size()), g(x.size()), want(x.size()), got(x.size());
  for (size_t i = 0; i < v.size(); ++i)
    v[i] = 1 + std::cos(1.3 * static_cast<double>(i));
  __enzyme_fwddiff<void>((void *)gradient, enzyme_dup, x.data(), v.data(),
                         enzyme_dup, g.data(), want.data(), sizes...);
  for (const Triple &e : t)
    got[static_cast<size_t>(e.row)] +=
        e.value * v[static_cast<size_t>(e.column)];
  for (size_t i = 0; i < v.size(); ++i)
    expect("entry of H v", got[i], want[i]);
}

/// What is timed: all columns, gathered in the list.
template <typename F>
static void report(const char *what, size_t n, F hessian) {
  std::vector<double> times;
  Triples t;
  for (int repetition = 0; repetition < 7; ++repetition)
    times.push_back(seconds([&] { t = hessian(); }));
  std::printf("{\"problem\": \"%s\", \"n\": %zu, \"seconds\": %.4g, "
              "\"triples\": %zu, \"nonzeros\": %zu}\n",
              what, n, median(times), t.size(), merged(t).size());
}

static void run(int64_t n, int64_t rows, int64_t columns, bool timed) {
  const Vector x = point(n), y = point(rows * columns);
  const Triples t = chain_hessian(x), u = membrane_hessian(y, rows, columns);
  verify(t, x, chain_gradient, n);
  verify(u, y, membrane_gradient, rows, columns);
  // Three numbers a row in the chain but for its ends; seven in the membrane
  // but for its edges.
  expect("entries of the chain", static_cast<double>(merged(t).size()),
         static_cast<double>(3 * n - 2), 0);
  expect("entries of the membrane",
         static_cast<double>(merged(u).size()) <
             7 * static_cast<double>(rows * columns),
         1);
  if (!timed)
    return;
  report("chain", x.size(), [&] { return chain_hessian(x); });
  report("membrane", y.size(),
         [&] { return membrane_hessian(y, rows, columns); });
}

int main(int argc, char **argv) {
  run(60, 7, 9, false);
  if (wants_time(argc, argv))
    run(333334, 380, 380, true);
  return finish();
}
