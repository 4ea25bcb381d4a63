#include <cmath>
#include <cstdio>
#include <retrograde/retrograde.hpp>
#include <vector>

struct Curve {
  double a, b;
};
double misfit(const Curve &c, const std::vector<double> &t,
              const std::vector<double> &y) {
  double sum = 0;
  for (std::size_t i = 0; i < t.size(); i++)
    sum += std::pow(c.a * std::exp(-c.b * t[i]) - y[i], 2);
  return sum / t.size();
}
int main() {
  const std::vector<double> t{0, 1, 2, 3}, y{2.0, 1.2, 0.75, 0.45};
  Curve g =
      retro::gradient(misfit, Curve{1, 1}, retro::Const{t}, retro::Const{y});
  std::printf("gradient %.4f %.4f\n", g.a, g.b);
}
