// C++ functions that the tool is tested on.
#include <cmath>
#include <vector>

namespace model {
using real = double;

real energy(const real *x, int n) {
  std::vector<real> squares;
  for (int i = 0; i < n; ++i)
    squares.push_back(x[i] * x[i]);
  real s = 0;
  for (real q : squares)
    s += q * std::sin(q);
  return s;
}

// Overloaded: by one number, and by two.
double overloaded(double a) { return a * a * a; }
double overloaded(double a, double b) { return a * std::exp(b); }

// References.
void rotate(double &x, double &y, const double &angle) {
  double old = x;
  x = std::cos(angle) * x - std::sin(angle) * y;
  y = std::sin(angle) * old + std::cos(angle) * y;
}

struct Spring {
  static double force(double stretch, double stiffness) {
    return -stiffness * stretch * (1 + 0.1 * stretch * stretch);
  }
};

template <typename T> T cube(T x) { return x * x * x; }
template double cube<double>(double);

// The engine cannot fill these in.
struct Pair {
  double first, second;
};
double ofPair(Pair p) { return p.first; }
} // namespace model
