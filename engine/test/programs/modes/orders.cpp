// Third and fourth derivatives, by every way to nest forward and reverse mode,
// beside what nested dual numbers give.
#include "../check.h"

#include <cmath>

template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

constexpr int N = 3, Most = 4;
typedef double Direction[N];

//===-- Dual numbers ------------------------------------------------------===//

template <typename T> struct Dual {
  T a, b; ///< a + b e, with e e = 0
  Dual(double x = 0) : a(x), b(0) {}
  Dual(T a, T b) : a(a), b(b) {}
};
template <typename T> Dual<T> operator+(Dual<T> x, Dual<T> y) {
  return {x.a + y.a, x.b + y.b};
}
template <typename T> Dual<T> operator*(Dual<T> x, Dual<T> y) {
  return {x.a * y.a, x.a * y.b + x.b * y.a};
}
template <typename T> Dual<T> operator/(Dual<T> x, Dual<T> y) {
  T q = x.a / y.a;
  return {q, (x.b + T(-1) * q * y.b) / y.a};
}
template <typename T> Dual<T> sin(Dual<T> x);
template <typename T> Dual<T> cos(Dual<T> x) {
  return {cos(x.a), T(-1) * sin(x.a) * x.b};
}
template <typename T> Dual<T> sin(Dual<T> x) {
  return {sin(x.a), cos(x.a) * x.b};
}
template <typename T> Dual<T> exp(Dual<T> x) {
  T y = exp(x.a);
  return {y, y * x.b};
}
template <typename T> Dual<T> sqrt(Dual<T> x) {
  T y = sqrt(x.a);
  return {y, x.b / (T(2) * y)};
}
static double value(double x) { return x; }
template <typename T> double value(Dual<T> x) { return value(x.a); }

//===-- What is differentiated --------------------------------------------===//

/// Straight code.
template <typename T> T formula(const T *x) {
  return exp(x[0] * x[1]) * sin(x[2]) + x[0] / (T(2) + x[1] * x[2]) +
         sqrt(x[2] + T(3)) * x[0] * x[0] * x[1];
}
/// Values that are overwritten, in memory and in a loop.
template <typename T> T steps(const T *x) {
  T y[N] = {x[0], x[1], x[2]};
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < N; ++i)
      y[i] = y[i] + T(0.25) * sin(y[(i + 1) % N]) * y[i];
    if (value(y[0]) > value(y[1]))
      y[2] = y[2] * y[0] + T(0.5);
  }
  return y[0] * y[1] * y[2];
}
template <typename T> static T power(T x, int n) {
  return n == 0 ? T(1) : x * power(x, n - 1);
}
/// A function that calls itself.
template <typename T> T calls(const T *x) {
  return power(x[0], 5) * cos(x[1]) + power(x[1] * x[2], 3);
}

//===-- Derivatives -------------------------------------------------------===//

/// The derivative along the first Order directions: bit k of Modes says whether
/// that along V[k] is by reverse mode.
template <auto F, unsigned Modes, int Order>
static double along(const double *x, const Direction *V) {
  if constexpr (Order == 0) {
    return F(x);
  } else if constexpr (Modes >> (Order - 1) & 1) {
    double g[N] = {}, s = 0;
    __enzyme_autodiff<void>((void *)along<F, Modes, Order - 1>, enzyme_dup, x,
                            g, enzyme_const, V);
    for (int i = 0; i < N; ++i)
      s += g[i] * V[Order - 1][i];
    return s;
  } else {
    return __enzyme_fwddiff<double>((void *)along<F, Modes, Order - 1>,
                                    enzyme_dup, x, V[Order - 1], enzyme_const,
                                    V);
  }
}

template <int Order> struct Nested {
  typedef Dual<typename Nested<Order - 1>::type> type;
  static type at(double x, const Direction *V, int i) {
    return {Nested<Order - 1>::at(x, V, i),
            typename Nested<Order - 1>::type(V[Order - 1][i])};
  }
  static double last(type x) { return Nested<Order - 1>::last(x.b); }
};
template <> struct Nested<0> {
  typedef double type;
  static double at(double x, const Direction *, int) { return x; }
  static double last(double x) { return x; }
};

template <auto F, auto OfDual, int Order, unsigned Modes = 0>
static void orders(const double *x, const Direction *V) {
  typename Nested<Order>::type at[N];
  for (int i = 0; i < N; ++i)
    at[i] = Nested<Order>::at(x[i], V, i);
  NEAR((along<F, Modes, Order>(x, V)), Nested<Order>::last(OfDual(at)), 1e-11);
  if constexpr (Modes + 1 < 1u << Order)
    orders<F, OfDual, Order, Modes + 1>(x, V);
}
#define ORDERS(F, Order)                                                       \
  orders<F<double>, F<typename Nested<Order>::type>, Order>(x, V)

int main() {
  const double x[N] = {0.7, 0.4, 1.2};
  const Direction V[Most] = {
      {1, -0.5, 2}, {0.25, 1, -1}, {-1.5, 0.75, 0.5}, {0.5, 2, 1}};
  ORDERS(formula, 3);
  ORDERS(steps, 3);
  ORDERS(calls, 3);
#ifndef THIRD
  ORDERS(formula, 4);
#endif
  return finish();
}
