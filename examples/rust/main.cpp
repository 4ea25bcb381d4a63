// Fits the model of model.rs by gradient descent with momentum, and holds the
// first gradient against differences.
#include <cmath>
#include <cstddef>
#include <cstdio>

extern "C" double misfit(const double *p, const double *times,
                         const double *values, std::size_t n);

template <typename Result, typename... Args> Result __enzyme_autodiff(Args...);
extern int enzyme_dup, enzyme_const;

int main() {
  constexpr std::size_t n = 20;
  double times[n], values[n];
  for (std::size_t i = 0; i < n; ++i) {
    times[i] = 0.25 * i;
    values[i] = 1.5 * std::exp(-2 * times[i]) + 0.5 / std::sqrt(1 + times[i]);
  }
  double p[4] = {1, 1, 1, 1}, v[4] = {};
  double worst = 0;
  for (int step = 0; step <= 4000; ++step) {
    double g[4] = {};
    __enzyme_autodiff<void>((void *)misfit, enzyme_dup, p, g, enzyme_const,
                            times, enzyme_const, values, enzyme_const, n);
    for (int i = 0; step == 0 && i < 4; ++i) {
      double h = 1e-6, at = p[i];
      p[i] = at + h;
      double up = misfit(p, times, values, n);
      p[i] = at - h;
      double down = misfit(p, times, values, n);
      p[i] = at;
      worst = std::fmax(worst, std::fabs((up - down) / (2 * h) - g[i]));
    }
    if (step % 2000 == 0)
      std::printf("%4d: misfit %.2e\n", step, misfit(p, times, values, n));
    for (int i = 0; i < 4; ++i) {
      v[i] = 0.95 * v[i] - 0.5 * g[i];
      p[i] += v[i];
    }
  }
  std::printf("p = %.3f %.3f %.3f %.3f\n", p[0], p[1], p[2], p[3]);
  return worst > 1e-7;
}
