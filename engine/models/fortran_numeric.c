// Numeric functions whose names are the Fortran runtime's: remainders, parts of
// a number, neighbours. Each becomes functions of C that have a rule, so that
// no rule is written a second time for another name.
#include "fortran.h"

double fmod(double, double);
float fmodf(float, float);
double ldexp(double, int);
float ldexpf(float, int);

double retro_fortran_ModuloReal8(double a, double p, const char *file,
                                 int line) {
  double r = fmod(a, p);
  return r != 0 && (r < 0) != (p < 0) ? r + p : r;
}

float retro_fortran_ModuloReal4(float a, float p, const char *file, int line) {
  float r = fmodf(a, p);
  return r != 0 && (r < 0) != (p < 0) ? r + p : r;
}

double retro_fortran_ModReal8(double a, double p, const char *file, int line) {
  return fmod(a, p);
}

float retro_fortran_ModReal4(float a, float p, const char *file, int line) {
  return fmodf(a, p);
}

double retro_fortran_Scale8(double x, int64_t n) { return ldexp(x, (int)n); }
float retro_fortran_Scale4(float x, int64_t n) { return ldexpf(x, (int)n); }

// Parts of a number: x = fraction 2^exponent, with 1/2 <= |fraction| < 1. As
// the standard says, those of an infinity are no numbers.
double frexp(double, int *);
float frexpf(float, int *);
double nextafter(double, double);
float nextafterf(float, float);
#define PARTS(N, T, F, DIGITS)                                                 \
  T retro_fortran_Fraction##N(T x) {                                           \
    int e;                                                                     \
    return __builtin_isinf(x) ? (T)__builtin_nan("") : frexp##F(x, &e);        \
  }                                                                            \
  T retro_fortran_SetExponent##N(T x, int64_t n) {                             \
    int e;                                                                     \
    if (__builtin_isinf(x))                                                    \
      return (T)__builtin_nan("");                                             \
    return ldexp##F(frexp##F(x, &e), (int)n);                                  \
  }                                                                            \
  T retro_fortran_RRSpacing##N(T x) {                                          \
    int e;                                                                     \
    if (__builtin_isinf(x))                                                    \
      return (T)__builtin_nan("");                                             \
    return ldexp##F(__builtin_fabs##F(frexp##F(x, &e)), DIGITS);               \
  }                                                                            \
  T retro_fortran_Nearest##N(T x, _Bool up) {                                  \
    return nextafter##F(x, up ? (T)__builtin_inf() : -(T)__builtin_inf());     \
  }
PARTS(8, double, , 53)
PARTS(4, float, f, 24)

double exp(double);
double erfc(double);
/// exp(x^2) erfc(x); where erfc(x) is small its continued fraction, which has
/// no exponential.
double retro_fortran_ErfcScaled8(double x) {
  const double root = 0.56418958354775628695; // 1 / sqrt(pi)
  if (x < 4)
    return exp(x * x) * erfc(x);
  double t = x;
  for (int k = 40; k; --k)
    t = x + 0.5 * k / t;
  return root / t;
}
float retro_fortran_ErfcScaled4(float x) {
  return (float)retro_fortran_ErfcScaled8(x);
}

#define POWER(NAME, T, N)                                                      \
  T retro_fortran_##NAME(T x, N n) {                                           \
    T r = 1;                                                                   \
    for (N k = n < 0 ? -n : n; k; k /= 2) {                                    \
      if (k % 2)                                                               \
        r *= x;                                                                \
      x *= x;                                                                  \
    }                                                                          \
    return n < 0 ? 1 / r : r;                                                  \
  }
POWER(PowerComplex4, Cfloat, int32_t)
POWER(PowerComplex8, Cdouble, int32_t)
POWER(PowerComplex4Long, Cfloat, int64_t)
POWER(PowerComplex8Long, Cdouble, int64_t)
