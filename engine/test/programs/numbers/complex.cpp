// Functions of complex numbers, in float, double and long double, which have
// three ways to be passed: reverse and forward mode against differences.
#include "../check.h"

#include <complex>

namespace {

template <class T> using C = std::complex<T>;

// clang-format off
#define UNARY(X)                                                               \
  X(exp) X(log) X(sqrt) X(sin) X(cos) X(tan) X(sinh) X(cosh) X(tanh) X(asin)   \
  X(acos) X(atan) X(asinh) X(acosh) X(atanh) X(conj) X(abs) X(arg) X(proj)
// clang-format on

/// A real function of v = {Re z, Im z, Re w, Im w}.
#define FUNCTION(Name)                                                         \
  template <class T> T f_##Name(const T *v) {                                  \
    C<T> y = std::Name(C<T>(v[0], v[1]));                                      \
    return 2 * y.real() - 3 * y.imag() + y.real() * y.imag();                  \
  }
UNARY(FUNCTION)
template <class T> T f_pow(const T *v) {
  C<T> y = std::pow(C<T>(v[0], v[1]), C<T>(v[2], v[3]));
  return y.real() + 2 * y.imag();
}
template <class T> T f_power(const T *v) {
  C<T> y = std::pow(C<T>(v[0], v[1]), v[2]) + std::pow(v[3], C<T>(v[1], v[0]));
  return y.real() - y.imag();
}
template <class T> T f_rational(const T *v) {
  C<T> z(v[0], v[1]), w(v[2], v[3]);
  C<T> y = (z * w + T(1)) / (w - z) * std::polar(v[0], v[1]) + std::norm(z);
  return y.real() - y.imag();
}
/// Through memory, a loop and a call that stays one.
template <class T> NOINLINE C<T> step(C<T> z, C<T> c) {
  return z * z + std::sin(c) / (z + T(2));
}
template <class T> T f_orbit(const T *v) {
  C<T> z[4] = {C<T>(v[0], v[1])};
  for (int k = 0; k < 3; ++k)
    z[k + 1] = step(z[k], C<T>(v[2], v[3]) * T(0.5));
  return std::abs(z[3]) + z[2].imag();
}

template <class T, T (*F)(const T *)> double along(const double *x, int n) {
  T v[4];
  for (int i = 0; i < n; ++i)
    v[i] = T(x[i]);
  return double(F(v));
}

/// Partial derivatives in type T against those of the function in double.
template <class T, T (*F)(const T *), double (*Double)(const double *)>
void check(double tolerance) {
  const double points[][4] = {{0.7, 1.2, -0.6, 0.4},
                              {-0.4, 0.8, 1.3, 0.2},
                              {1.5, -0.3, 0.9, -0.7},
                              {-1.2, -0.5, -0.3, 1.1}};
  for (const auto &x : points) {
    T v[4], d[4] = {}, w[4];
    double direction[4] = {0.5, -1, 0.25, 2}, unit[4] = {};
    for (int i = 0; i < 4; ++i)
      v[i] = T(x[i]), w[i] = T(direction[i]);
    __enzyme_autodiff_void((void *)F, enzyme_dup, v, d);
    for (int i = 0; i < 4; ++i) {
      unit[i] = 1;
      NEAR(double(d[i]), slope(along<double, Double>, x, unit, 4), tolerance);
      unit[i] = 0;
    }
    double want = slope(along<double, Double>, x, direction, 4);
    if constexpr (sizeof(T) == 8)
      NEAR(__enzyme_fwddiff((void *)F, enzyme_dup, v, w), want, tolerance);
  }
}

} // namespace

#define CHECK_ALL(Name)                                                        \
  check<double, f_##Name<double>, f_##Name<double>>(1e-7);                     \
  check<float, f_##Name<float>, f_##Name<double>>(2e-4);                       \
  check<long double, f_##Name<long double>, f_##Name<double>>(1e-7);

/// d/dx of Re f(x + iy), again by reverse mode.
template <double (*F)(const double *)> double inner(double x, double y) {
  double v[4] = {x, y, 0.4, -0.3}, d[4] = {};
  __enzyme_autodiff_void((void *)F, enzyme_dup, v, d);
  return d[0];
}
template <double (*F)(const double *)> void second() {
  const double x = 0.7, y = 1.2, h = 1e-5;
  double want = (inner<F>(x + h, y) - inner<F>(x - h, y)) / (2 * h);
  NEAR(__enzyme_autodiff((void *)inner<F>, enzyme_out, x, enzyme_const, y),
       want, 1e-7);
}
#define CHECK_SECOND(Name) second<f_##Name<double>>();

int main() {
  UNARY(CHECK_ALL)
  CHECK_ALL(pow)
  CHECK_ALL(power)
  CHECK_ALL(rational)
  CHECK_ALL(orbit)
  UNARY(CHECK_SECOND)
  CHECK_SECOND(pow)
  CHECK_SECOND(rational)
  // On a branch cut the side that the sign of the zero says.
  double d[4] = {}, e[4] = {}, above[4] = {2, 0., 0, 0},
         below[4] = {2, -0., 0, 0};
  __enzyme_autodiff_void((void *)f_asin<double>, enzyme_dup, above, d);
  __enzyme_autodiff_void((void *)f_asin<double>, enzyme_dup, below, e);
  for (int side = 0; side < 2; ++side) {
    C<double> z(2, side ? -0. : 0.), y = std::asin(z);
    C<double> w = C<double>(0, side ? -1 : 1) / std::sqrt(3.);
    double want =
        2 * w.real() - 3 * w.imag() + y.real() * w.imag() + y.imag() * w.real();
    NEAR((side ? e : d)[0], want, 1e-12);
  }
  return finish();
}
