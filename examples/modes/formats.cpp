// Would float do? The same function in another format of numbers.
#include "check.h"

template <typename F> F *__enzyme_truncate_op_func(F *, int, int);
template <typename F> F *__enzyme_truncate_mem_func(F *, int, int);
double __enzyme_truncate_mem_value(double, int, int);
double __enzyme_expand_mem_value(double, int, int);

/// The variance, in one pass.
static double one_pass(const double *x, int n) {
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[i];
    squares += x[i] * x[i];
  }
  return (squares - sum * sum / n) / (n - 1);
}
/// And in two.
static double two_passes(const double *x, int n) {
  double mean = 0, squares = 0;
  for (int i = 0; i < n; ++i)
    mean += x[i] / n;
  for (int i = 0; i < n; ++i)
    squares += (x[i] - mean) * (x[i] - mean);
  return squares / (n - 1);
}

int main() {
  const double x[4] = {1000.25, 1000.5, 1001, 1001.25};
  const double exact = two_passes(x, 4);

  // Each operation in float; numbers in memory stay double.
  auto bad = __enzyme_truncate_op_func(one_pass, 64, 32);
  auto good = __enzyme_truncate_op_func(two_passes, 64, 32);
  std::printf("%.6f, in float %.6f and %.6f\n", exact, bad(x, 4), good(x, 4));
  expect("the second way", good(x, 4), exact, 1e-5);
  expect("the first way is off", std::fabs(bad(x, 4) - exact) > 0.02, 1);

  // Numbers in memory are float, too: the caller says so of its own.
  double narrow[4];
  for (int i = 0; i < 4; ++i)
    narrow[i] = __enzyme_truncate_mem_value(x[i], 64, 32);
  double result = __enzyme_truncate_mem_func(two_passes, 64, 32)(narrow, 4);
  expect("in memory", __enzyme_expand_mem_value(result, 64, 32), good(x, 4), 0);
  return finish();
}
