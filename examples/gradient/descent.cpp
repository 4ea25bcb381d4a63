// Gradient descent on the Rosenbrock function of n variables, in C++: the
// objective is ordinary code over std::vector and a lambda, and its gradient
// comes from the compiler. The first gradient is checked against the closed
// form.
#include <cmath>
#include <cstdio>
#include <vector>

template <typename Result, typename... Args>
extern Result __enzyme_autodiff(Args...);

static double objective(const std::vector<double> &x) {
  const auto square = [](double v) { return v * v; };
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); i++)
    sum += 100 * square(x[i + 1] - square(x[i])) + square(1 - x[i]);
  return sum;
}

static std::vector<double> gradient(const std::vector<double> &x) {
  std::vector<double> shadow(x.size(), 0.0);
  __enzyme_autodiff<void>(reinterpret_cast<void *>(objective), &x, &shadow);
  return shadow;
}

static std::vector<double> closed_form(const std::vector<double> &x) {
  std::vector<double> g(x.size(), 0.0);
  for (std::size_t i = 0; i + 1 < x.size(); i++) {
    const double r = x[i + 1] - x[i] * x[i];
    g[i] += -400 * x[i] * r - 2 * (1 - x[i]);
    g[i + 1] += 200 * r;
  }
  return g;
}

int main() {
  std::vector<double> x = {0.3, 1.0, 0.8, 0.4, 1.7};
  const std::vector<double> g = gradient(x), expected = closed_form(x);
  for (std::size_t i = 0; i < x.size(); i++) {
    std::printf("gradient[%zu] = %.12f, closed form %.12f\n", i, g[i],
                expected[i]);
    if (!(std::fabs(g[i] - expected[i]) <= 1e-12 * std::fabs(expected[i]))) {
      std::puts("the gradient is WRONG");
      return 1;
    }
  }

  const double before = objective(x);
  for (int step = 0; step < 20000; step++) {
    const std::vector<double> d = gradient(x);
    for (std::size_t i = 0; i < x.size(); i++)
      x[i] -= 3e-4 * d[i];
  }
  const double after = objective(x);
  std::printf("objective: %.6f before, %.3e after 20000 steps\n", before,
              after);
  return after < 1e-2 * before ? 0 : 1;
}
