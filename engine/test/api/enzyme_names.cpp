// The same interface under the names that existing code uses.
#include <enzyme/enzyme>

#include "near.h"

static double square(double x) { return x * x; }
template <class T> static T squareOf(const T &x) { return x * x; }
static double product(double x, double y) { return x * y; }
static void cube(double &r, const double &x) { r = x * x * x; }
static double loop(double x, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x * y[0];
  y[0] = s;
  return s;
}
struct Scale {
  double k;
  double operator()(double x) const { return k * x * x; }
};

static void reverse() {
  double d = enzyme::get<0>(enzyme::get<0>(
      enzyme::autodiff<enzyme::Reverse>(square, enzyme::Active<double>(3.1))));
  NEAR(d, 6.2);
  d = enzyme::get<0>(enzyme::get<0>(enzyme::autodiff<enzyme::Reverse>(
      squareOf<double>, enzyme::Active<double>{3.1})));
  NEAR(d, 6.2);
  auto &&[x, y] = enzyme::get<0>(enzyme::autodiff<enzyme::Reverse>(
      product, enzyme::Active<double>{3.1}, enzyme::Active<double>{2.7}));
  NEAR(x, 2.7);
  NEAR(y, 3.1);
  double a = 2, da = 1;
  auto r = enzyme::autodiff<enzyme::Reverse>(
      loop, enzyme::Active<double>{3}, enzyme::Duplicated<double *>{&a, &da},
      enzyme::Const<int>{3});
  NEAR(enzyme::get<0>(enzyme::get<0>(r)), 12);
  NEAR(da, 18);
  enzyme::tuple<enzyme::tuple<double>, double> both =
      enzyme::autodiff<enzyme::ReverseWithPrimal>(square,
                                                  enzyme::Active<double>{3});
  NEAR(enzyme::get<0>(enzyme::get<0>(both)), 6);
  NEAR(enzyme::get<1>(both), 9);
  NEAR(enzyme::get<0>(enzyme::get<0>(enzyme::autodiff<enzyme::Reverse>(
           Scale{3}, enzyme::Active<double>{2}))),
       12);
  NEAR(enzyme::get<0>(enzyme::get<0>(enzyme::autodiff<enzyme::Reverse>(
           [](double v) { return v * v; }, enzyme::Active<double>{2}))),
       4);
  double in = 2, din = 0, out = 0, dout = 1;
  enzyme::autodiff<enzyme::Reverse>(cube,
                                    enzyme::Duplicated<double *>{&out, &dout},
                                    enzyme::Duplicated<double *>{&in, &din});
  NEAR(din, 12);
  dout = 1;
  enzyme::autodiff<enzyme::Reverse>(
      cube, enzyme::Duplicated<double &>{out, dout},
      enzyme::Duplicated<const double &>{in, din});
  NEAR(din, 24);
}

static void forward() {
  double d = enzyme::get<0>(enzyme::autodiff<enzyme::Forward>(
      square, enzyme::Duplicated<double>(3.1, 10.0)));
  NEAR(d, 62);
  auto [value, tangent] = enzyme::autodiff<enzyme::ForwardWithPrimal>(
      square, enzyme::Duplicated<double>{3, 10.0});
  NEAR(tangent, 60);
  NEAR(value, 9);
}

static void convention() {
  NEAR(__enzyme_autodiff<double>((void *)square, enzyme_out, 3.0), 6);
  NEAR(__enzyme_fwddiff<double>((void *)square, enzyme_dup, 3.0, 2.0), 12);
}

int main() {
  reverse();
  forward();
  convention();
  std::printf("%d checks, %d failed\n", checks, failures);
  return checks == 0 || failures != 0;
}
