// OPTIONS: -ffp-contract=off
// Functions that compute, or keep their numbers, in float where their text says
// double: bit for bit what the same text gives with float in it. (What LLVM
// computes itself of a product and a sum it would round once.)
#include "../check.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <utility>
#include <vector>

template <typename F> F *__enzyme_truncate_op_func(F *, int, int);
template <typename F> F *__enzyme_truncate_mem_func(F *, int, int);
double __enzyme_truncate_mem_value(double, int, int);
double __enzyme_expand_mem_value(double, int, int);
float __enzyme_truncate_mem_value_float(float, int, int);
float __enzyme_expand_mem_value_float(float, int, int);
template <typename R, typename... A> R __enzyme_autodiff(A...);

template <typename T> static T formula(T x, T y) {
  return (x * y - x / y + T(0.1)) * (x - T(3)) + -y;
}
template <typename T> static T functions(T x, T y) {
  using namespace std;
  T s = sin(x) + cos(y) * tan(x) - exp(x) / log(y + 2);
  s += pow(x, y) + sqrt(x) + cbrt(y) + atan2(x, y) + hypot(x, y);
  s += fabs(x - y) + fmin(x, y) * fmax(x, T(1)) + floor(x * 7) + fma(x, y, s);
  return s + tgamma(x) + erf(y) + fmod(s, T(0.3)) + copysign(x, -y);
}
/// Branches that rounding decides, conversions of integers.
template <typename T> static T choices(T x, T y) {
  T s = 0;
  for (int i = 1; i < 40; ++i) {
    s += x / i;
    if (s * y > T(1.3))
      s -= T(1);
    s += static_cast<T>(static_cast<int>(s * 100)) / 7;
    s += static_cast<T>(123456789 + i) * T(1e-9);
  }
  return s > x ? s : x;
}
template <typename T> static T recursive(T x, int n) {
  return n == 0 ? x : x * recursive(x / 3 + T(0.2), n - 1) + T(1) / (x + 3);
}
template <typename T> static T calls(T x, T y) {
  return recursive(x, 6) - recursive(y, 5);
}
template <typename T> struct Pair {
  T a, b;
};
template <typename T> static NOINLINE Pair<T> turned(Pair<T> p, T by) {
  return {p.a - by * p.b, p.b + by * p.a};
}
/// Memory of its own, on the stack and on the heap.
template <typename T> static T memory(T x, T y) {
  std::vector<T> v;
  Pair<T> p{x, y};
  for (int i = 0; i < 20; ++i) {
    v.push_back(p.a * p.b + T(0.7));
    p = turned(p, v[v.size() / 2]);
    p.a /= 1 + std::fabs(p.b);
    p.b /= 1 + std::fabs(p.a);
  }
  T s = 0;
  for (T z : v)
    s += z * z;
  return s + p.a;
}
/// Sums of complex numbers, and their parts.
template <typename T> static T complexes(T x, T y) {
  std::complex<T> z(x, y), w(y, T(0.3));
  for (int i = 0; i < 5; ++i)
    z = z * T(0.7) + std::complex<T>(T(0.1), -x) - w;
  return z.real() - z.imag() * std::abs(w.imag());
}
template <typename T> static T parts(T x, T y) {
  T whole, part = std::modf(x * 3, &whole);
  int exponent;
  const T mantissa = std::frexp(y, &exponent);
  return part + whole * mantissa + std::ldexp(x, exponent + 2);
}
/// Numbers in the caller's memory; a loop that is vectorized.
template <typename T> static void arrays(const T *x, T *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * T(1.1) + std::sqrt(x[i]) / 3;
  for (int i = 1; i < n; ++i)
    y[i] += y[i - 1] * y[i];
}

static int same(float a, float b) { return !memcmp(&a, &b, sizeof a); }
#define SAME(got, want)                                                        \
  do {                                                                         \
    ++checks;                                                                  \
    double g = got;                                                            \
    if (!same(static_cast<float>(g), want) || g != static_cast<float>(g)) {    \
      ++failures;                                                              \
      printf("line %d: %s is %.17g, not %.17g\n", __LINE__, #got, g,           \
             static_cast<double>(want));                                       \
    }                                                                          \
  } while (0)

template <double (*F)(double, double), float (*G)(float, float)>
static void both(void) {
  for (int i = 0; i < 40; ++i) {
    const float x = 0.3f + 0.07f * static_cast<float>(i),
                y = 2.1f - 0.03f * static_cast<float>(i);
    SAME(__enzyme_truncate_op_func(F, 64, 32)(x, y), G(x, y));
    const double nx = __enzyme_truncate_mem_value(x, 64, 32),
                 ny = __enzyme_truncate_mem_value(y, 64, 32);
    SAME(__enzyme_expand_mem_value(
             __enzyme_truncate_mem_func(F, 64, 32)(nx, ny), 64, 32),
         G(x, y));
  }
}
#define BOTH(F) both<F<double>, F<float>>()

constexpr int N = 37;
static void in_memory(void) {
  float x[N], y[N] = {};
  double wide[N], out[N], narrow[N], narrow_out[N] = {};
  for (int i = 0; i < N; ++i) {
    x[i] = 0.1f * static_cast<float>(i + 1);
    wide[i] = x[i];
    narrow[i] = __enzyme_truncate_mem_value(x[i], 64, 32);
  }
  arrays(x, y, N);
  __enzyme_truncate_op_func(arrays<double>, 64, 32)(wide, out, N);
  __enzyme_truncate_mem_func(arrays<double>, 64, 32)(narrow, narrow_out, N);
  for (int i = 0; i < N; ++i) {
    SAME(out[i], y[i]);
    SAME(__enzyme_expand_mem_value(narrow_out[i], 64, 32), y[i]);
  }
}

/// Float to half precision.
static float halves(float x, float y) { return x * y + x / 3.0f; }
static void to_half(void) {
#ifdef __FLT16_MAX__
  for (int i = 0; i < 30; ++i) {
    const float x = 0.37f * static_cast<float>(i), y = 1.7f;
    const _Float16 hx = static_cast<_Float16>(x), hy = static_cast<_Float16>(y);
    const _Float16 product = hx * hy, third = hx / static_cast<_Float16>(3.0f);
    const _Float16 sum = product + third;
    SAME(__enzyme_truncate_op_func(halves, 32, 16)(x, y),
         static_cast<float>(sum));
    SAME(__enzyme_expand_mem_value_float(
             __enzyme_truncate_mem_func(halves, 32, 16)(
                 __enzyme_truncate_mem_value_float(x, 32, 16),
                 __enzyme_truncate_mem_value_float(y, 32, 16)),
             32, 16),
         static_cast<float>(sum));
  }
#endif
}

/// What is not of the format stays as it is; a function that is asked for twice
/// is right both times.
static double outside(double x, float z) {
  const double y = x + 1e-12;
  return y * static_cast<double>(z * 1.1f);
}
static double in_float(double x, double y) {
  return __enzyme_truncate_op_func(formula<double>, 64, 32)(x, y);
}

int main() {
  BOTH(formula);
  BOTH(functions);
#if !__has_feature(address_sanitizer) // its kin look at the bits of numbers
  BOTH(choices);
#endif
  BOTH(calls);
  BOTH(memory);
  BOTH(complexes);
  BOTH(parts);
  in_memory();
  to_half();
  SAME(__enzyme_truncate_op_func(outside, 64, 32)(0.7, 1.3f),
       0.7f * (1.3f * 1.1f));
  // It has a derivative: that of its operations.
  double dx = 0, x = 1.25, y = 0.75;
  dx = __enzyme_autodiff<double>((void *)in_float, enzyme_out, x, enzyme_const,
                                 y);
  NEAR(dx, (x * y - x / y + 0.1) + (y - 1 / y) * (x - 3), 1e-6);
  return finish();
}
