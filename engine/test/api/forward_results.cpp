// What a request in forward mode returns: the value first, then the tangent, of
// which the activity of the result says which; and shadows that are const.
#include "check.h"

#include <array>
#include <enzyme/enzyme>
#include <vector>

using namespace enzyme;

static double cube(double x) { return x * x * x; }
static float cubef(float x) { return x * x * x; }
static int whole(double x) { return static_cast<int>(x * 3); }
static void nothing(const double &x, double &y) { y = x * x; }
struct Pair {
  double x, y;
};
static Pair turned(Pair p) { return {p.x * p.y, p.x - p.y}; }
static std::array<double, 5> powers(double x) {
  return {1, x, x * x, x * x * x, x * x * x * x};
}
static std::vector<double> multiples(double x, int n) {
  std::vector<double> r;
  for (int i = 0; i < n; ++i)
    r.push_back(x * x * i);
  return r;
}
struct Table {
  std::vector<double> of;
  double scale;
};
static Table table(double x) { return {{x, x * x, x * x * x}, 2 * x}; }
static double *chosen(double *a, double *b, bool second) {
  return second ? b : a;
}

static void numbers() {
  auto [value, tangent] =
      autodiff<Forward, Duplicated<double>>(cube, Duplicated(2.0, 10.0));
  NEAR(value, 8, 0);
  NEAR(tangent, 120, 0);
  tuple<double> alone =
      autodiff<Forward, DuplicatedNoNeed<double>>(cube, Duplicated(2.0, 10.0));
  NEAR(get<0>(alone), 120, 0);
  tuple<double> unsaid = autodiff<Forward>(cube, Duplicated(2.0, 10.0));
  NEAR(get<0>(unsaid), 120, 0);
  tuple<double> primal =
      autodiff<Forward, Const<double>>(cube, Duplicated(2.0, 10.0));
  NEAR(get<0>(primal), 8, 0);
  tuple<float, float> both =
      autodiff<ForwardWithPrimal>(cubef, Duplicated(2.0f, 10.0f));
  NEAR(get<0>(both), 8, 0);
  NEAR(get<1>(both), 120, 0);
  tuple<float> single =
      autodiff<ForwardWithPrimal, Const<float>>(cubef, Duplicated(2.0f, 1.0f));
  NEAR(get<0>(single), 8, 0);
  tuple<int> integer =
      autodiff<Forward, Const<int>>(whole, Duplicated(2.0, 1.0));
  NEAR(get<0>(integer), 6, 0);
  static_assert(
      std::is_same_v<decltype(autodiff<Forward>(whole, Duplicated(2.0, 1.0))),
                     tuple<>>);
  double y = 0, ty = 0;
  tuple<> none = autodiff<Forward, Const<void>>(nothing, Duplicated(3.0, 1.0),
                                                Duplicated<double &>(y, ty));
  static_cast<void>(none);
  NEAR(y, 9, 0);
  NEAR(ty, 6, 0);
}

static void objects() {
  auto [value, tangent] = autodiff<Forward, Duplicated<Pair>>(
      turned, Duplicated{Pair{2, 3}, Pair{70, 110}});
  NEAR(value.x, 6, 0);
  NEAR(value.y, -1, 0);
  NEAR(tangent.x, 2 * 110 + 3 * 70, 0);
  NEAR(tangent.y, -40, 0);
  auto [only] = autodiff<Forward, Const<Pair>>(
      turned, Duplicated{Pair{2, 3}, Pair{70, 110}});
  NEAR(only.x, 6, 0);
  auto [p, tp] = autodiff<Forward, Duplicated<std::array<double, 5>>>(
      powers, Duplicated{2.0, 10.0});
  for (int i = 0; i < 5; ++i) {
    NEAR(p[i], std::pow(2, i), 0);
    NEAR(tp[i], 10 * i * std::pow(2, i - 1), 0);
  }
  auto [v, tv] = autodiff<Forward, Duplicated<std::vector<double>>>(
      multiples, Duplicated{3.0, 1.0}, Const{4});
  NEAR(v[3], 27, 0);
  NEAR(static_cast<double>(tv.size()), 4, 0);
  NEAR(tv[3], 18, 0);
  auto [t, tt] = autodiff<ForwardWithPrimal>(table, Duplicated{3.0, 1.0});
  NEAR(t.of[2], 27, 0);
  NEAR(t.scale, 6, 0);
  NEAR(tt.of[2], 27, 0);
  NEAR(tt.scale, 2, 0);
  // A lambda that is turned into a pointer.
  std::vector<double> (*squares)(double) = [](double x) {
    return std::vector<double>{x, x * x, x * x * x};
  };
  auto [s, ts] = autodiff<Forward, Duplicated<std::vector<double>>>(
      squares, Duplicated{2.0, 1.0});
  NEAR(s[2], 8, 0);
  NEAR(ts[2], 12, 0);
  auto [one] =
      autodiff<Forward>(+[](double x) { return x * x; }, Duplicated{5.0, 1.0});
  NEAR(one, 10, 0);
  double a = 1, b = 2, da = 0, db = 0;
  auto [place, shadow] = autodiff<Forward, Duplicated<double *>>(
      chosen, Duplicated{&a, &da}, Duplicated{&b, &db}, Const{true});
  NEAR(place == &b && shadow == &db, 1, 0);
}

static void lanes() {
  auto [value, tangents] = autodiff<ForwardVector<2>, Duplicated<double>>(
      cube, BatchDuplicated<double, 2>{2.0, {1.0, 10.0}});
  NEAR(value, 8, 0);
  NEAR(tangents[0], 12, 0);
  NEAR(tangents[1], 120, 0);
  auto [pair, tp] = autodiff<ForwardVectorWithPrimal<2>>(
      turned, BatchDuplicated<Pair, 2>{Pair{2, 3}, {Pair{1, 0}, Pair{0, 1}}});
  NEAR(pair.x, 6, 0);
  NEAR(tp[0].x, 3, 0);
  NEAR(tp[1].x, 2, 0);
  NEAR(tp[1].y, -1, 0);
}

static double product(const float &x, const double &y) {
  return static_cast<double>(x) * x * y;
}
static double norm(const Pair &p, const double *w, int n) {
  double s = p.x * p.x + p.y;
  for (int i = 0; i < n; ++i)
    s += w[i] * w[i] * p.y;
  return s;
}

/// What only forward mode reads may be const.
static void constShadows() {
  const float x = 3, tx = 1;
  const double y = 5, ty = 2;
  auto [t] = autodiff<Forward>(product, Duplicated<const float &>{x, tx},
                               Duplicated<const double &>{y, ty});
  NEAR(t, 30 + 18, 0);
  auto [again] =
      autodiff<Forward>(product, Duplicated{x, tx}, Duplicated{y, ty});
  NEAR(again, 48, 0);
  float moved = 3;
  auto [held] =
      autodiff<Forward>(product, Duplicated{moved, tx}, Const<double>{y});
  NEAR(held, 30, 0);
  auto [written] = autodiff<Forward>(
      product, DuplicatedNoNeed<const float &>{x, tx}, Const{y});
  NEAR(written, 30, 0);
  const Pair p{2, 3}, tp{1, 10};
  const double w[2] = {1, 2}, tw[2] = {0, 1};
  auto [n] = autodiff<Forward>(norm, Duplicated<const Pair &>{p, tp},
                               Duplicated<const double *>{w, tw}, Const{2});
  NEAR(n, 4 + 10 + 50 + 12, 0);
  Pair dp{0, 0};
  double dw[2] = {0, 0};
  autodiff<Reverse>(norm, Duplicated<const Pair &>{p, dp},
                    Duplicated<const double *>{w, dw}, Const<int>{2});
  NEAR(dp.x, 4, 0);
  NEAR(dp.y, 6, 0);
  NEAR(dw[1], 12, 0);
}

int main() {
  numbers();
  objects();
  lanes();
  constShadows();
  return finish();
}
