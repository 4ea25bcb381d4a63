// NOT-SANITIZED: instrumented code compares the addresses of sparse shadows
// Rings of springs, whose ends meet: Hessians as triples, of an argument that
// is no memory either, or whose index is a remainder; shadows are kept in
// variables, made by functions, and given to functions that make the request.
#include "../check.h"

#include <vector>

MARKERS(enzyme_dupnoneed);
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
template <typename R, typename... A> R __enzyme_todense(A...);

struct Triple {
  size_t row, column;
  double value;
};
using Triples = std::vector<Triple>;

static double column_of(size_t offset, size_t i, size_t n) {
  return offset / sizeof(double) % n == i;
}
static void never(double, size_t, size_t, size_t) { abort(); }
static double nothing(size_t, size_t, size_t, Triples &) { return 0; }
__attribute__((enzyme_sparse_accumulate)) static void
put(size_t row, size_t column, size_t n, double v, Triples &t) {
  t.push_back({row % n, column % n, v});
}
static void store(double v, size_t offset, size_t i, size_t n, Triples &t) {
  if (v == 0.0)
    return;
  put(i, offset / sizeof(double), n, v, t);
}
/// What is read of the argument itself.
static double around(size_t offset, const double *x, size_t n) {
  return x[offset / sizeof(double) % n];
}
static void unwritten(double, size_t, const double *, size_t) { abort(); }

/// Springs between neighbours, with a length at rest, of Stiffness. Next is the
/// number of the point behind another.
template <int D, class Next>
static double energy(const double *x, const double *stiffness, size_t n) {
  double e = 0;
  for (size_t i = 0; i < n; ++i) {
    double square = 0;
    for (int k = 0; k < D; ++k) {
      const double d = x[Next::of(D * i + D + k, D * n)] - x[D * i + k];
      square += d * d;
    }
    const double longer = sqrt(square) - 1;
    e += stiffness[i] * longer * longer;
  }
  return e;
}
struct Behind {
  static size_t of(size_t k, size_t) { return k; }
};
struct Remainder {
  static size_t of(size_t k, size_t n) { return k % n; }
};
struct Choice {
  static size_t of(size_t k, size_t n) { return k < n ? k : k - n; }
};

template <int D, class Next>
static void gradient(const double *x, double *g, const double *stiffness,
                     size_t n) {
  __enzyme_autodiff<void>((void *)energy<D, Next>, enzyme_dup, x, g,
                          enzyme_const, stiffness, enzyme_const, n);
}

/// Shadows in variables. The argument is what it is, or no memory.
template <int D, class Next>
static Triples hessian(const double *x, const double *stiffness, size_t n) {
  Triples t;
  for (size_t i = 0; i < n * D; ++i) {
    double *v =
        __enzyme_todense<double *>((void *)column_of, (void *)never, i, n * D);
    double *h = __enzyme_todense<double *>((void *)nothing, (void *)store, i,
                                           n * D, &t);
    __enzyme_fwddiff<void>((void *)gradient<D, Next>, enzyme_dup, x, v,
                           enzyme_dupnoneed, (double *)1, h, enzyme_const,
                           stiffness, enzyme_const, n);
  }
  return t;
}
template <int D>
static Triples hessian_around(const double *x, const double *stiffness,
                              size_t n) {
  x = __enzyme_todense<const double *>((void *)around, (void *)unwritten, x,
                                       n * D);
  return hessian<D, Behind>(x, stiffness, n);
}

/// Functions make the shadows, one that others could call, too; another makes
/// the request.
double *direction(size_t i, size_t n) {
  return __enzyme_todense<double *>((void *)column_of, (void *)never, i, n);
}
static double *into(size_t i, size_t n, Triples &t) {
  return __enzyme_todense<double *>((void *)nothing, (void *)store, i, n, &t);
}
NOINLINE static void derive(const double *x, double *v, double *h,
                            const double *stiffness, size_t n) {
  __enzyme_fwddiff<void>((void *)gradient<2, Choice>, enzyme_dup, x, v,
                         enzyme_dupnoneed, (double *)nullptr, h, enzyme_const,
                         stiffness, enzyme_const, n);
}
static Triples hessian_by_functions(const double *x, const double *stiffness,
                                    size_t n) {
  Triples t;
  for (size_t i = 0; i < 2 * n; ++i) {
    double *v = direction(i, 2 * n), *h = into(i, 2 * n, t);
    derive(x, v, h, stiffness, n);
  }
  return t;
}

template <int D>
static void check(const char *what, const Triples &t, const double *x,
                  const double *stiffness, size_t n) {
  const size_t m = n * D;
  std::vector<double> got(m * m);
  for (const Triple &e : t)
    got[e.row * m + e.column] += e.value;
  for (size_t i = 0; i < m; ++i) {
    std::vector<double> v(m), g(m), h(m);
    v[i] = 1;
    __enzyme_fwddiff<void>((void *)gradient<D, Remainder>, enzyme_dup, x,
                           v.data(), enzyme_dup, g.data(), h.data(),
                           enzyme_const, stiffness, enzyme_const, n);
    for (size_t j = 0; j < m; ++j)
      near_at(__LINE__, what, got[i * m + j], h[j], 1e-11);
  }
  NEAR(t.size() <= m * D * 4, 1, 0);
}

template <int D> static void rings(size_t n) {
  std::vector<double> x(n * D), stiffness(n);
  for (size_t i = 0; i < n * D; ++i)
    x[i] = sin(1.7 * (double)i) + 0.3 * (double)i;
  for (size_t i = 0; i < n; ++i)
    stiffness[i] = 1 + 0.5 * (double)i;
  const double *at = x.data(), *k = stiffness.data();
  check<D>("behind", hessian_around<D>(at, k, n), at, k, n);
  check<D>("remainder", hessian<D, Remainder>(at, k, n), at, k, n);
  check<D>("choice", hessian<D, Choice>(at, k, n), at, k, n);
}

int main() {
  for (size_t n : {3, 4, 7}) {
    rings<1>(n);
    rings<2>(n);
    rings<3>(n);
  }
  const double x[] = {0.1, 0.7, 1.9, 0.3, 2.2, -1}, k[] = {1, 2, 3};
  check<2>("functions", hessian_by_functions(x, k, 3), x, k, 3);
  return finish();
}
