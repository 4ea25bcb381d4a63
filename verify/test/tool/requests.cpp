// The same in C++, by templates and by the typed interface.
#include <cmath>
#include <cstdio>
#include <retrograde/retrograde.hpp>
#include <vector>

extern int enzyme_dup, enzyme_const;
template <typename R, typename... A> R __enzyme_autodiff(A...);

double chain(const double *x, int n) {
  std::vector<double> t(x, x + n);
  double s = 0;
  for (int i = 0; i + 1 < n; i++)
    s += std::exp(t[i] - t[i + 1]) * t[i];
  return s;
}

int main() {
  double x[] = {1, 2, 3}, g[3] = {};
  __enzyme_autodiff<void>(reinterpret_cast<void *>(chain), enzyme_dup, x, g,
                          enzyme_const, 3);
  double slope = retro::gradient([](double a) { return a * a; }, 3.0);
  std::printf("%g %g\n", g[0], slope);
}
