// ReverseWithPrimal with each kind of argument, and results that are returned
// through memory.
#include "check.h"

#include <array>
#include <enzyme/enzyme>
#include <vector>

using namespace enzyme;

struct Pair {
  double x, y;
};
static double kinds(double a, const double &b, const double *c, double *d,
                    Pair p, const Pair &q, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += a * b * c[i] + p.x * q.y;
    d[i] = c[i] * q.x * p.y;
  }
  return s;
}
static float single(float x, const float &y) { return x * x * y; }
static std::array<double, 4> powers(double x) {
  return {x, x * x, x * x * x, x * x * x * x};
}
struct Table {
  std::vector<double> of;
  double scale;
};
static Table table(double x, int n) {
  Table t{{}, x};
  for (int i = 0; i < n; ++i)
    t.of.push_back(x * x * i);
  return t;
}

static void arguments() {
  const double b = 3;
  double c[2] = {5, 7}, dc[2] = {}, d[2], dd[2] = {1, 10};
  Pair q{2, 4}, dq{};
  auto [g, value] = autodiff<ReverseWithPrimal>(
      kinds, Active<double>{2}, Active<double>{b},
      Duplicated<const double *>{c, dc}, Duplicated<double *>{d, dd},
      Active<Pair>{Pair{11, 13}}, Duplicated<const Pair &>{q, dq},
      Const<int>{2});
  NEAR(value, 6 * 12 + 2 * 44, 0);
  NEAR(get<0>(g), 36, 0);
  NEAR(get<1>(g), 24, 0);
  NEAR(get<2>(g).x, 8, 0);
  NEAR(get<2>(g).y, 5 * 2 + 10 * 7 * 2, 0);
  NEAR(dc[0], 6 + 2 * 13, 0);
  NEAR(dc[1], 6 + 10 * 2 * 13, 0);
  NEAR(dq.x, 13 * (5 + 70), 0);
  NEAR(dq.y, 22, 0);
  NEAR(d[1], 7 * 2 * 13, 0);
  auto [held, same] = autodiff<ReverseWithPrimal>(
      kinds, Const<double>{2}, Active<double>{b}, Const<const double *>{c},
      DuplicatedNoNeed<double *>{d, dd}, Const<Pair>{Pair{11, 13}},
      Const<const Pair &>{q}, Const<int>{2});
  NEAR(same, value, 0);
  NEAR(get<0>(held), 24, 0);
  float y = 5, dy = 0;
  auto [f, of] = autodiff<ReverseWithPrimal>(single, Active<float>{3},
                                             Duplicated<float &>{y, dy});
  NEAR(of, 45, 0);
  NEAR(get<0>(f), 30, 0);
  NEAR(dy, 9, 0);
}

static void objects() {
  auto [g, value] = autodiff<ReverseWithPrimal>(
      powers, Seed{std::array<double, 4>{1, 10, 100, 1000}}, Active{2.0});
  NEAR(get<0>(g), 1 + 40 + 1200 + 32000, 0);
  NEAR(value[3], 16, 0);
  auto [t, of] = autodiff<ReverseWithPrimal>(
      table, Seed{Table{{1, 10, 100}, 1000}}, Active{2.0}, Const{3});
  NEAR(get<0>(t), 4 * 10 + 8 * 100 + 1000, 0);
  NEAR(of.of[2], 8, 0);
  NEAR(of.scale, 2, 0);
  std::vector<double> (*cubes)(double) = [](double x) {
    return std::vector<double>{x, x * x, x * x * x};
  };
  auto [v, out] = autodiff<ReverseWithPrimal>(
      cubes, Seed{std::vector<double>{1, 10, 100}}, Active{2.0});
  NEAR(get<0>(v), 1 + 40 + 1200, 0);
  NEAR(out[2], 8, 0);
}

int main() {
  arguments();
  objects();
  return finish();
}
