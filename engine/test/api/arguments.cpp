// How arguments are given: by value, by reference, by pointer, as containers.
#include "check.h"

#include <array>
#include <complex>
#include <map>
#include <retrograde/retrograde.hpp>
#include <string>
#include <valarray>
#include <vector>

using namespace retro;

static double mixed(double a, float b, int n, double c, float d, double e) {
  return a * b + n * c * d + e * e * b + a * d;
}
static void out(double &r, const double &x) { r = x * x * x; }
static double viaReference(const double &x) { return x * x; }
static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}
enum class Kind { Linear, Quadratic };
static double ofKind(double x, Kind k, bool negate, char shift, long long n) {
  double r = (k == Kind::Linear ? x : x * x) * static_cast<double>(n + shift);
  return negate ? -r : r;
}
static double all(const double (&a)[3]) { return a[0] * a[1] * a[2]; }

static void numbers() {
  auto [g, value] =
      autodiff<ReverseWithPrimal>(mixed, Active{1.25}, Active{2.5f}, Const{2},
                                  Const{-0.5}, Active{1.5f}, Active{0.75});
  auto [a, b, d, e] = g;
  static_assert(std::is_same_v<decltype(b), float>);
  NEAR(value, mixed(1.25, 2.5f, 2, -0.5, 1.5f, 0.75), 0);
  NEAR(a, 4, 0);
  NEAR(b, 1.8125, 0);
  NEAR(d, 0.25, 0);
  NEAR(e, 3.75, 0);
  auto [t] =
      autodiff<Forward>(mixed, Duplicated{1.25, 1.0}, Const{2.5f}, Const{2},
                        Duplicated{-0.5, 10.0}, Const{1.5f}, Const{0.75});
  NEAR(t, 4 + 30, 0);
  auto [k] = autodiff<Reverse>(ofKind, Active{3.0}, Const{Kind::Quadratic},
                               Const{true}, Const{'\1'}, Const{4LL});
  NEAR(std::get<0>(k), -30, 0);
  // An int where the function takes a double is converted, as in a call.
  auto [c] = autodiff<Reverse>(mixed, Active{2.0f}, Const{3}, Const{1L},
                               Const{1}, Const{1}, Const{1});
  static_assert(std::is_same_v<decltype(c), std::tuple<float>>);
  NEAR(std::get<0>(c), 4, 0);
}

static void references() {
  NEAR(std::get<0>(std::get<0>(autodiff<Reverse>(viaReference, Active{3.0}))),
       6, 0);
  double x = 2, dx = 0, y = 0, dy = 1;
  autodiff<Reverse>(out, Duplicated{y, dy}, Duplicated{x, dx});
  NEAR(y, 8, 0);
  NEAR(dx, 12, 0);
  NEAR(dy, 0, 0);
  // The address stands for a reference.
  dy = 1;
  autodiff<Reverse>(out, Duplicated<double *>{&y, &dy},
                    Duplicated<double *>{&x, &dx});
  NEAR(dx, 24, 0);
  // A reference stands for an address.
  dx = 0;
  autodiff<Reverse>(sum, Duplicated<double &>{x, dx}, Const{1});
  NEAR(dx, 4, 0);
  double ty = 0;
  autodiff<Forward>(out, Duplicated{y, ty}, Duplicated<const double &>{x, dx});
  NEAR(ty, 48, 0);
  autodiff<Forward>(out, DuplicatedNoNeed{y, ty}, Duplicated{2.0, 1.0});
  NEAR(ty, 12, 0);
}

static void memory() {
  double x[3] = {1, 2, 3}, d[3] = {};
  autodiff<Reverse>(sum, Duplicated{x, d}, Const{3});
  NEAR(d[2], 6, 0);
  const double *fixed = x;
  autodiff<Reverse>(sum, Duplicated<const double *>{fixed, d}, Const{3});
  NEAR(d[2], 12, 0);
  double g[3] = {};
  autodiff<Reverse>(all, Duplicated<const double (&)[3]>{x, g});
  NEAR(g[0], 6, 0);
  NEAR(g[2], 2, 0);
  double y[3], w[3] = {1, 10, 100}, gx[3] = {};
  autodiff<Reverse>(
      [](const double *in, double *result) {
        for (int i = 0; i < 3; ++i)
          result[i] = in[i] * in[2 - i];
      },
      Duplicated{x, gx}, DuplicatedNoNeed{y, w});
  NEAR(gx[0], 3 * 1 + 3 * 100, 0);
  NEAR(gx[1], 4 * 10, 0);
}

struct Inner {
  float b;
  std::array<double, 2> c;
};
struct Outer {
  std::vector<double> a;
  Inner in;
  int n;
};
static double nested(const Outer &v) {
  double s = 0;
  for (double x : v.a)
    s += x * v.in.b;
  return s + v.in.c[0] * v.in.c[1] * v.n;
}
/// Members that nobody can see say what they are.
class Hidden {
public:
  explicit Hidden(double x) : x(x) {}
  double cube() const { return x * x * x; }
  double get() const { return x; }
  template <class V> friend void retro_visit(Hidden &h, V &&visit) {
    visit(h.x);
  }

private:
  double x;
};

static void objects() {
  Outer v{{1, 2}, {3, {4, 5}}, 2};
  auto [g] = autodiff<Reverse>(nested, Active{v});
  const Outer &o = std::get<0>(g);
  NEAR(o.a[1], 3, 0);
  NEAR(o.in.b, 3, 0);
  NEAR(o.in.c[1], 8, 0);
  NEAR(o.n, 2, 0);
  Outer t{{1, 0}, {10, {0, 0}}, 2};
  NEAR(std::get<0>(autodiff<Forward>(nested, Duplicated{v, t})), 3 + 30, 0);
  Outer d{{0, 0}, {0, {0, 0}}, 2};
  autodiff<Reverse>(nested, Duplicated{v, d});
  NEAR(d.in.c[0], 10, 0);

  auto h = gradient([](const Hidden &x) { return x.cube(); }, Hidden(2));
  NEAR(h.get(), 12, 0);
}

static void containers() {
  std::vector<std::vector<double>> rows{{1, 2}, {3}};
  auto r = gradient(
      [](const std::vector<std::vector<double>> &m) {
        double s = 0;
        for (auto &row : m)
          for (double x : row)
            s += x * x;
        return s;
      },
      rows);
  NEAR(r[0][1], 4, 0);
  NEAR(r[1][0], 6, 0);
  auto v =
      gradient([](const std::valarray<double> &x) { return (x * x).sum(); },
               std::valarray<double>{1, 2, 3});
  NEAR(v[2], 6, 0);
  std::tuple<double, float, int> u{2, 3, 4};
  auto t = gradient(
      [](const std::tuple<double, float, int> &x) {
        return std::get<0>(x) * std::get<1>(x) * std::get<2>(x);
      },
      u);
  NEAR(std::get<0>(t), 12, 0);
  NEAR(std::get<1>(t), 8, 0);
  auto z = gradient([](std::complex<double> x) { return std::norm(x * x); },
                    std::complex<double>(1, 2));
  NEAR(z.real(), 20, 1e-15);
  NEAR(z.imag(), 40, 1e-15);
  std::map<std::string, double> weights{{"a", 2}, {"b", 5}};
  auto [k] = autodiff<Reverse>(
      [](double x, const std::string &name,
         const std::map<std::string, double> &w) { return w.at(name) * x * x; },
      Active{3.0}, Const<const std::string &>{std::string("b")},
      Const{weights});
  NEAR(std::get<0>(k), 30, 0);
}

int main() {
  numbers();
  references();
  memory();
  objects();
  containers();
  return finish();
}
