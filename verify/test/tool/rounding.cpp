// C++ that `retro rounding` reads: references, a namespace, a method.
#include <cmath>

namespace model {
struct Spring {
  double stiffness;
  double energy(double x) const {
    double stretched = x - 1;
    return stiffness * stretched * stretched / 2;
  }
};
double chain(const double *x, int n, double &longest) {
  Spring spring{0.3};
  double sum = 0;
  for (int i = 1; i < n; ++i) {
    double between = std::sqrt(1 + (x[i] - x[i - 1]) * (x[i] - x[i - 1]));
    sum += spring.energy(between);
    longest = std::fmax(longest, between);
  }
  return sum;
}
} // namespace model
