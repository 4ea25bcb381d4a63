// The value now, the gradient when the seeds are known.
#include "check.h"

#include <array>
#include <retrograde/retrograde.hpp>
#include <vector>

using namespace retro;

static double mixed(double a, float b, int n, double c) {
  return a * b + n * c * a;
}
static void squares(std::vector<double> &x, std::vector<double> &y) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = x[i] * x[i];
    x[i] = y[i] * 2;
  }
}

int main() {
  {
    auto pass = augmented(Function<mixed>{}, Active{2.0}, Active{3.0f},
                          Const{2}, Active{5.0});
    NEAR(pass.primal(), 26, 0);
    auto [a, b, c] = pass.reverse(2.0);
    NEAR(a, 26, 0);
    NEAR(b, 4, 0);
    NEAR(c, 8, 0);
  }
  { // What the first pass saw is gone when the second runs.
    std::vector<double> x{1, 2, 3}, dx(3), y(3), dy(3);
    auto pass =
        augmented(Function<squares>{}, Duplicated{x, dx}, Duplicated{y, dy});
    NEAR(y[2], 9, 0);
    x = {7, 7, 7};
    dy = {1, 10, 100};
    pass.reverse();
    NEAR(dx[0], 2, 0);
    NEAR(dx[1], 40, 0);
    NEAR(dx[2], 600, 0);
  }
  { // Passes in another order; captures stay where they are.
    int k = 3;
    auto cube = [&k](double x) { return k * x * x * x; };
    auto first = augmented(cube, Active{1.0});
    auto second = augmented(cube, Active{2.0});
    NEAR(std::get<0>(first.reverse()), 9, 0);
    NEAR(std::get<0>(second.reverse(0.5)), 18, 0);
  }
  {
    using Pair = std::array<double, 2>;
    auto pass = augmented(
        [](double x, const Pair &p) { return Pair{x * p[0], x * x * p[1]}; },
        Active{2.0}, Active{Pair{3, 4}});
    NEAR(pass.primal()[1], 16, 0);
    auto [x, p] = pass.reverse(Pair{1, 10});
    NEAR(x, 3 + 160, 0);
    NEAR(p[0], 2, 0);
    NEAR(p[1], 40, 0);
  }
  { // The numbers of the result are on the heap.
    auto pass = augmented(
        [](double x, int n) {
          std::vector<double> r;
          for (int i = 0; i < n; ++i)
            r.push_back(i * x * x);
          return r;
        },
        Active{2.0}, Const{3});
    NEAR(pass.primal()[2], 8, 0);
    auto [x] = pass.reverse(std::vector<double>{1, 10, 100});
    NEAR(x, 4 * (10 + 200), 0);
  }
  return finish();
}
