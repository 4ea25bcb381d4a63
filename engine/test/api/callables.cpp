// What can be differentiated: functions, lambdas, functors, members.
#include "check.h"

#include <functional>
#include <retrograde/retrograde.hpp>
#include <vector>

using namespace retro;

/// The only gradient of a result.
template <class Result> static auto only(Result &&R) {
  static_assert(std::tuple_size<std::decay_t<Result>>::value == 1);
  return std::get<0>(std::get<0>(R));
}

static double square(double x) noexcept { return x * x; }
static float narrow(float x) { return x * x * x; }
static long double wide(long double x) { return x * x * x; }
template <class T> static T power(T x, int n) {
  T r = 1;
  for (int i = 0; i < n; ++i)
    r *= x;
  return r;
}

static void functions() {
  NEAR(only(autodiff<Reverse>(square, Active{3.0})), 6, 0);
  NEAR(only(autodiff<Reverse>(&square, Active{3.0})), 6, 0);
  double (*pointer)(double) = square;
  NEAR(only(autodiff<Reverse>(pointer, Active{3.0})), 6, 0);
  double (&reference)(double) = *pointer;
  NEAR(only(autodiff<Reverse>(reference, Active{3.0})), 6, 0);
  NEAR(only(autodiff<Reverse>(narrow, Active{2.0f})), 12, 0);
  NEAR(static_cast<double>(only(autodiff<Reverse>(wide, Active{2.0L}))), 12, 0);
  NEAR(only(autodiff<Reverse>(power<double>, Active{2.0}, Const{3})), 12, 0);
  NEAR(std::get<0>(
           autodiff<Forward>(power<float>, Duplicated{2.0f, 3.0f}, Const{3})),
       36, 0);
  NEAR(std::get<0>(autodiff<Forward>(Function<square>{}, Duplicated{3.0, 2.0})),
       12, 0);
}

static void lambdas() {
  double a = 3;
  int n = 2;
  std::vector<double> v{1, 2, 4};
  NEAR(only(autodiff<Reverse>([](double x) { return x * x; }, Active{3.0})), 6,
       0);
  NEAR(only(autodiff<Reverse>([=](double x) { return a * x * n; }, Active{2.})),
       6, 0);
  NEAR(only(autodiff<Reverse>([&](double x) { return a * x * n; }, Active{2.})),
       6, 0);
  NEAR(only(autodiff<Reverse>(
           [v](double x) {
             double s = 0;
             for (double e : v)
               s += e * x * x;
             return s;
           },
           Active{2.0})),
       28, 0);
  NEAR(only(autodiff<Reverse>([](auto x) { return x * x; }, Active{2.0})), 4,
       0);
  NEAR(only(autodiff<Reverse>(
           [](auto &&x, auto... rest) { return x * x * (rest + ...); },
           Active{2.0}, Const{1}, Const{2.5})),
       14, 0);
  std::function<double(double)> held = [a](double x) { return a * x * x; };
  NEAR(only(autodiff<Reverse>(held, Active{2.0})), 12, 0);
}

struct Parabola {
  double a, b;
  mutable int calls = 0;
  double operator()(double x) const {
    ++calls;
    return a * x * x + b;
  }
};
struct Accumulator {
  double last = 0;
  double operator()(double x) {
    last = x * x;
    return last * x;
  }
};

static void functors() {
  Parabola f{2, 3};
  NEAR(only(autodiff<Reverse>(f, Active{2.0})), 8, 0);
  NEAR(f.calls, 1, 0);
  const Parabola &constant = f;
  NEAR(only(autodiff<Reverse>(constant, Active{2.0})), 8, 0);
  NEAR(only(autodiff<Reverse>(Parabola{5, 0}, Active{2.0})), 20, 0);
  NEAR(only(autodiff<Reverse>(Const{f}, Active{2.0})), 8, 0);

  // With respect to what it holds: in a shadow, or by value.
  Parabola d{0, 0};
  NEAR(only(autodiff<Reverse>(Duplicated{f, d}, Active{2.0})), 8, 0);
  NEAR(d.a, 4, 0);
  NEAR(d.b, 1, 0);
  auto [held, x] = gradient(Active{f}, 2.0);
  NEAR(held.a, 4, 0);
  NEAR(held.b, 1, 0);
  NEAR(x, 8, 0);
  auto [weighted] = autodiff<Reverse>(Active{f}, Seed{10.0}, Const{2.0});
  NEAR(std::get<0>(weighted).a, 40, 0);
  Parabola t{1, 10};
  NEAR(std::get<0>(autodiff<Forward>(Duplicated{f, t}, Duplicated{2.0, 1.0})),
       4 + 10 + 8, 0);

  // Active values in its memory: it needs a shadow.
  Accumulator s, ds;
  NEAR(only(autodiff<Reverse>(Duplicated{s, ds}, Active{2.0})), 12, 0);
}

struct Spring {
  double k, rest;
  double energy(double x) const { return 0.5 * k * (x - rest) * (x - rest); }
  double push(double f, int times) {
    for (int i = 0; i < times; ++i)
      rest += f * k;
    return rest * rest;
  }
  static double twice(double x) { return 2 * x; }
};
struct Shape {
  virtual ~Shape() = default;
  virtual double area(double x) const = 0;
};
struct Disc : Shape {
  double k;
  explicit Disc(double k) : k(k) {}
  double area(double x) const override { return k * x * x; }
};

static void members() {
  NEAR(only(autodiff<Reverse>(Spring::twice, Active{3.0})), 2, 0);
  Spring s{2, 1}, d{0, 0};
  Function<&Spring::energy> energy;
  NEAR(only(autodiff<Reverse>(energy, Duplicated{s, d}, Active{3.0})), 4, 0);
  NEAR(d.k, 2, 0);
  NEAR(d.rest, -4, 0);
  auto nothing = autodiff<Reverse>(energy, Duplicated{&s, &d}, Const{3.0});
  static_assert(std::is_same_v<decltype(nothing), std::tuple<std::tuple<>>>);
  NEAR(d.rest, -8, 0);
  NEAR(only(autodiff<Reverse>(energy, Const{s}, Active{3.0})), 4, 0);
  auto [object, x] = gradient(energy, s, 3.0);
  NEAR(object.k, 2, 0);
  NEAR(x, 4, 0);
  d = {0, 0};
  // rest becomes 13, the result is 169.
  NEAR(only(autodiff<Reverse>(Function<&Spring::push>{}, Duplicated{s, d},
                              Active{3.0}, Const{2})),
       104, 0);
  NEAR(s.rest, 13, 0);
  NEAR(d.k, 156, 0);
  NEAR(d.rest, 26, 0);

  Disc disc(4);
  const Shape &shape = disc;
  NEAR(only(autodiff<Reverse>(Function<&Shape::area>{}, Const{shape},
                              Active{3.0})),
       24, 0);
}

int main() {
  functions();
  lambdas();
  functors();
  members();
  return finish();
}
