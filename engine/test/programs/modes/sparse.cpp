// Sparse accumulation: Hessians and Jacobians gathered as triples, which are
// those that dense shadows give.
#include "../check.h"

#include <vector>

MARKERS(enzyme_dupnoneed, enzyme_width);
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
template <typename R, typename... A> R __enzyme_todense(A...);

struct Triple {
  int64_t row, column;
  double value;
};
using Triples = std::vector<Triple>;

/// The tangent that is one at number i and zero elsewhere.
static double unit(int64_t offset, int64_t i) { return offset / 8 == i; }
static void never(double, int64_t, int64_t) { abort(); }
/// What is stored is a new triple; what was stored is never read again.
static double nothing(int64_t, int64_t, Triples *) { return 0; }
NOINLINE static void put(Triples *t, int64_t row, int64_t column, double v) {
  t->push_back({row, column, v});
}
static void store(double v, int64_t offset, int64_t column, Triples *t) {
  if (v != 0)
    put(t, offset / 8, column, v);
}

static std::vector<double> dense(const Triples &t, int n) {
  std::vector<double> m((size_t)(n * n));
  for (const Triple &e : t)
    m[(size_t)(e.row * n + e.column)] += e.value;
  return m;
}

/// A chain of springs, one end clamped: loops over neighbours.
static double chain(const double *x, int64_t n) {
  double s = cosh(x[0]);
  for (int64_t i = 0; i + 1 < n; ++i) {
    double d = x[i + 1] - x[i];
    s += 0.5 * d * d + 0.25 * d * d * d * d + cos(x[i]);
  }
  return s;
}
static void chain_gradient(const double *x, double *g, int64_t n) {
  __enzyme_autodiff<void>((void *)chain, enzyme_dup, x, g, enzyme_const, n);
}

/// A membrane: nested loops over a grid.
static double membrane(const double *x, int64_t rows, int64_t columns) {
  double s = 0;
  for (int64_t r = 0; r + 1 < rows; ++r)
    for (int64_t c = 0; c + 1 < columns; ++c) {
      double u = x[r * columns + c], e = x[r * columns + c + 1] - u,
             w = x[(r + 1) * columns + c] - u;
      s += sqrt(1 + e * e + w * w) + 0.1 * u * u * u;
    }
  return s;
}
static void membrane_gradient(const double *x, double *g, int64_t rows,
                              int64_t columns) {
  __enzyme_autodiff<void>((void *)membrane, enzyme_dup, x, g, enzyme_const,
                          rows, enzyme_const, columns);
}

/// A residual whose stencil wraps around, with a branch.
static void residual(const double *x, double *y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    double l = x[i == 0 ? n - 1 : i - 1];
    y[i] = x[i] > 0 ? x[i] * x[i] - l : exp(x[i]) * l;
  }
}

static std::vector<double> point(int n) {
  std::vector<double> x((size_t)n);
  for (int i = 0; i < n; ++i)
    x[(size_t)i] = sin(0.7 * i) - 0.1;
  return x;
}

static void same(const Triples &t, const std::vector<double> &want, int n,
                 size_t most) {
  std::vector<double> m = dense(t, n);
  for (size_t i = 0; i < want.size(); ++i)
    NEAR(m[i], want[i], 1e-12);
  NEAR(t.size() > 0 && t.size() <= most, 1, 0);
}

static void hessians() {
  const int n = 12;
  std::vector<double> x = point(n), g(n), want(n * n);
  Triples t, u;
  for (int64_t i = 0; i < n; ++i) {
    std::vector<double> v(n), h(n);
    v[(size_t)i] = 1;
    __enzyme_fwddiff<void>((void *)chain_gradient, enzyme_dup, x.data(),
                           v.data(), enzyme_dup, g.data(), h.data(),
                           enzyme_const, (int64_t)n);
    for (int64_t r = 0; r < n; ++r)
      want[(size_t)(r * n + i)] = h[(size_t)r];
    __enzyme_fwddiff<void>(
        (void *)chain_gradient, enzyme_dup, x.data(),
        __enzyme_todense<double *>((void *)unit, (void *)never, i),
        enzyme_dupnoneed, (double *)nullptr,
        __enzyme_todense<double *>((void *)nothing, (void *)store, i, &t),
        enzyme_const, (int64_t)n);
  }
  same(t, want, n, 4 * n);
  std::fill(want.begin(), want.end(), 0);
  for (int64_t i = 0; i < n; ++i) {
    std::vector<double> v(n), h(n);
    v[(size_t)i] = 1;
    __enzyme_fwddiff<void>((void *)membrane_gradient, enzyme_dup, x.data(),
                           v.data(), enzyme_dup, g.data(), h.data(),
                           enzyme_const, (int64_t)3, enzyme_const, (int64_t)4);
    for (int64_t r = 0; r < n; ++r)
      want[(size_t)(r * n + i)] = h[(size_t)r];
    __enzyme_fwddiff<void>(
        (void *)membrane_gradient, enzyme_dup, x.data(),
        __enzyme_todense<double *>((void *)unit, (void *)never, i),
        enzyme_dupnoneed, (double *)nullptr,
        __enzyme_todense<double *>((void *)nothing, (void *)store, i, &u),
        enzyme_const, (int64_t)3, enzyme_const, (int64_t)4);
  }
  same(u, want, n, 9 * n);
}

static void jacobian() {
  const int n = 10;
  std::vector<double> x = point(n), y(n), want(n * n);
  Triples t;
  for (int64_t i = 0; i < n; ++i) {
    std::vector<double> v(n), h(n);
    v[(size_t)i] = 1;
    __enzyme_fwddiff<void>((void *)residual, enzyme_dup, x.data(), v.data(),
                           enzyme_dup, y.data(), h.data(), enzyme_const,
                           (int64_t)n);
    for (int64_t r = 0; r < n; ++r)
      want[(size_t)(r * n + i)] = h[(size_t)r];
    __enzyme_fwddiff<void>(
        (void *)residual, enzyme_dup, x.data(),
        __enzyme_todense<double *>((void *)unit, (void *)never, i),
        enzyme_dupnoneed, y.data(),
        __enzyme_todense<double *>((void *)nothing, (void *)store, i, &t),
        enzyme_const, (int64_t)n);
  }
  same(t, want, n, 2 * n);
  // By rows, in reverse: the shadow of x gathers, that of y is a seed.
  Triples rows;
  for (int64_t i = 0; i < n; ++i) {
    std::vector<double> seed(n);
    seed[(size_t)i] = 1;
    __enzyme_autodiff<void>(
        (void *)residual, enzyme_dup, x.data(),
        __enzyme_todense<double *>((void *)nothing, (void *)store, i, &rows),
        enzyme_dup, y.data(), seed.data(), enzyme_const, (int64_t)n);
  }
  for (Triple &e : rows)
    std::swap(e.row, e.column);
  same(rows, want, n, 2 * n);
}

int main() {
  hessians();
  jacobian();
  return finish();
}
