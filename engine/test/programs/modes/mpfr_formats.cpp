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

/// A function of 1.7, or of that and 0.6, with so many bits of mantissa.
#define AT(Name, Mantissa, Want)                                               \
  EQUAL(__enzyme_truncate_op_func(                                             \
            +[](double x) -> double { return std::Name(x); }, 64, 1, 11,       \
            Mantissa)(1.7),                                                    \
        Want)
#define AT2(Name, Mantissa, Want)                                              \
  EQUAL(__enzyme_truncate_op_func(                                             \
            +[](double x, double y) -> double { return std::Name(x, y); }, 64, \
            1, 11, Mantissa)(1.7, 0.6),                                        \
        Want)
/// What it gives with 3, 10, 19 and 39 bits.
#define FUNCTION(Name, Of3, Of10, Of19, Of39)                                  \
  AT(Name, 3, Of3);                                                            \
  AT(Name, 10, Of10);                                                          \
  AT(Name, 19, Of19);                                                          \
  AT(Name, 39, Of39)
#define FUNCTION2(Name, Of3, Of10, Of19, Of39)                                 \
  AT2(Name, 3, Of3);                                                           \
  AT2(Name, 10, Of10);                                                         \
  AT2(Name, 19, Of19);                                                         \
  AT2(Name, 39, Of39)

static void functions(void) {
  // clang-format off: a line each.
  FUNCTION(sin, 0x1p+0, 0x1.fbcp-1, 0x1.fbbb8p-1, 0x1.fbbb7d72fap-1);
  FUNCTION(cos, -0x1.6p-3, -0x1.084p-3, -0x1.07ep-3, -0x1.07df9f4a2ep-3);
  FUNCTION(tan, -0x1.6p+2, -0x1.ebcp+2, -0x1.ec946p+2, -0x1.ec952123c8p+2);
  FUNCTION(exp, 0x1.8p+2, 0x1.5e8p+2, 0x1.5e554p+2, 0x1.5e552770ep+2);
  FUNCTION(log, 0x1.2p-1, 0x1.0fcp-1, 0x1.0faeap-1, 0x1.0fae81914cp-1);
  FUNCTION(atan, 0x1p+0, 0x1.0ap+0, 0x1.0a00ap+0, 0x1.0a00a3bce4p+0);
  FUNCTION(tanh, 0x1.ep-1, 0x1.dfp-1, 0x1.deeep-1, 0x1.deedf00d3ep-1);
  FUNCTION(cbrt, 0x1.4p+0, 0x1.318p+0, 0x1.31882p+0, 0x1.31881d4da8p+0);
  FUNCTION(expm1, 0x1.4p+2, 0x1.1e8p+2, 0x1.1e554p+2, 0x1.1e552770ep+2);
  FUNCTION(log1p, 0x1p+0, 0x1.fc8p-1, 0x1.fc8b8p-1, 0x1.fc8b7f138cp-1);
  FUNCTION(erf, 0x1p+0, 0x1.f7cp-1, 0x1.f7b36p-1, 0x1.f7b3620b88p-1);
  FUNCTION(erfc, 0x1.cp-7, 0x1.098p-6, 0x1.09938p-6, 0x1.0993be8f14p-6);
  FUNCTION(tgamma, 0x1.ep-1, 0x1.d14p-1, 0x1.d1392p-1, 0x1.d1391892f8p-1);
  FUNCTION(exp2, 0x1.ap+1, 0x1.ap+1, 0x1.9fdfap+1, 0x1.9fdf8bcce6p+1);
  FUNCTION(log10, 0x1p-2, 0x1.d8p-3, 0x1.d7f5cp-3, 0x1.d7f59aa5cp-3);
  FUNCTION(sqrt, 0x1.6p+0, 0x1.4dcp+0, 0x1.4dc88p+0, 0x1.4dc87d6146p+0);
  FUNCTION2(pow, 0x1.6p+0, 0x1.6p+0, 0x1.5ff92p+0, 0x1.5ff914d822p+0);
  FUNCTION2(atan2, 0x1.4p+0, 0x1.3b4p+0, 0x1.3b43ep+0, 0x1.3b43d3c968p+0);
  FUNCTION2(hypot, 0x1.ep+0, 0x1.cd8p+0, 0x1.cd82cp+0, 0x1.cd82b44616p+0);
  // clang-format on
}

int main() {
  like_float();
  by_hand();
  functions();
  return finish();
}
