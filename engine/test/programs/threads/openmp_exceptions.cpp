// FLAGS: -fopenmp
// Exceptions that are thrown and caught in a parallel region.
#include "../check.h"
#include <stdexcept>
#include <vector>

template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

static NOINLINE double root(double x) {
  if (x < 0)
    throw std::domain_error("negative");
  return sqrt(x);
}

static double sum(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) {
    try {
      s += root(x[i]) * x[i];
    } catch (const std::domain_error &) {
      s += 3 * x[i] * x[i];
    }
  }
  return s;
}

/// Each thread has objects on the heap when it catches.
static double rows(const double *x, int n) {
  std::vector<double> out(n);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double s = x[i];
    for (int k = 0; k < n; ++k)
      try {
        std::vector<double> own(3, x[k]);
        s += root(own[k % 3] - 0.6 * s) * own[1];
      } catch (const std::exception &) {
        s *= x[k];
      }
    out[i] = s * s;
  }
  double s = 0;
  for (double v : out)
    s += v;
  return s;
}

using Fn = double (*)(const double *, int);
template <Fn F> static void each(const double *x, int n) {
  std::vector<double> d(n), v(n);
  __enzyme_autodiff<void>((void *)F, enzyme_dup, x, d.data(), enzyme_const, n);
  GRADIENT(F, x, d.data(), n);
  for (int i = 0; i < n; ++i)
    v[i] = 0.3 + i;
  NEAR(__enzyme_fwddiff<double>((void *)F, enzyme_dup, x, v.data(),
                                enzyme_const, n),
       dot(d.data(), v.data(), n), 1e-11);
}

int main() {
  const double x[6] = {0.5, -0.3, 1.7, -0.7, -1.4, 0.9};
  each<sum>(x, 6);
  each<rows>(x, 6);
  return finish();
}
