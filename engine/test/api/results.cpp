// What functions return, and how it is differentiated.
#include "check.h"

#include <array>
#include <complex>
#include <retrograde/retrograde.hpp>
#include <vector>

using namespace retro;

struct Point {
  double x, y;
};
static Point polar(double r, double s) { return {r * s, r * r + s}; }
static std::array<double, 3> triple(const std::array<double, 2> &p) {
  return {p[0] * p[1], p[0] * p[0], p[1]};
}
static std::vector<double> multiples(double x, int n) {
  std::vector<double> r;
  for (int i = 0; i < n; ++i)
    r.push_back(x * x * i);
  return r;
}
static std::complex<double> turn(std::complex<double> z, double k) {
  return z * z * k;
}
static double square(double x) { return x * x; }
static int truncated(double x) { return static_cast<int>(x); }
static const double &larger(const double &a, const double &b) {
  return a > b ? a : b;
}
static double *choose(double *a, double *b, bool second) {
  return second ? b : a;
}

static void structs() {
  auto [g, value] = autodiff<ReverseWithPrimal>(polar, Seed{Point{1, 10}},
                                                Active{2.0}, Active{3.0});
  NEAR(value.y, 7, 0);
  NEAR(std::get<0>(g), 3 + 40, 0);
  NEAR(std::get<1>(g), 2 + 10, 0);
  auto [again, t] = autodiff<ForwardWithPrimal>(polar, Duplicated{2.0, 1.0},
                                                Duplicated{3.0, 100.0});
  NEAR(t.x, 203, 0);
  NEAR(t.y, 104, 0);
  NEAR(again.x, 6, 0);
  auto [h] = autodiff<Reverse>(triple, Seed{std::array<double, 3>{1, 10, 100}},
                               Active{std::array<double, 2>{2, 3}});
  NEAR(std::get<0>(h)[0], 43, 0);
  NEAR(std::get<0>(h)[1], 102, 0);
}

static void containers() {
  auto [g, value] = autodiff<ReverseWithPrimal>(
      multiples, Seed{std::vector<double>{1, 10, 100}}, Active{2.0}, Const{3});
  NEAR(std::get<0>(g), 4 * (10 + 200), 0);
  NEAR(value[2], 8, 0);
  auto [t] = autodiff<Forward>(multiples, Duplicated{2.0, 1.0}, Const{3});
  NEAR(static_cast<double>(t.size()), 3, 0);
  NEAR(t[2], 8, 0);
  auto [c] = autodiff<Reverse>(turn, Seed{std::complex<double>(1, 0)},
                               Active{std::complex<double>(3, 4)}, Active{2.0});
  // The real part of k z^2 is k (x^2 - y^2).
  NEAR(std::get<0>(c).real(), 12, 1e-15);
  NEAR(std::get<0>(c).imag(), -16, 1e-15);
  NEAR(std::get<1>(c), -7, 1e-15);
}

static void scalars() {
  auto [seeded] = autodiff<Reverse>(square, Seed{2.5}, Active{3.0});
  NEAR(std::get<0>(seeded), 15, 0);
  auto [ignored, value] =
      autodiff<ReverseWithPrimal, Const<double>>(square, Active{3.0});
  NEAR(std::get<0>(ignored), 0, 0);
  NEAR(value, 9, 0);
  auto [none, integer] = autodiff<ReverseWithPrimal>(truncated, Active{2.5});
  NEAR(std::get<0>(none), 0, 0);
  NEAR(integer, 2, 0);
  auto [alone] = autodiff<ForwardWithPrimal>(truncated, Duplicated{2.5, 1.0});
  NEAR(alone, 2, 0);
  static_assert(std::is_same_v<decltype(autodiff<Forward>(
                                   truncated, Duplicated{2.5, 1.0})),
                               std::tuple<>>);
  auto [also, tangent] =
      autodiff<Forward, Duplicated<double>>(square, Duplicated{3.0, 2.0});
  NEAR(tangent, 12, 0);
  NEAR(also, 9, 0);
}

static void addresses() {
  auto [g] = autodiff<Reverse>(larger, Active{2.0}, Active{3.0});
  NEAR(std::get<0>(g), 0, 0);
  NEAR(std::get<1>(g), 1, 0);
  double a = 1, b = 2, da = 0, db = 0;
  auto [place, shadow] = autodiff<ForwardWithPrimal>(
      choose, Duplicated{&a, &da}, Duplicated{&b, &db}, Const{true});
  NEAR(shadow == &db && place == &b, 1, 0);
  auto [other] = autodiff<Forward>(choose, Duplicated{&a, &da},
                                   Duplicated{&b, &db}, Const{false});
  NEAR(other == &da, 1, 0);
}

int main() {
  structs();
  containers();
  scalars();
  addresses();
  return finish();
}
