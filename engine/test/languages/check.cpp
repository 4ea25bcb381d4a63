// Holds the gradient of each function in functions.def, in reverse and in
// forward mode, against differences.
#include <cmath>
#include <cstddef>
#include <cstdio>

#ifndef COUNT
#define COUNT std::size_t
#endif
using Function = double(const double *, COUNT);
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
extern int enzyme_const, enzyme_dup;

namespace {

constexpr std::size_t N = 6;
const double at[N] = {0.3, 1.2, -0.7, 0.9, 0.55, -0.2};
int checks, failures;

/// Differences of order 6: good to some 1e-10 for functions as smooth as these.
double slope(Function *f, std::size_t i) {
  const double weight[] = {45. / 60, -9. / 60, 1. / 60}, h = 1e-3;
  double x[N], sum = 0;
  for (int k = 1; k <= 3; ++k)
    for (int side = -1; side <= 1; side += 2) {
      for (std::size_t j = 0; j < N; ++j)
        x[j] = at[j] + (i == j ? side * k * h : 0);
      sum += side * weight[k - 1] * f(x, N);
    }
  return sum / h;
}

void near(const char *name, const char *mode, std::size_t i, double got,
          double want, double tolerance) {
  ++checks;
  if (std::fabs(got - want) <= tolerance * std::fmax(1, std::fabs(want)))
    return;
  ++failures;
  std::printf("%s: %s mode gives %.12g for entry %zu, expected %.12g\n", name,
              mode, got, i, want);
}

} // namespace

#define CHECK(NAME, TOLERANCE)                                                 \
  extern "C" double NAME(const double *, COUNT);                               \
  static void check_##NAME() {                                                 \
    double g[N] = {};                                                          \
    __enzyme_autodiff<void>((void *)NAME, enzyme_dup, at, g, enzyme_const,     \
                            COUNT(N));                                         \
    for (std::size_t i = 0; i < N; ++i) {                                      \
      double t[N] = {}, want = slope(NAME, i);                                 \
      t[i] = 1;                                                                \
      double along = __enzyme_fwddiff<double>((void *)NAME, enzyme_dup, at, t, \
                                              enzyme_const, COUNT(N));         \
      near(#NAME, "reverse", i, g[i], want, TOLERANCE);                        \
      near(#NAME, "forward", i, along, want, TOLERANCE);                       \
    }                                                                          \
  }
#include "functions.def"
#undef CHECK

int main() {
#define CHECK(NAME, TOLERANCE) check_##NAME();
#include "functions.def"
  std::printf("%d checks, %d failed\n", checks, failures);
  return checks == 0 || failures != 0;
}
