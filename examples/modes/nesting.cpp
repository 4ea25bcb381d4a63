// Derivatives of derivatives: a request inside what another one differentiates.
#include "check.h"

extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_dupv, enzyme_out,
    enzyme_width;
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

constexpr int N = 3;

static double f(const double *x) {
  return std::exp(x[0] * x[1]) + x[2] * x[2] * x[2] * x[0];
}
static double hessian(const double *x, int i, int j) {
  const double e = std::exp(x[0] * x[1]);
  const double h[3][3] = {
      {x[1] * x[1] * e, (1 + x[0] * x[1]) * e, 3 * x[2] * x[2]},
      {(1 + x[0] * x[1]) * e, x[0] * x[0] * e, 0},
      {3 * x[2] * x[2], 0, 6 * x[2] * x[0]}};
  return h[i][j];
}

/// g += grad f(x)
static void gradient(const double *x, double *g) {
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, g);
}
/// grad f(x) . v by reverse mode, and by forward mode
static double slope(const double *x, const double *v) {
  double g[N] = {}, s = 0;
  gradient(x, g);
  for (int i = 0; i < N; ++i)
    s += g[i] * v[i];
  return s;
}
static double tangent(const double *x, const double *v) {
  return __enzyme_fwddiff<double>((void *)f, enzyme_dup, x, v);
}

int main() {
  const double x[N] = {0.7, -0.4, 1.2}, v[N] = {1, -0.5, 2};
  double product[N] = {}, quadratic = 0;
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j)
      product[i] += hessian(x, i, j) * v[j];
    quadratic += v[i] * product[i];
  }

  // Forward over reverse: the cheap Hessian-vector product.
  double g[N] = {}, hv[N] = {};
  __enzyme_fwddiff<void>((void *)gradient, enzyme_dup, x, v, enzyme_dupnoneed,
                         g, hv);
  // Reverse over reverse, and reverse over forward.
  double rr[N] = {}, rf[N] = {};
  __enzyme_autodiff<void>((void *)slope, enzyme_dup, x, rr, enzyme_const, v);
  __enzyme_autodiff<void>((void *)tangent, enzyme_dup, x, rf, enzyme_const, v);
  for (int i = 0; i < N; ++i) {
    expect("forward over reverse", hv[i], product[i]);
    expect("reverse over reverse", rr[i], product[i]);
    expect("reverse over forward", rf[i], product[i]);
  }
  // Forward over forward: the second derivative along v.
  expect("forward over forward",
         __enzyme_fwddiff<double>((void *)tangent, enzyme_dup, x, v,
                                  enzyme_const, v),
         quadratic);

  // Vector over reverse: the whole Hessian in one call.
  const double unit[N][N] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double H[N][N] = {};
  __enzyme_fwddiff<void>((void *)gradient, enzyme_width, N, enzyme_dupv,
                         sizeof unit[0], x, unit, enzyme_dupv, sizeof H[0], g,
                         H);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      expect("vector over reverse", H[i][j], hessian(x, i, j));
  return finish();
}
