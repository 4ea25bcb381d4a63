// FLAGS: -lmpfr
// OPTIONS: -ffp-contract=off
// Operations in formats that MPFR computes: those of the machine's types where
// it has them, roundings by hand, and values of functions from mpmath (sin and
// its kin of 1.7 rounded to p bits, computed with 300 and rounded to p).
#include "../check.h"

#include <cmath>
#include <cstring>

template <typename F> F *__enzyme_truncate_op_func(F *, int, int, int, int);
template <typename F> F *__enzyme_truncate_mem_func(F *, int, int, int, int);
double __enzyme_truncate_mem_value(double, int, int, int, int);
double __enzyme_expand_mem_value(double, int, int, int, int);

#define EQUAL(got, want)                                                       \
  do {                                                                         \
    ++checks;                                                                  \
    const double g = got, w = want;                                            \
    if (memcmp(&g, &w, sizeof g)) {                                            \
      ++failures;                                                              \
      printf("line %d: %s is %a, not %a\n", __LINE__, #got, g, w);             \
    }                                                                          \
  } while (0)

/// With as many digits as float has, the same as float has it: subnormal
/// numbers, and those that are too large, too.
template <typename T> static T steps(T x, T y) {
  T s = x * y - x / y + T(0.1);
  for (int i = 0; i < 20; ++i)
    s = (s * T(0.7) + x) / (T(1) + s * s) - std::sqrt(y);
  return s + static_cast<T>(static_cast<int>(s * 100)) / 7;
}
template <typename T> static T product(T x, T y) { return x * y; }
template <typename T> static T memory(const T *x, int n) {
  T y[3];
  for (int i = 0; i < 3; ++i)
    y[i] = T(0.1) * static_cast<T>(i + 1);
  for (int i = 0; i < n; ++i)
    y[i % 3] += x[i] * y[(i + 1) % 3];
  return y[0] - y[1] * y[2];
}

static void like_float(void) {
  for (int i = 0; i < 40; ++i) {
    const float x = 0.3f + 0.07f * static_cast<float>(i),
                y = 2.1f - 0.03f * static_cast<float>(i);
    EQUAL(__enzyme_truncate_op_func(steps<double>, 64, 1, 8, 23)(x, y),
          steps(x, y));
    EQUAL(__enzyme_truncate_mem_func(steps<double>, 64, 1, 8, 23)(x, y),
          steps(x, y));
    const float small = x * 1e-20f, large = y * 1e19f;
    EQUAL(__enzyme_truncate_op_func(product<double>, 64, 1, 8, 23)(small,
                                                                   3.1e-20),
          small * 3.1e-20f);
    EQUAL(__enzyme_truncate_op_func(product<double>, 64, 1, 8, 23)(large, 1e19),
          large * 1e19f);
    EQUAL(__enzyme_truncate_op_func(steps<double>, 64, 1, 11, 52)(x, y),
          steps<double>(x, y));
  }
  const float x[6] = {0.3f, -1.7f, 2.9f, 0.11f, 5.0f, -0.4f};
  double narrow[6];
  for (int i = 0; i < 6; ++i)
    narrow[i] = __enzyme_truncate_mem_value(x[i], 64, 1, 8, 23);
  EQUAL(__enzyme_expand_mem_value(
            __enzyme_truncate_mem_func(memory<double>, 64, 1, 8, 23)(narrow, 6),
            64, 1, 8, 23),
        memory(x, 6));
}

/// By hand: three bits of mantissa, of four an exponent (a format of eight
/// bits, of which 240 is the largest and 2^-9 the least).
static void by_hand(void) {
  const auto times = __enzyme_truncate_op_func(product<double>, 64, 1, 4, 3);
  EQUAL(times(1.25, 1.25), 1.5);  // 1.5625 lies between 1.5 and 1.625: even
  EQUAL(times(1.1, 1), 1.125);    // an operand is rounded, too
  EQUAL(times(15, 16), 240);      // the largest
  EQUAL(times(15, 17), 240);      // 17 is 16
  EQUAL(times(15, 18), INFINITY); // 270 is no number
  EQUAL(times(0x1p-6, 0.125), 0x1p-9); // the least
  EQUAL(times(0x1p-6, 0.375), 0x1.8p-8);
  EQUAL(times(0x1.8p-6, 0.125),
        0x1p-8);                     // between one and two of the least: even
  EQUAL(times(0x1p-6, 0.0625), 0.0); // half of the least: even
  EQUAL(times(-0x1p-6, 0.0625), -0.0);
  EQUAL(__enzyme_truncate_mem_value(1.0625, 64, 1, 4, 3), 1.0);
  EQUAL(__enzyme_truncate_mem_value(1.1875, 64, 1, 4, 3), 1.25);
}

#define FUNCTION(Name, Mantissa, X, Want)                                      \
  EQUAL(__enzyme_truncate_op_func(                                             \
            +[](double x) -> double { return std::Name(x); }, 64, 1, 11,       \
            Mantissa)(X),                                                      \
        Want)
#define FUNCTION2(Name, Mantissa, X, Y, Want)                                  \
  EQUAL(__enzyme_truncate_op_func(                                             \
            +[](double x, double y) -> double { return std::Name(x, y); }, 64, \
            1, 11, Mantissa)(X, Y),                                            \
        Want)

static void functions(void) {
  // clang-format off: a line each.
  FUNCTION(sin, 3, 1.7, 0x1.0000000000000p+0);
  FUNCTION(cos, 3, 1.7, -0x1.6000000000000p-3);
  FUNCTION(tan, 3, 1.7, -0x1.6000000000000p+2);
  FUNCTION(exp, 3, 1.7, 0x1.8000000000000p+2);
  FUNCTION(log, 3, 1.7, 0x1.2000000000000p-1);
  FUNCTION(atan, 3, 1.7, 0x1.0000000000000p+0);
  FUNCTION(tanh, 3, 1.7, 0x1.e000000000000p-1);
  FUNCTION(cbrt, 3, 1.7, 0x1.4000000000000p+0);
  FUNCTION(expm1, 3, 1.7, 0x1.4000000000000p+2);
  FUNCTION(log1p, 3, 1.7, 0x1.0000000000000p+0);
  FUNCTION(erf, 3, 1.7, 0x1.0000000000000p+0);
  FUNCTION(erfc, 3, 1.7, 0x1.c000000000000p-7);
  FUNCTION(tgamma, 3, 1.7, 0x1.e000000000000p-1);
  FUNCTION(exp2, 3, 1.7, 0x1.a000000000000p+1);
  FUNCTION(log10, 3, 1.7, 0x1.0000000000000p-2);
  FUNCTION(sqrt, 3, 1.7, 0x1.6000000000000p+0);
  FUNCTION2(pow, 3, 1.7, 0.6, 0x1.6000000000000p+0);
  FUNCTION2(atan2, 3, 1.7, 0.6, 0x1.4000000000000p+0);
  FUNCTION2(hypot, 3, 1.7, 0.6, 0x1.e000000000000p+0);
  FUNCTION(sin, 10, 1.7, 0x1.fbc0000000000p-1);
  FUNCTION(cos, 10, 1.7, -0x1.0840000000000p-3);
  FUNCTION(tan, 10, 1.7, -0x1.ebc0000000000p+2);
  FUNCTION(exp, 10, 1.7, 0x1.5e80000000000p+2);
  FUNCTION(log, 10, 1.7, 0x1.0fc0000000000p-1);
  FUNCTION(atan, 10, 1.7, 0x1.0a00000000000p+0);
  FUNCTION(tanh, 10, 1.7, 0x1.df00000000000p-1);
  FUNCTION(cbrt, 10, 1.7, 0x1.3180000000000p+0);
  FUNCTION(expm1, 10, 1.7, 0x1.1e80000000000p+2);
  FUNCTION(log1p, 10, 1.7, 0x1.fc80000000000p-1);
  FUNCTION(erf, 10, 1.7, 0x1.f7c0000000000p-1);
  FUNCTION(erfc, 10, 1.7, 0x1.0980000000000p-6);
  FUNCTION(tgamma, 10, 1.7, 0x1.d140000000000p-1);
  FUNCTION(exp2, 10, 1.7, 0x1.a000000000000p+1);
  FUNCTION(log10, 10, 1.7, 0x1.d800000000000p-3);
  FUNCTION(sqrt, 10, 1.7, 0x1.4dc0000000000p+0);
  FUNCTION2(pow, 10, 1.7, 0.6, 0x1.6000000000000p+0);
  FUNCTION2(atan2, 10, 1.7, 0.6, 0x1.3b40000000000p+0);
  FUNCTION2(hypot, 10, 1.7, 0.6, 0x1.cd80000000000p+0);
  FUNCTION(sin, 19, 1.7, 0x1.fbbb800000000p-1);
  FUNCTION(cos, 19, 1.7, -0x1.07e0000000000p-3);
  FUNCTION(tan, 19, 1.7, -0x1.ec94600000000p+2);
  FUNCTION(exp, 19, 1.7, 0x1.5e55400000000p+2);
  FUNCTION(log, 19, 1.7, 0x1.0faea00000000p-1);
  FUNCTION(atan, 19, 1.7, 0x1.0a00a00000000p+0);
  FUNCTION(tanh, 19, 1.7, 0x1.deee000000000p-1);
  FUNCTION(cbrt, 19, 1.7, 0x1.3188200000000p+0);
  FUNCTION(expm1, 19, 1.7, 0x1.1e55400000000p+2);
  FUNCTION(log1p, 19, 1.7, 0x1.fc8b800000000p-1);
  FUNCTION(erf, 19, 1.7, 0x1.f7b3600000000p-1);
  FUNCTION(erfc, 19, 1.7, 0x1.0993800000000p-6);
  FUNCTION(tgamma, 19, 1.7, 0x1.d139200000000p-1);
  FUNCTION(exp2, 19, 1.7, 0x1.9fdfa00000000p+1);
  FUNCTION(log10, 19, 1.7, 0x1.d7f5c00000000p-3);
  FUNCTION(sqrt, 19, 1.7, 0x1.4dc8800000000p+0);
  FUNCTION2(pow, 19, 1.7, 0.6, 0x1.5ff9200000000p+0);
  FUNCTION2(atan2, 19, 1.7, 0.6, 0x1.3b43e00000000p+0);
  FUNCTION2(hypot, 19, 1.7, 0.6, 0x1.cd82c00000000p+0);
  FUNCTION(sin, 39, 1.7, 0x1.fbbb7d72fa000p-1);
  FUNCTION(cos, 39, 1.7, -0x1.07df9f4a2e000p-3);
  FUNCTION(tan, 39, 1.7, -0x1.ec952123c8000p+2);
  FUNCTION(exp, 39, 1.7, 0x1.5e552770e0000p+2);
  FUNCTION(log, 39, 1.7, 0x1.0fae81914c000p-1);
  FUNCTION(atan, 39, 1.7, 0x1.0a00a3bce4000p+0);
  FUNCTION(tanh, 39, 1.7, 0x1.deedf00d3e000p-1);
  FUNCTION(cbrt, 39, 1.7, 0x1.31881d4da8000p+0);
  FUNCTION(expm1, 39, 1.7, 0x1.1e552770e0000p+2);
  FUNCTION(log1p, 39, 1.7, 0x1.fc8b7f138c000p-1);
  FUNCTION(erf, 39, 1.7, 0x1.f7b3620b88000p-1);
  FUNCTION(erfc, 39, 1.7, 0x1.0993be8f14000p-6);
  FUNCTION(tgamma, 39, 1.7, 0x1.d1391892f8000p-1);
  FUNCTION(exp2, 39, 1.7, 0x1.9fdf8bcce6000p+1);
  FUNCTION(log10, 39, 1.7, 0x1.d7f59aa5c0000p-3);
  FUNCTION(sqrt, 39, 1.7, 0x1.4dc87d6146000p+0);
  FUNCTION2(pow, 39, 1.7, 0.6, 0x1.5ff914d822000p+0);
  FUNCTION2(atan2, 39, 1.7, 0.6, 0x1.3b43d3c968000p+0);
  FUNCTION2(hypot, 39, 1.7, 0.6, 0x1.cd82b44616000p+0);
  // clang-format on
}

int main() {
  like_float();
  by_hand();
  functions();
  return finish();
}
