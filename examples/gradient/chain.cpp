// The gradient of a chain of springs, held against differences by the library
// that comes with the package (target Retrograde::verify). Every verdict states
// the measured error and the tolerance it was held to.
#include <cmath>
#include <iostream>
#include <retrograde/verify.hpp>
#include <vector>

int enzyme_dup, enzyme_const;
template <typename Result, typename... Args>
extern Result __enzyme_autodiff(Args...);

// Energy of springs of length 1 between neighbours x[i] and x[i + 1], each of
// which gets stiffer as it is stretched.
static double energy(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++) {
    const double stretch = x[i + 1] - x[i] - 1;
    sum += 0.5 * stretch * stretch * std::exp(stretch);
  }
  return sum;
}

int main() {
  using namespace retro::verify;
  const std::vector<double> x = {0.1, 1.3, 2.0, 3.4, 4.1, 5.7};
  const int n = static_cast<int>(x.size());
  std::vector<double> gradient(x.size(), 0.0);
  __enzyme_autodiff<void>((void *)energy, enzyme_dup, x.data(), gradient.data(),
                          enzyme_const, n);

  const Function f = [n](const std::vector<double> &at) {
    return energy(at.data(), n);
  };
  const std::vector<Verdict> verdicts = {
      checkGradient(f, x, gradient),
      taylorRemainder(f, x, randomDirection(x.size(), 1), gradient)};
  print(std::cout, verdicts);
  return allPassed(verdicts) ? 0 : 1;
}
