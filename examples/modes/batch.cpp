// Batch mode: several evaluations of a function in one call.
#include "check.h"

extern int enzyme_buffer, enzyme_dup, enzyme_scalar, enzyme_vector,
    enzyme_width;
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_batch(A...);

/// x such that x + a sin(x) = y, by Newton's method: the number of iterations
/// differs from one evaluation to another.
static double solve(double y, const double *a) {
  double x = y;
  for (int i = 0; i < 50; ++i) {
    double residual = x + a[0] * std::sin(x) - y;
    if (std::fabs(residual) < 1e-14)
      break;
    x -= residual / (1 + a[0] * std::cos(x));
  }
  return x;
}

struct Three {
  double lane[3];
};

/// The batch is part of what is differentiated.
static double sum_of_squares(const double *y, const double *a) {
  auto x = __enzyme_batch<Three>((void *)solve, enzyme_width, 3, enzyme_buffer,
                                 sizeof *y, y, enzyme_scalar, a);
  double s = 0;
  for (double v : x.lane)
    s += v * v;
  return s;
}

int main() {
  const double a[3] = {0.5, -0.3, 0.8}, y[3] = {0.3, 1.9, -4};

  // A value a lane of the first argument, one pointer for all of the second.
  auto one =
      __enzyme_batch<Three>((void *)solve, enzyme_width, 3, enzyme_vector, y[0],
                            y[1], y[2], enzyme_scalar, a);
  // The first from an array; a pointer a lane for the second.
  auto own =
      __enzyme_batch<Three>((void *)solve, enzyme_width, 3, enzyme_buffer,
                            sizeof y[0], y, enzyme_vector, a, a + 1, a + 2);
  for (int k = 0; k < 3; ++k) {
    expect("one", one.lane[k], solve(y[k], a), 0);
    expect("own", own.lane[k], solve(y[k], a + k), 0);
    expect("own", own.lane[k] + a[k] * std::sin(own.lane[k]), y[k]);
  }

  // dx/dy = 1 / (1 + a cos x), dx/da = -sin x / (1 + a cos x).
  double dy[3] = {}, da[3] = {}, want = 0;
  __enzyme_autodiff<void>((void *)sum_of_squares, enzyme_dup, y, dy, enzyme_dup,
                          a, da);
  for (int k = 0; k < 3; ++k) {
    const double x = one.lane[k], slope = 1 + a[0] * std::cos(x);
    expect("dy", dy[k], 2 * x / slope, 1e-9);
    want -= 2 * x * std::sin(x) / slope;
  }
  expect("da", da[0], want, 1e-9);
  return finish();
}
