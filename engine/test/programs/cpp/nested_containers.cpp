// Second derivatives of code with a vector that grows, whose copies the reverse
// pass keeps track of on its tape.
#include "../check.h"
#include <vector>

MARKERS(enzyme_width, enzyme_dupnoneed);
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

static double f(const double *x, int n) {
  std::vector<double> products;
  for (int i = 0; i < n; ++i)
    products.push_back(x[i] * x[(i + 1) % n]);
  std::vector<double> copy = products;
  double sum = 0;
  for (double &p : copy)
    sum += sqrt(1 + p * p) * products[0];
  return sum;
}

static void gradient(const double *x, double *g, int n) {
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, g, enzyme_const, n);
}
static double along(const double *x, const double *v, int n) {
  return __enzyme_fwddiff<double>((void *)f, enzyme_dup, x, v, enzyme_const, n);
}

constexpr int N = 5;

int main() {
  const double x[N] = {0.7, -0.4, 1.2, 0.9, -1.1};
  const double step = 1e-5;
  double want[N][N];
  for (int i = 0; i < N; ++i) {
    double at[N], g[2][N] = {};
    for (int s = 0; s < 2; ++s) {
      memcpy(at, x, sizeof at);
      at[i] += s ? step : -step;
      gradient(at, g[s], N);
    }
    for (int j = 0; j < N; ++j)
      want[i][j] = (g[1][j] - g[0][j]) / (2 * step);
  }
  for (int i = 0; i < N; ++i) {
    double v[N] = {}, zero[N] = {}, g[N] = {}, forward[N] = {}, mixed[N] = {};
    v[i] = 1;
    __enzyme_fwddiff<void>((void *)gradient, enzyme_dup, x, v, enzyme_dup, g,
                           forward, enzyme_const, N);
    __enzyme_autodiff<void>((void *)along, enzyme_dup, x, mixed, enzyme_const,
                            v, enzyme_const, N);
    for (int j = 0; j < N; ++j) {
      NEAR(forward[j], want[i][j], 1e-6);
      NEAR(mixed[j], forward[j], 1e-11);
      // Forward over forward mode.
      double u[N] = {};
      u[j] = 1;
      NEAR(__enzyme_fwddiff<double>((void *)along, enzyme_dup, x, u, enzyme_dup,
                                    v, zero, enzyme_const, N),
           forward[j], 1e-11);
    }
    double lanes[2][N] = {}, w[N];
    memset(g, 0, sizeof g);
    for (int j = 0; j < N; ++j)
      w[j] = -2 * v[j];
    __enzyme_fwddiff<void>((void *)gradient, enzyme_width, 2, enzyme_dup, x, v,
                           w, enzyme_dup, g, lanes[0], lanes[1], enzyme_const,
                           N);
    for (int j = 0; j < N; ++j) {
      NEAR(lanes[0][j], forward[j], 1e-14);
      NEAR(lanes[1][j], -2 * forward[j], 1e-14);
    }
  }
  return finish();
}
