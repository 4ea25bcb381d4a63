// Reverse mode: one call gives the gradient with respect to all inputs.
#include "check.h"

extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out,
    enzyme_primal_return;
template <typename R, typename... A> R __enzyme_autodiff(A...);

/// The energy of two charges a distance x - y apart, in a field.
static double energy(double x, double y, double charge) {
  return charge / (x - y) + 0.5 * x * x + 0.3 * y;
}

/// A polynomial at n points: the results are in memory.
static void evaluate(const double *c, int degree, const double *t, double *y,
                     int n) {
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int k = degree; k >= 0; --k)
      s = s * t[i] + c[k];
    y[i] = s;
  }
}

struct Gradient {
  double x, y;
};
struct ValueAndGradient {
  double value, x, y;
};

int main() {
  // Arguments by value: enzyme_out. Their derivatives are returned.
  const double x = 1.7, y = 0.4, q = 0.9, r = q / ((x - y) * (x - y));
  auto g = __enzyme_autodiff<Gradient>((void *)energy, enzyme_out, x,
                                       enzyme_out, y, enzyme_const, q);
  expect("dE/dx", g.x, -r + x);
  expect("dE/dy", g.y, r + 0.3);

  // The value as well: first in what is returned.
  auto v = __enzyme_autodiff<ValueAndGradient>(
      (void *)energy, enzyme_primal_return, enzyme_out, x, enzyme_out, y,
      enzyme_const, q);
  expect("E", v.value, energy(x, y, q));
  expect("dE/dx", v.x, -r + x);
  expect("dE/dy", v.y, r + 0.3);

  // Memory: enzyme_dup, then the pointer and its shadow. The shadow of a
  // result holds its weights; that of an input receives the sums.
  const double c[3] = {1, -2, 0.5}, t[4] = {0.1, 0.5, -0.3, 2};
  double dc[3] = {}, out[4], weights[4] = {1, 2, 0, -1};
  __enzyme_autodiff<void>((void *)evaluate, enzyme_dup, c, dc, enzyme_const, 2,
                          enzyme_const, t, enzyme_dupnoneed, out, weights,
                          enzyme_const, 4);
  const double w[4] = {1, 2, 0, -1};
  for (int k = 0; k < 3; ++k) {
    double want = 0;
    for (int i = 0; i < 4; ++i)
      want += w[i] * std::pow(t[i], k);
    expect("dc", dc[k], want);
  }
  for (double used : weights)
    expect("weights, used up", used, 0);
  return finish();
}
