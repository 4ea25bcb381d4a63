// Several directions or seeds at a time.
#include "check.h"

#include <array>
#include <retrograde/retrograde.hpp>
#include <vector>

using namespace retro;

static double mixed(double a, float b, int n, double c) {
  return a * b + n * c * a;
}
static void map(const double *x, double *y) {
  y[0] = x[0] * x[1];
  y[1] = x[2] * x[2];
}

int main() {
  auto [value, t] = autodiff<ForwardVectorWithPrimal<3>>(
      mixed, BatchDuplicated<double, 3>{2.0, {1, 0, 0}},
      BatchDuplicated<float, 3>{3.0f, {0, 1, 0}}, Const{2},
      BatchDuplicated<double, 3>{5.0, {0, 0, 1}});
  static_assert(std::is_same_v<decltype(t), std::array<double, 3>>);
  NEAR(value, 26, 0);
  NEAR(t[0], 13, 0);
  NEAR(t[1], 2, 0);
  NEAR(t[2], 4, 0);

  double x[3] = {1, 2, 3}, y[2], d0[3] = {}, d1[3] = {}, s0[2] = {1, 0},
         s1[2] = {0, 1};
  autodiff<ReverseVector<2>>(map, BatchDuplicated<double *, 2>{x, {d0, d1}},
                             BatchDuplicated<double *, 2>{y, {s0, s1}});
  NEAR(y[1], 9, 0);
  NEAR(d0[0], 2, 0);
  NEAR(d0[1], 1, 0);
  NEAR(d0[2], 0, 0);
  NEAR(d1[2], 6, 0);
  double e0[3] = {1, 0, 0}, e1[3] = {0, 10, 100}, t0[2], t1[2];
  autodiff<ForwardVector<2>>(map, BatchDuplicated<double *, 2>{x, {e0, e1}},
                             BatchDuplicatedNoNeed<double *, 2>{y, {t0, t1}});
  NEAR(t0[0], 2, 0);
  NEAR(t0[1], 0, 0);
  NEAR(t1[0], 10, 0);
  NEAR(t1[1], 600, 0);

  // Numbers, objects and seeds: one of each a lane.
  using Pair = std::array<double, 2>;
  auto [g, both] = autodiff<ReverseVectorWithPrimal<2>>(
      [](double a, const Pair &p) { return Pair{a * p[0], a * a * p[1]}; },
      Seed{std::array{Pair{1, 0}, Pair{0, 1}}}, Active{2.0},
      Active{Pair{3, 4}});
  auto [ga, gp] = g;
  NEAR(both[1], 16, 0);
  NEAR(ga[0], 3, 0);
  NEAR(ga[1], 16, 0);
  NEAR(gp[0][0], 2, 0);
  NEAR(gp[0][1], 0, 0);
  NEAR(gp[1][1], 4, 0);
  auto [columns] = autodiff<ForwardVector<2>>(
      [](double a) { return std::vector<double>{a, a * a}; },
      BatchDuplicated<double, 2>{2.0, {1, 10}});
  NEAR(columns[0][1], 4, 0);
  NEAR(columns[1][0], 10, 0);
  NEAR(columns[1][1], 40, 0);
  return finish();
}
