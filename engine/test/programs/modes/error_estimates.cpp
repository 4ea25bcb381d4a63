// Error estimates hold: the difference to the same function in binary128, with
// operands that are off by up to the errors given, lies below the bound. And
// they say something: over many draws it is not far above the greatest one.
#include "../check.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

MARKERS(enzyme_dupnoneed, enzyme_primal_return, enzyme_width);
template <typename R, typename... A> R __enzyme_error_estimate(A...);

using Quad = __float128;
// The same text for double, float and binary128.
#define ONE(F)                                                                 \
  extern "C" Quad F##f128(Quad);                                               \
  using std::F;                                                                \
  static Quad F(Quad x) { return F##f128(x); }
#define TWO(F)                                                                 \
  extern "C" Quad F##f128(Quad, Quad);                                         \
  using std::F;                                                                \
  static Quad F(Quad x, Quad y) { return F##f128(x, y); }
// clang-format off: it would format such lists anew every time.
ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh)
ONE(tanh) ONE(asinh) ONE(acosh) ONE(atanh) ONE(exp) ONE(exp2) ONE(expm1)
ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(sqrt) ONE(cbrt) ONE(erf) ONE(erfc)
ONE(tgamma) ONE(lgamma) ONE(fabs) TWO(pow) TWO(hypot) TWO(atan2) TWO(fmod)
    // clang-format on
    extern "C" Quad fmaf128(Quad, Quad, Quad);
using std::fma;
static Quad fma(Quad x, Quad y, Quad z) { return fmaf128(x, y, z); }

//===-- Functions of six numbers between -1 and 1 -------------------------===//

template <typename T> static T arithmetic(const T *x, int n) {
  T s = 0;
  for (int i = 0; i + 1 < n; ++i)
    s += x[i] * x[i + 1] / (2 + x[i]) - (x[i] - x[i + 1]) / 3;
  return s;
}
/// Loses the digits that the terms have in common.
template <typename T> static T cancels(const T *x, int) {
  T a = 1 + x[0] * x[0], b = (2 + x[1]) / 1024;
  T c = (a + b) * (a + b) - (a - b) * (a - b) - 4 * a * b;
  return c * 1048576 + (1 - cos(b)) / (b * b);
}
/// The smaller root of a quadratic equation, by the formula of the school.
template <typename T> static T root(const T *x, int) {
  T p = 1000 + x[0], q = 1 + x[1] / 2;
  return -p / 2 + sqrt(p * p / 4 - q);
}
template <typename T> static T series(const T *x, int) {
  T at = -12 + x[0], s = 0, t = 1;
  for (int i = 1; i < 90; ++i) {
    s += t;
    t *= at / i;
  }
  return s;
}
/// Every function of the table, within its domain.
template <typename T> static T functions(const T *x, int) {
  T a = x[0] * x[0] / 2 + T(0.25), s = 0; // between 1/4 and 3/4
  s += sin(x[1]) + cos(x[1]) + tan(x[1]) + asin(a) + acos(a) + atan(x[2]);
  s += sinh(x[3]) + cosh(x[3]) + tanh(x[3]) + asinh(x[4]) + acosh(1 + a);
  s += atanh(a) + exp(x[5]) + exp2(x[5]) + expm1(x[5]) + log(a) + log2(a);
  s += log10(a) + log1p(a) + sqrt(a) + cbrt(a) + erf(x[1]) + erfc(x[1]);
  s += tgamma(1 + a) + lgamma(3 + x[2]) + pow(a, x[3]) + hypot(a, x[4]);
  return s + atan2(a, x[5]) + fmod(x[0], a + 1) + fma(a, x[1], x[2]);
}
/// One of them, and no sum behind which its error would vanish.
template <typename T> static T gamma_alone(const T *x, int) {
  return tgamma(3 + x[0]);
}
template <typename T> static T choices(const T *x, int n) {
  T greatest = x[0], least = x[0];
  for (int i = 1; i < n; ++i) {
    T y = x[i] * x[i] / 3;
    greatest = greatest > y ? greatest : y;
    least = y < least ? y : least;
  }
  // Equal but for what is rounded.
  T a = x[0] / 3 + x[1] / 3, b = (x[0] + x[1]) / 3;
  return greatest - least + 4096 * fabs(a - b);
}
template <typename T> static T integers(const T *x, int n) {
  T s = 0;
  for (long i = 1; i <= 40; ++i)
    s += x[i % n] / static_cast<T>(i * i) +
         static_cast<T>(i << 56 | i) / T(0x1p60);
  return s;
}
/// Gaussian elimination, in memory of its own.
template <typename T> static T solve(const T *x, int n) {
  std::vector<T> a(static_cast<size_t>(n * n)), b(x, x + n);
  auto A = [&](int i, int k) -> T & {
    return a[static_cast<size_t>(i * n + k)];
  };
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      A(i, k) = T(1) / T(i + k + 1) + (i == k ? 1 + x[i] * x[i] : T(0));
  for (int p = 0; p < n; ++p)
    for (int i = p + 1; i < n; ++i) {
      T f = A(i, p) / A(p, p);
      for (int k = p; k < n; ++k)
        A(i, k) -= f * A(p, k);
      b[static_cast<size_t>(i)] -= f * b[static_cast<size_t>(p)];
    }
  T s = 0;
  for (int i = n - 1; i >= 0; --i) {
    T r = b[static_cast<size_t>(i)];
    for (int k = i + 1; k < n; ++k)
      r -= A(i, k) * b[static_cast<size_t>(k)];
    s += b[static_cast<size_t>(i)] = r / A(i, i);
  }
  return s;
}
/// The variance in one pass.
template <typename T> static T variance(const T *x, int n) {
  T s = 0, q = 0;
  for (int i = 0; i < n; ++i) {
    T y = 1000 + x[i];
    s += y;
    q += y * y;
  }
  return (q - s * s / n) / (n - 1);
}
template <typename T> static std::complex<T> exponential(std::complex<T> z) {
  return std::exp(z);
}
static std::complex<Quad> exponential(std::complex<Quad> z) {
  Quad size = exp(z.real());
  return {size * cos(z.imag()), size * sin(z.imag())};
}
template <typename T> static T pairs(const T *x, int) {
  std::complex<T> z(x[0], x[1]), w(x[2] + 2, x[3]);
  std::complex<T> s = z * w / (w - z / T(3)) + exponential(z * w);
  s = s * s / std::complex<T>(x[4], x[5] / 4 + 2);
  return s.real() + 2 * s.imag();
}
template <typename T> struct State {
  T angle, speed;
};
template <typename T> static State<T> pushed(State<T> s, T h) {
  T middle = s.speed - h / 2 * sin(s.angle);
  T angle = s.angle + h * middle;
  return {angle, middle - h / 2 * sin(angle)};
}
template <typename T> static T pendulum(const T *x, int) {
  State<T> s{x[0], x[1]};
  for (int i = 0; i < 100; ++i)
    s = pushed(s, T(0.0625));
  return s.angle * s.angle + s.speed;
}
template <typename T> static T recursive(T x, int n) {
  return n == 0 ? x : x * recursive(x / 2 + T(0.1), n - 1) + 1 / (x + 3);
}
template <typename T> static T calls(const T *x, int) {
  return recursive(x[0], 6) - recursive(x[1], 5);
}
template <typename T> static T kept;
template <typename T> static T through_globals(const T *x, int n) {
  kept<T> = 0;
  for (int i = 0; i < n; ++i)
    kept<T> = kept<T> / 3 + x[i];
  return kept<T>;
}

//===-- What is held against what -----------------------------------------===//

constexpr int N = 6, Draws = 60;

static uint64_t drawn = 88172645463325252u;
static double draw(void) { // between -1 and 1
  drawn ^= drawn << 13;
  drawn ^= drawn >> 7;
  drawn ^= drawn << 17;
  return static_cast<double>(static_cast<int64_t>(drawn >> 11)) * 0x1p-52 - 1;
}

struct Found {
  double truth = 0, bound = 0; ///< the greatest
};
static double differs(Quad a, double b) {
  return static_cast<double>(fabs(a - b));
}

/// The number and its error are from one request, or the number from a call.
template <typename T> struct Estimate {
  T value, error;
};

template <typename T, T (*F)(const T *, int), Quad (*Exact)(const Quad *, int)>
static void within(const char *name, double size, double most) {
  Found found;
  for (int k = 0; k < Draws; ++k) {
    T x[N], e[N];
    Quad q[N];
    for (int i = 0; i < N; ++i) {
      x[i] = static_cast<T>(draw());
      e[i] = static_cast<T>(size * fabs(draw()));
      q[i] = Quad(x[i]) + Quad(e[i]) * draw();
    }
    auto got = __enzyme_error_estimate<Estimate<T>>(
        (void *)F, enzyme_primal_return, enzyme_dup, x, e, enzyme_const, N);
    T called = F(x, N);
    Quad exact = Exact(q, N);
    double truth = std::max(differs(exact, got.value), differs(exact, called));
    found.truth = std::max(found.truth, truth);
    found.bound = std::max(found.bound, static_cast<double>(got.error));
    ++checks;
    if (truth <= got.error)
      continue;
    ++failures;
    printf("%s, draw %d: %.17g differs by %g, and %g is the bound\n", name, k,
           static_cast<double>(got.value), truth,
           static_cast<double>(got.error));
  }
  ++checks;
  if (getenv("SHOW"))
    printf("%-16s %8.1e: true %.2e, bound %.2e, %.1f times\n", name, size,
           found.truth, found.bound, found.bound / found.truth);
  if (found.bound <= most * found.truth)
    return;
  ++failures;
  printf("%s: bounds up to %g, where nothing differs by more than %g\n", name,
         found.bound, found.truth);
}
/// With exact operands the greatest bound is at most so many times the greatest
/// difference. Errors count as if none made up for another one, which is far
/// from what they do in a series of both signs or in a system that swings.
#define WITHIN(F, times)                                                       \
  within<double, F<double>, F<Quad>>(#F, 0, times);                            \
  within<double, F<double>, F<Quad>>(#F " off", 1e-11, 1e300);                 \
  within<float, F<float>, F<Quad>>(#F " float", 0, times)

/// Errors of results in memory lie in its shadow; those of a constant operand
/// are none, and what is computed with it is rounded all the same.
static void smooth(const double *x, const double *w, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = w[0] * x[i] + w[1] * x[(i + 1) % n] / 3;
}
static void in_memory(void) {
  const double x[3] = {0.1, 0.7, -0.3}, w[2] = {0.3, 0.6};
  double y[3], e[3] = {0, 1e-9, 0}, ey[3] = {5, 5, 5};
  __enzyme_error_estimate<void>((void *)smooth, enzyme_dup, x, e, enzyme_const,
                                w, enzyme_dup, y, ey, enzyme_const, 3);
  NEAR(ey[0] * 1e9, 0.2, 1e-5);
  NEAR(ey[1] * 1e9, 0.3, 1e-5);
  ++checks;
  failures += !(ey[2] > 0x1p-55 && ey[2] < 0x1p-51);
  double unread[3], ez[3] = {};
  __enzyme_error_estimate<void>((void *)smooth, enzyme_dup, x, e, enzyme_const,
                                w, enzyme_dupnoneed, unread, ez, enzyme_const,
                                3);
  for (int i = 0; i < 3; ++i)
    NEAR(ez[i] * 1e15, ey[i] * 1e15, 1e-14);
}

static double third(double x) { return x / 3; }
static float narrow(double x) { return static_cast<float>(x); }
static double moved(double x) { return -fabs(x) * 4; }
static double large(long n) { return static_cast<double>(n); }
static double slope_of(double x) {
  return __enzyme_autodiff((void *)+[](double y) { return y * y * y; }, x);
}

struct Two {
  double a, b;
};

/// Units in the last place, one by one.
static void by_hand(void) {
  NEAR(__enzyme_error_estimate<double>((void *)third, 1.0, 0.0) * 0x1p54, 1,
       0); // of 0.33
  NEAR(__enzyme_error_estimate<float>((void *)narrow, 1.7, 0.0) * 0x1p23, 1, 0);
  NEAR(__enzyme_error_estimate<double>((void *)moved, 0.7, 0.0), 0, 0);
  NEAR(__enzyme_error_estimate<double>((void *)moved, 0.7, 1e-3), 4e-3, 1e-15);
  NEAR(__enzyme_error_estimate<double>((void *)large, (1L << 53)), 0, 0);
  NEAR(__enzyme_error_estimate<double>((void *)large, (1L << 60) + 1), 256, 0);
  // The errors of a derivative: two products of three.
  const double e = __enzyme_error_estimate<double>((void *)slope_of, 1.1, 0.0);
  ++checks;
  failures += !(e >= 0x1p-52 && e <= 8 * 0x1p-52);
  // Several errors at once.
  Two two = __enzyme_error_estimate<Two>((void *)third, enzyme_width, 2,
                                         enzyme_dup, 1.0, 0.0, 3e-3);
  NEAR(two.a * 0x1p54, 1, 0);
  NEAR(two.b, 1e-3, 1e-12);
}

int main() {
  WITHIN(arithmetic, 20);
  WITHIN(cancels, 20);
  WITHIN(root, 20);
  WITHIN(series, 1000);
  WITHIN(functions, 20);
  WITHIN(gamma_alone, 20);
  WITHIN(choices, 20);
  WITHIN(integers, 20);
  WITHIN(solve, 50);
  WITHIN(variance, 20);
  WITHIN(pairs, 60);
  WITHIN(pendulum, 2000);
  WITHIN(calls, 20);
  WITHIN(through_globals, 20);
  in_memory();
  by_hand();
  return finish();
}
