//===- numeric_ops.h - Rules as numbers -----------------------------------===//
//
// The builder that evaluates a rule at a point, in any type with the functions
// of math.h: float, double, long double, binary128, and a dual number.
//
//===----------------------------------------------------------------------===//

#ifndef RETROGRADE_TEST_RULES_NUMERIC_OPS_H
#define RETROGRADE_TEST_RULES_NUMERIC_OPS_H

#include "libm.h"
#include "rules/uses.h"

#include <array>
#include <limits>

namespace retro::rules::test {

/// The functions that rules may call, in type T.
template <class T> struct Functions {
  static T call(Fn f, T x) {
    switch (f) {
    case Fn::Sqrt:
      return libm::sqrt(x);
    case Fn::Cbrt:
      return libm::cbrt(x);
    case Fn::Exp:
      return libm::exp(x);
    case Fn::Exp2:
      return libm::exp2(x);
    case Fn::Exp10:
      return libm::exp10(x);
    case Fn::Expm1:
      return libm::expm1(x);
    case Fn::Log:
      return libm::log(x);
    case Fn::Log1p:
      return libm::log1p(x);
    case Fn::Sin:
      return libm::sin(x);
    case Fn::Cos:
      return libm::cos(x);
    case Fn::Tan:
      return libm::tan(x);
    case Fn::Sinh:
      return libm::sinh(x);
    case Fn::Cosh:
      return libm::cosh(x);
    case Fn::Tanh:
      return libm::tanh(x);
    case Fn::Sinpi:
      return libm::sinpi(x);
    case Fn::Cospi:
      return libm::cospi(x);
    case Fn::Fabs:
      return libm::fabs(x);
    case Fn::Trunc:
      return libm::trunc(x);
    case Fn::Round:
      return libm::round(x);
    case Fn::J0:
      return libm::j0(x);
    case Fn::J1:
      return libm::j1(x);
    case Fn::Y0:
      return libm::y0(x);
    case Fn::Y1:
      return libm::y1(x);
    default:
      std::abort();
    }
  }
  static T call(Fn f, T x, T y) {
    switch (f) {
    case Fn::Pow:
      return libm::pow(x, y);
    case Fn::Hypot:
      return libm::hypot(x, y);
    default:
      std::abort();
    }
  }
  static T callInt(Fn f, T x, long n) {
    switch (f) {
    case Fn::Powi:
      return libm::powi(x, n);
    case Fn::Ldexp:
      return libm::ldexp(x, static_cast<int>(n));
    case Fn::Jn:
      return libm::jn(static_cast<int>(n), x);
    case Fn::Yn:
      return libm::yn(static_cast<int>(n), x);
    default:
      std::abort();
    }
  }
};

/// A number and its derivative. Function calls never see a seed, so that only
/// their value matters; ldexp, which is linear, is the exception.
template <class T> struct Dual {
  T v{}, d{};
  Dual() = default;
  Dual(T value, T derivative = T(0)) : v(value), d(derivative) {}
};

template <class T> struct Functions<Dual<T>> {
  static Dual<T> call(Fn f, Dual<T> x) { return Functions<T>::call(f, x.v); }
  static Dual<T> call(Fn f, Dual<T> x, Dual<T> y) {
    return Functions<T>::call(f, x.v, y.v);
  }
  static Dual<T> callInt(Fn f, Dual<T> x, long n) {
    T value = Functions<T>::callInt(f, x.v, n);
    return {value, f == Fn::Ldexp ? Functions<T>::callInt(f, x.d, n) : T(0)};
  }
};

template <class T> struct Arithmetic {
  static T value(T x) { return x; }
  static T neg(T x) { return -x; }
  static T add(T x, T y) { return x + y; }
  static T sub(T x, T y) { return x - y; }
  static T mul(T x, T y) { return x * y; }
  static T div(T x, T y) { return x / y; }
};

template <class T> struct Arithmetic<Dual<T>> {
  using D = Dual<T>;
  static T value(D x) { return x.v; }
  static D neg(D x) { return {-x.v, -x.d}; }
  static D add(D x, D y) { return {x.v + y.v, x.d + y.d}; }
  static D sub(D x, D y) { return {x.v - y.v, x.d - y.d}; }
  static D mul(D x, D y) { return {x.v * y.v, x.d * y.v + x.v * y.d}; }
  static D div(D x, D y) {
    T quotient = x.v / y.v;
    return {quotient, (x.d - quotient * y.d) / y.v};
  }
};

template <class T> struct NumericOps {
  using Value = T;
  using Bool = bool;
  using Int = long;
  using A = Arithmetic<T>;

  /// The primal operation: operands (integer ones in `ints`) and result.
  struct Operands {
    std::array<T, 3> floats{};
    std::array<long, 3> ints{};
    T result{};
    UseSet seen;
    T in(int i) {
      seen.operands |= 1u << i;
      return floats[static_cast<std::size_t>(i)];
    }
    long inInt(int i) {
      seen.operands |= 1u << i;
      return ints[static_cast<std::size_t>(i)];
    }
    T out() {
      seen.result = true;
      return result;
    }
  };

  bool knowsOperands = false;
  bool guardsProducts = true;

  T constant(double c, T) { return T(c); }
  std::optional<double> known(T x) {
    if (!knowsOperands)
      return std::nullopt;
    return static_cast<double>(A::value(x));
  }
  T neg(T x) { return A::neg(x); }
  T add(T x, T y) { return A::add(x, y); }
  T sub(T x, T y) { return A::sub(x, y); }
  T mul(T x, T y) { return A::mul(x, y); }
  T div(T x, T y) { return A::div(x, y); }
  T fma(T x, T y, T z) { return A::add(A::mul(x, y), z); }
  bool lt(T x, T y) { return A::value(x) < A::value(y); }
  bool le(T x, T y) { return A::value(x) <= A::value(y); }
  bool gt(T x, T y) { return A::value(x) > A::value(y); }
  bool ge(T x, T y) { return A::value(x) >= A::value(y); }
  bool eq(T x, T y) { return A::value(x) == A::value(y); }
  bool ne(T x, T y) { return !eq(x, y); }
  bool unordered(T x, T y) {
    return A::value(x) != A::value(x) || A::value(y) != A::value(y);
  }
  bool signbit(T x) {
    return libm::copysign(decltype(A::value(x))(1), A::value(x)) < 0;
  }
  bool andB(bool p, bool q) { return p && q; }
  bool orB(bool p, bool q) { return p || q; }
  bool xorB(bool p, bool q) { return p != q; }
  bool notB(bool p) { return !p; }
  T select(bool p, T x, T y) { return p ? x : y; }
  T call(Fn f, T x) { return Functions<T>::call(f, x); }
  T call(Fn f, T x, T y) { return Functions<T>::call(f, x, y); }
  T callInt(Fn f, T x, long n) { return Functions<T>::callInt(f, x, n); }
  long addInt(long n, int k) { return n + k; }
  bool eqInt(long n, int k, T) { return n == k; }
  T fromInt(long n, T) { return T(decltype(A::value(T{}))(n)); }
  bool guards(Guard why) { return why == Guard::Singular || guardsProducts; }
};

static_assert(Ops<NumericOps<float>>);
static_assert(Ops<NumericOps<double>>);
static_assert(Ops<NumericOps<long double>>);
static_assert(Ops<NumericOps<Dual<double>>>);

} // namespace retro::rules::test

#endif // RETROGRADE_TEST_RULES_NUMERIC_OPS_H
