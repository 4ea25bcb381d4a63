//===- libm.h - The C library's functions, overloaded over their types ----===//
//
// float, double, long double and binary128 under one name each, so that rules
// and primal functions can be evaluated in any of them. Binary128, with 113
// bits, makes finite differences that are exact where double is concerned.
//
//===----------------------------------------------------------------------===//

#ifndef RETROGRADE_TEST_RULES_LIBM_H
#define RETROGRADE_TEST_RULES_LIBM_H

#include <cmath>
#include <cstdlib>

namespace retro::rules::test {
using Quad = __float128;
}

// glibc has them all; not every compiler's headers declare the binary128 ones.
#define RETRO_ONE(name) extern "C" __float128 name##f128(__float128) noexcept;
#define RETRO_TWO(name)                                                        \
  extern "C" __float128 name##f128(__float128, __float128) noexcept;
// clang-format off: it would format such lists anew every time.
#define RETRO_ALL_ONE(X) \
  X(sqrt) X(cbrt) X(exp) X(exp2) X(exp10) X(expm1) X(log) X(log2) X(log10) \
  X(log1p) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) \
  X(tanh) X(asinh) X(acosh) X(atanh) X(fabs) X(trunc) X(round) X(floor) \
  X(nearbyint) X(logb) X(erf) X(erfc) X(tgamma) X(lgamma) X(j0) X(j1) X(y0) \
  X(y1)
#define RETRO_ALL_TWO(X) \
  X(pow) X(hypot) X(atan2) X(fmod) X(remainder) X(copysign) X(fmin) X(fmax) \
  X(fdim)
// clang-format on
#ifndef __HAVE_FLOAT128
#define __HAVE_FLOAT128 0
#endif
#if !__HAVE_FLOAT128
RETRO_ALL_ONE(RETRO_ONE)
RETRO_ALL_TWO(RETRO_TWO)
extern "C" __float128 ldexpf128(__float128, int) noexcept;
extern "C" __float128 frexpf128(__float128, int *) noexcept;
extern "C" __float128 jnf128(int, __float128) noexcept;
extern "C" __float128 ynf128(int, __float128) noexcept;
extern "C" __float128 nextafterf128(__float128, __float128) noexcept;
#endif
#undef RETRO_ONE
#undef RETRO_TWO

namespace retro::rules::test::libm {

#define RETRO_ONE(name)                                                        \
  inline float name(float x) { return ::name##f(x); }                          \
  inline double name(double x) { return ::name(x); }                           \
  inline long double name(long double x) { return ::name##l(x); }              \
  inline Quad name(Quad x) { return ::name##f128(x); }
#define RETRO_TWO(name)                                                        \
  inline float name(float x, float y) { return ::name##f(x, y); }              \
  inline double name(double x, double y) { return ::name(x, y); }              \
  inline long double name(long double x, long double y) {                      \
    return ::name##l(x, y);                                                    \
  }                                                                            \
  inline Quad name(Quad x, Quad y) { return ::name##f128(x, y); }
RETRO_ALL_ONE(RETRO_ONE)
RETRO_ALL_TWO(RETRO_TWO)
#undef RETRO_ONE
#undef RETRO_TWO
#undef RETRO_ALL_ONE
#undef RETRO_ALL_TWO

inline float ldexp(float x, int n) { return ::ldexpf(x, n); }
inline double ldexp(double x, int n) { return ::ldexp(x, n); }
inline long double ldexp(long double x, int n) { return ::ldexpl(x, n); }
inline Quad ldexp(Quad x, int n) { return ::ldexpf128(x, n); }

inline float jn(int n, float x) { return ::jnf(n, x); }
inline double jn(int n, double x) { return ::jn(n, x); }
inline long double jn(int n, long double x) { return ::jnl(n, x); }
inline Quad jn(int n, Quad x) { return ::jnf128(n, x); }
inline float yn(int n, float x) { return ::ynf(n, x); }
inline double yn(int n, double x) { return ::yn(n, x); }
inline long double yn(int n, long double x) { return ::ynl(n, x); }
inline Quad yn(int n, Quad x) { return ::ynf128(n, x); }

/// The fraction of frexp.
inline float fraction(float x) {
  int e;
  return ::frexpf(x, &e);
}
inline double fraction(double x) {
  int e;
  return ::frexp(x, &e);
}
inline long double fraction(long double x) {
  int e;
  return ::frexpl(x, &e);
}
inline Quad fraction(Quad x) {
  int e;
  return ::frexpf128(x, &e);
}

/// pi in the precision of T.
template <class T> T pi() { return T(4) * atan(T(1)); }

/// sin(pi x) and cos(pi x), with the period 2 of x taken off exactly; C23's
/// functions of these names are not in every C library yet.
template <class T> T sinpi(T x) {
  T r = remainder(x, T(2));
  if (r > T(0.5))
    r = T(1) - r;
  if (r < T(-0.5))
    r = T(-1) - r;
  return sin(pi<T>() * r);
}
template <class T> T cospi(T x) {
  T r = fabs(remainder(x, T(2)));
  return sin(pi<T>() * (T(0.5) - r));
}
template <class T> T tanpi(T x) { return sinpi(x) / cospi(x); }

/// x^n with an integer n.
template <class T> T powi(T x, long n) { return pow(x, T(n)); }

} // namespace retro::rules::test::libm

#endif // RETROGRADE_TEST_RULES_LIBM_H
