// Recursive calls over a std::vector of values, one tape a call.
#include "check.h"

#include <numeric>
#include <vector>

// Product of x[first..last), by halves; leaves are squared.
static double product(const std::vector<double> &x, std::size_t first,
                      std::size_t last) {
  if (last - first == 1)
    return x[first] * x[first];
  const std::size_t middle = std::midpoint(first, last);
  std::vector<double> halves;
  halves.push_back(product(x, first, middle));
  halves.push_back(product(x, middle, last));
  return halves[0] * halves[1];
}

static double whole(const std::vector<double> &x) {
  return product(x, 0, x.size());
}

int main() {
  std::vector<double> x(11), dx(11, 0.0);
  double value = 1;
  for (std::size_t i = 0; i < x.size(); i++) {
    x[i] = 0.75 + 0.0625 * static_cast<double>(i);
    value *= x[i] * x[i];
  }
  __enzyme_autodiff<void>(reinterpret_cast<void *>(whole), &x, &dx);
  for (std::size_t i = 0; i < x.size(); i++)
    check("product", dx[i], 2 * value / x[i]);
}
