// The same in C++.
#include <cmath>
#include <stdexcept>
#include <vector>

namespace model {
double energy(const double &scale, const double *x, std::size_t n) noexcept {
  std::vector<double> squares;
  for (std::size_t i = 0; i < n; ++i)
    squares.push_back(x[i] * x[i]);
  double sum = 0;
  for (double s : squares)
    sum += scale * std::sqrt(1 + s);
  return sum;
}
namespace inner {
void polar(double r, double phi, double &x, double &y) {
  x = r * std::cos(phi);
  y = r * std::sin(phi);
}
} // namespace inner
} // namespace model

namespace {
float rows(const float m[][2], float factor, float y[2]) {
  y[0] = factor * m[0][0] * m[1][1];
  y[1] = m[0][1];
  return m[2][0] * factor;
}
} // namespace

extern "C" double root(double x, bool negative) {
  if (x < 0)
    throw std::domain_error("the root of a negative number");
  if (x > 1e6)
    throw 3;
  return negative ? -std::sqrt(x) : std::sqrt(x);
}

template <class T> T square(T x) { return x * x; }
double overloaded(double x) { return square(x); }
float overloaded(float x) { return square(x); }
double of_vector(const std::vector<double> &x) { return x[0]; }
double of_array(double (&x)[3]) { return x[0]; }
struct Model {
  double value(double x) const;
};
double Model::value(double x) const { return x; }
