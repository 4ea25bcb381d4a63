// Error estimates: how much of a result is lost by rounding, and where.
#include "check.h"

#include <cstring>

extern int enzyme_const, enzyme_dup, enzyme_primal_return;
template <typename R, typename... A> R __enzyme_error_estimate(A...);

/// What takes the most digits, as the logger below sees it.
static double greatest_loss;
static char what_loses[16];

/// A program that has a function with this name is told each operation: its
/// result, the bound of its error, and which operation it is.
extern "C" void enzymeLogError(double result, double error,
                               const char *operation) {
  double loss = error / std::fabs(result);
  if (loss <= 4 * greatest_loss)
    return;
  greatest_loss = loss;
  std::strncpy(what_loses, operation, sizeof what_loses - 1);
}

/// Tends to 1/2 for small x; the difference leaves few digits of the cosine.
static double as_written(double x) { return (1 - std::cos(x)) / (x * x); }
/// The same, without a difference.
static double better(double x) {
  double s = std::sin(x / 2) / x;
  return 2 * s * s;
}

/// Values and errors in memory: a mean, and how far each number is from it.
static double centred(const double *x, double *y, int n) {
  double mean = 0;
  for (int i = 0; i < n; ++i)
    mean += x[i] / n;
  for (int i = 0; i < n; ++i)
    y[i] = x[i] - mean;
  return mean;
}

struct ValueAndError {
  double value, error;
};

int main() {
  // Behind each argument is its error: 0 if it is exact.
  double x = 1e-7;
  double bad = __enzyme_error_estimate<double>((void *)as_written, x, 0.0);
  std::printf("%.17g, off by at most %.1e: %s\n", as_written(x), bad,
              what_loses);
  double good = __enzyme_error_estimate<double>((void *)better, x, 0.0);
  std::printf("%.17g, off by at most %.1e\n", better(x), good);
  expect("the bound holds", std::fabs(as_written(x) - 0.5) <= bad, 1);
  expect("and is not much wider", bad <= 0.02, 1);
  expect("what loses the digits", std::strcmp(what_loses, "fsub") == 0, 1);
  expect("nothing is lost without the difference", good <= 1e-15, 1);

  // What was measured has errors of its own.
  const double measured[] = {10.1, 10.4, 9.8}, off[] = {0.05, 0.05, 0.02};
  double y[3], error[3] = {};
  auto mean = __enzyme_error_estimate<ValueAndError>(
      (void *)centred, enzyme_primal_return, enzyme_dup, measured, off,
      enzyme_dup, y, error, enzyme_const, 3);
  expect("the mean", mean.value, 10.1);
  expect("its error", mean.error, 0.04, 1e-12);
  expect("that of a difference", error[2], 0.02 + 0.04, 1e-12);
  return finish();
}
