// Gradients of plain arguments, products with vectors, matrices.
#include "check.h"

#include <array>
#include <retrograde/retrograde.hpp>
#include <vector>

using namespace retro;

static double cube(double x) { return x * x * x; }
static double energy(const std::vector<double> &x, double k) {
  double s = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    s += k * x[i] * x[i] * x[i + 1];
  return s;
}
static std::vector<double> flow(const std::vector<double> &x, int n) {
  std::vector<double> y(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = x[i] * x[i + 1] + static_cast<double>(i);
  return y;
}
struct Parameters {
  double a;
  float b;
  int n;
  std::array<double, 2> c;
};
static double model(Parameters p) { return p.a * p.b * p.n + p.c[0] * p.c[1]; }
static std::array<double, 2> turn(const std::array<double, 3> &p) {
  return {p[0] * p[1], p[2] * p[2]};
}

static void gradients() {
  NEAR(gradient(cube, 2.0), 12, 0);
  auto [value, slope] = value_and_gradient(cube, 2.0);
  NEAR(value, 8, 0);
  NEAR(slope, 12, 0);
  std::vector<double> x{1, 2, 3, 4};
  auto [gx, gk] = gradient(energy, x, 2.0);
  NEAR(gx[0], 8, 0);
  NEAR(gx[1], 26, 0);
  NEAR(gx[3], 18, 0);
  NEAR(gk, 50, 0);
  auto both = value_and_gradient(energy, x, Const{2.0});
  NEAR(both.value, 100, 0);
  NEAR(both.gradient[0], 8, 0);
  NEAR(gradient([&](double k) { return energy(x, k); }, 2.0), 50, 0);
  auto g = gradient(model, Parameters{2, 3, 4, {5, 6}});
  NEAR(g.a, 12, 0);
  NEAR(g.b, 8, 0);
  NEAR(g.n, 4, 0);
  NEAR(g.c[0], 6, 0);
  NEAR(g.c[1], 5, 0);
  auto seeded = gradient(turn, Seed{std::array<double, 2>{1, 10}},
                         std::array<double, 3>{1, 2, 3});
  NEAR(seeded[0], 2, 0);
  NEAR(seeded[2], 60, 0);
}

static void directions() {
  NEAR(directional(cube, 2.0, 3.0), 36, 0);
  NEAR(directional(cube, 2.0, 1), 12, 0);
  const std::vector<double> x{1, 2, 3, 4}, v{1, 10, 100, 1000};
  NEAR(directional(energy, x, v, 2.0), 8 + 260 + 5600 + 18000, 1e-15);
  auto d = directional(flow, x, v, 3);
  NEAR(d[2], 3 * 1000 + 4 * 100, 0);
  double a[3] = {1, 2, 3}, t[3] = {0, 1, 0};
  NEAR(directional([](const double *p, int n) { return p[n] * p[n]; }, a, t, 1),
       4, 0);
}

static void matrices() {
  std::vector<double> x{1, 2, 3, 4};
  auto J = jacobian(flow, x, 3);
  auto K = jacobian<Reverse>(flow, x, 3);
  NEAR(static_cast<double>(J.rows() * 10 + J.columns()), 34, 0);
  NEAR(static_cast<double>(K.rows() * 10 + K.columns()), 34, 0);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      double want = j == i ? x[i + 1] : j == i + 1 ? x[i] : 0;
      NEAR(J(i, j), want, 0);
      NEAR(K(i, j), want, 0);
    }
  auto A = jacobian(turn, std::array<double, 3>{1, 2, 3});
  auto B = jacobian<Reverse>(turn, std::array<double, 3>{1, 2, 3});
  const double want[2][3] = {{2, 1, 0}, {0, 0, 6}};
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      NEAR(A(i, j), want[i][j], 0);
      NEAR(B(i, j), want[i][j], 0);
    }
  // More columns than lanes.
  std::vector<double> many(19);
  for (std::size_t i = 0; i < many.size(); ++i)
    many[i] = static_cast<double>(i + 1);
  auto M = jacobian(flow, many, 18);
  NEAR(M(17, 18), 18, 0);
  NEAR(M(17, 17), 19, 0);
  NEAR(M(8, 7), 0, 0);
  NEAR(jacobian(cube, 2.0)(0, 0), 12, 0);
}

static void secondDerivatives() {
  NEAR(hessian_vector_product(cube, 2.0, 3.0), 36, 0);
  std::vector<double> x{1, 2, 3, 4}, v{1, 10, 100, 1000};
  auto hv = hessian_vector_product(energy, x, v, 2.0);
  NEAR(hv[0], 8 * 1 + 4 * 10, 0);
  NEAR(hv[1], 4 * 1 + 12 * 10 + 8 * 100, 0);
  NEAR(hv[3], 12 * 100, 0);
  double k = 2;
  auto captured = [&k](const std::vector<double> &y) { return energy(y, k); };
  auto same = hessian_vector_product(captured, x, v);
  for (std::size_t i = 0; i < 4; ++i)
    NEAR(same[i], hv[i], 0);
  auto H = hessian(energy, x, 2.0);
  const double want[4][4] = {
      {8, 4, 0, 0}, {4, 12, 8, 0}, {0, 8, 16, 12}, {0, 0, 12, 0}};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      NEAR(H(i, j), want[i][j], 0);
  NEAR(hessian([](double y) { return y * y * y * y; }, 2.0)(0, 0), 48, 0);
}

int main() {
  gradients();
  directions();
  matrices();
  secondDerivatives();
  return finish();
}
