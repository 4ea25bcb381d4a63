// The functions of the devices' math libraries, by libm's or by their
// definitions. Without them a kernel that calls one could not run where there
// is no device. Kernels call them by name, so no header declares them.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace {

constexpr double Pi = 3.14159265358979323846;

/// sin(πx) and cos(πx): exact where they are 0 and ±1.
double sinOfPi(double X) {
  double R = std::remainder(X, 2.0);
  if (R == 0 || std::fabs(R) == 1)
    return std::copysign(0.0, X);
  return std::fabs(R) > 0.5
             ? std::copysign(std::sin(Pi * (1 - std::fabs(R))), R)
             : std::sin(Pi * R);
}
double cosOfPi(double X) {
  double R = std::fabs(std::remainder(X, 2.0));
  if (R == 0.5)
    return 0;
  return R > 0.5 ? -std::cos(Pi * (1 - R)) : std::cos(Pi * R);
}

double normalCdf(double X) { return std::erfc(-X / std::sqrt(2.0)) / 2; }

/// erfc's inverse by bisection, then by Newton's method.
double inverseErfc(double Y) {
  if (!(Y > 0 && Y < 2))
    return Y == 0   ? std::numeric_limits<double>::infinity()
           : Y == 2 ? -std::numeric_limits<double>::infinity()
                    : std::numeric_limits<double>::quiet_NaN();
  double Low = -6, High = 28;
  for (int I = 0; I < 60; ++I) {
    double Middle = (Low + High) / 2;
    (std::erfc(Middle) > Y ? Low : High) = Middle;
  }
  double X = (Low + High) / 2;
  for (int I = 0; I < 2; ++I) {
    double Slope = -2 / std::sqrt(Pi) * std::exp(-X * X);
    if (Slope != 0)
      X -= (std::erfc(X) - Y) / Slope;
  }
  return X;
}
double inverseErf(double Y) {
  return std::fabs(Y) < 0.5 ? [](double Y) {
    double X = Y * std::sqrt(Pi) / 2;
    for (int I = 0; I < 40; ++I)
      X -= (std::erf(X) - Y) * std::sqrt(Pi) / 2 * std::exp(X * X);
    return X;
  }(Y)
                            : inverseErfc(1 - Y);
}
/// exp(x²)·erfc(x): by its continued fraction where the factors leave range.
double scaledErfc(double X) {
  if (X < 20)
    return std::exp(X * X) * std::erfc(X);
  double F = X;
  for (int K = 60; K > 0; --K)
    F = X + K / 2.0 / F;
  return 1 / (F * std::sqrt(Pi));
}
/// Modified Bessel functions of the first kind, by their series.
double besselI(int Order, double X) {
  double Half = X / 2, Term = Order ? Half : 1, Sum = Term;
  for (int K = 1; K < 2000 && std::fabs(Term) > 1e-17 * std::fabs(Sum); ++K) {
    Term *= Half * Half / (double(K) * (K + Order));
    Sum += Term;
  }
  return Sum;
}

} // namespace

extern "C" {

// Defines a function once, for both widths and under the names of both
// libraries.
#define BOTH1(Nv, Ocml, Expression)                                            \
  double __nv_##Nv(double X) { return double(Expression); }                    \
  float __nv_##Nv##f(float X) { return float(Expression); }                    \
  double __ocml_##Ocml##_f64(double X) { return double(Expression); }          \
  float __ocml_##Ocml##_f32(float X) { return float(Expression); }
#define BOTH2(Nv, Ocml, Expression)                                            \
  double __nv_##Nv(double X, double Y) { return double(Expression); }          \
  float __nv_##Nv##f(float X, float Y) { return float(Expression); }           \
  double __ocml_##Ocml##_f64(double X, double Y) {                             \
    return double(Expression);                                                 \
  }                                                                            \
  float __ocml_##Ocml##_f32(float X, float Y) { return float(Expression); }
#define SAME1(Name) BOTH1(Name, Name, std::Name(X))
#define SAME2(Name) BOTH2(Name, Name, std::Name(X, Y))

SAME1(acos)
SAME1(acosh)
SAME1(asin)
SAME1(asinh)
SAME1(atan)
SAME1(atanh)
SAME1(cbrt)
SAME1(ceil)
SAME1(cos)
SAME1(cosh)
SAME1(erf)
SAME1(erfc)
SAME1(exp)
SAME1(exp2)
SAME1(expm1)
SAME1(fabs)
SAME1(floor)
SAME1(lgamma)
SAME1(log)
SAME1(log10)
SAME1(log1p)
SAME1(log2)
SAME1(logb)
SAME1(nearbyint)
SAME1(rint)
SAME1(round)
SAME1(sin)
SAME1(sinh)
SAME1(sqrt)
SAME1(tan)
SAME1(tanh)
SAME1(tgamma)
SAME1(trunc)
SAME2(atan2)
SAME2(copysign)
SAME2(fdim)
SAME2(fmax)
SAME2(fmin)
SAME2(fmod)
SAME2(hypot)
SAME2(nextafter)
SAME2(pow)
SAME2(remainder)
BOTH1(rsqrt, rsqrt, 1 / std::sqrt(X))
BOTH1(rcbrt, rcbrt, 1 / std::cbrt(X))
BOTH1(exp10, exp10, std::pow(10.0, double(X)))
BOTH1(sinpi, sinpi, sinOfPi(X))
BOTH1(cospi, cospi, cosOfPi(X))
BOTH1(j0, j0, ::j0(X))
BOTH1(j1, j1, ::j1(X))
BOTH1(y0, y0, ::y0(X))
BOTH1(y1, y1, ::y1(X))
BOTH1(cyl_bessel_i0, i0, besselI(0, X))
BOTH1(cyl_bessel_i1, i1, besselI(1, X))
BOTH1(erfinv, erfinv, inverseErf(X))
BOTH1(erfcinv, erfcinv, inverseErfc(X))
BOTH1(erfcx, erfcx, scaledErfc(X))
BOTH1(normcdf, ncdf, normalCdf(X))
BOTH1(normcdfinv, ncdfinv, -std::sqrt(2.0) * inverseErfc(2 * double(X)))
BOTH2(rhypot, rhypot, 1 / std::hypot(X, Y))

double __nv_fma(double X, double Y, double Z) { return std::fma(X, Y, Z); }
float __nv_fmaf(float X, float Y, float Z) { return std::fma(X, Y, Z); }
double __ocml_fma_f64(double X, double Y, double Z) {
  return std::fma(X, Y, Z);
}
float __ocml_fma_f32(float X, float Y, float Z) { return std::fma(X, Y, Z); }
#define LENGTH(Name, Ocml, Before)                                             \
  double __nv_##Name(double X, double Y, double Z) {                           \
    return Before std::hypot(X, Y, Z);                                         \
  }                                                                            \
  float __nv_##Name##f(float X, float Y, float Z) {                            \
    return Before std::hypot(X, Y, Z);                                         \
  }                                                                            \
  double __ocml_##Ocml##_f64(double X, double Y, double Z) {                   \
    return Before std::hypot(X, Y, Z);                                         \
  }                                                                            \
  float __ocml_##Ocml##_f32(float X, float Y, float Z) {                       \
    return Before std::hypot(X, Y, Z);                                         \
  }
LENGTH(norm3d, len3, )
LENGTH(rnorm3d, rlen3, 1 /)

// libdevice's fast functions, for float alone, and ocml's native ones.
#define FAST(Nv, Ocml, Expression)                                             \
  float __nv_fast_##Nv(float X) { return float(Expression); }                  \
  float __ocml_native_##Ocml##_f32(float X) { return float(Expression); }
FAST(sinf, sin, std::sin(X))
FAST(cosf, cos, std::cos(X))
FAST(tanf, tan, std::tan(X))
FAST(expf, exp, std::exp(X))
FAST(exp10f, exp10, std::pow(10.0f, X))
FAST(logf, log, std::log(X))
FAST(log2f, log2, std::log2(X))
FAST(log10f, log10, std::log10(X))
float __ocml_native_sqrt_f32(float X) { return std::sqrt(X); }
float __ocml_native_rsqrt_f32(float X) { return 1 / std::sqrt(X); }
float __ocml_native_recip_f32(float X) { return 1 / X; }
float __nv_fast_powf(float X, float Y) { return std::pow(X, Y); }
float __nv_fast_fdividef(float X, float Y) { return X / Y; }
float __nv_frsqrt_rn(float X) { return 1 / std::sqrt(X); }
float __nv_saturatef(float X) { return std::fmin(std::fmax(X, 0), 1); }

// Functions with results by pointer, or integers.
#define SINCOS(T, Name, Sin, Cos)                                              \
  void Name(T X, T *S, T *C) {                                                 \
    *S = T(Sin);                                                               \
    *C = T(Cos);                                                               \
  }
SINCOS(double, __nv_sincos, std::sin(X), std::cos(X))
SINCOS(float, __nv_sincosf, std::sin(X), std::cos(X))
SINCOS(float, __nv_fast_sincosf, std::sin(X), std::cos(X))
SINCOS(double, __nv_sincospi, sinOfPi(X), cosOfPi(X))
SINCOS(float, __nv_sincospif, sinOfPi(X), cosOfPi(X))
#define OCML(T, Suffix)                                                        \
  T __ocml_sincos_##Suffix(T X, T *C) {                                        \
    *C = std::cos(X);                                                          \
    return std::sin(X);                                                        \
  }                                                                            \
  T __ocml_sincospi_##Suffix(T X, T *C) {                                      \
    *C = T(cosOfPi(X));                                                        \
    return T(sinOfPi(X));                                                      \
  }                                                                            \
  T __ocml_modf_##Suffix(T X, T *Whole) { return std::modf(X, Whole); }        \
  T __ocml_frexp_##Suffix(T X, int *E) { return std::frexp(X, E); }            \
  T __ocml_ldexp_##Suffix(T X, int E) { return std::ldexp(X, E); }             \
  T __ocml_scalbn_##Suffix(T X, int E) { return std::ldexp(X, E); }            \
  T __ocml_pown_##Suffix(T X, int N) { return T(std::pow(X, N)); }             \
  T __ocml_powr_##Suffix(T X, T Y) { return std::pow(X, Y); }                  \
  T __ocml_mad_##Suffix(T X, T Y, T Z) { return X * Y + Z; }                   \
  T __ocml_fmuladd_##Suffix(T X, T Y, T Z) { return X * Y + Z; }               \
  int __ocml_ilogb_##Suffix(T X) { return std::ilogb(X); }                     \
  int __ocml_isnan_##Suffix(T X) { return std::isnan(X); }                     \
  int __ocml_isinf_##Suffix(T X) { return std::isinf(X); }                     \
  int __ocml_isfinite_##Suffix(T X) { return std::isfinite(X); }               \
  int __ocml_signbit_##Suffix(T X) { return std::signbit(X); }                 \
  T __ocml_sqrt_rte_##Suffix(T X) { return std::sqrt(X); }                     \
  T __ocml_add_rte_##Suffix(T X, T Y) { return X + Y; }                        \
  T __ocml_sub_rte_##Suffix(T X, T Y) { return X - Y; }                        \
  T __ocml_mul_rte_##Suffix(T X, T Y) { return X * Y; }                        \
  T __ocml_div_rte_##Suffix(T X, T Y) { return X / Y; }                        \
  T __ocml_fma_rte_##Suffix(T X, T Y, T Z) { return std::fma(X, Y, Z); }
OCML(double, f64)
OCML(float, f32)
#define NV(T, F, D)                                                            \
  T __nv_modf##F(T X, T *Whole) { return std::modf(X, Whole); }                \
  T __nv_frexp##F(T X, int *E) { return std::frexp(X, E); }                    \
  T __nv_ldexp##F(T X, int E) { return std::ldexp(X, E); }                     \
  T __nv_scalbn##F(T X, int E) { return std::ldexp(X, E); }                    \
  T __nv_powi##F(T X, int N) { return T(std::pow(X, N)); }                     \
  int __nv_ilogb##F(T X) { return std::ilogb(X); }                             \
  int __nv_isnan##D(T X) { return std::isnan(X); }                             \
  int __nv_isinf##D(T X) { return std::isinf(X); }                             \
  int __nv_signbit##D(T X) { return std::signbit(X); }                         \
  long long __nv_llrint##F(T X) { return std::llrint(X); }                     \
  long long __nv_llround##F(T X) { return std::llround(X); }
NV(double, , d)
NV(float, f, f)
int __nv_isfinited(double X) { return std::isfinite(X); }
int __nv_finitef(float X) { return std::isfinite(X); }

#define ROUNDED(T, Letter)                                                     \
  T __nv_##Letter##add_rn(T X, T Y) { return X + Y; }                          \
  T __nv_##Letter##sub_rn(T X, T Y) { return X - Y; }                          \
  T __nv_##Letter##mul_rn(T X, T Y) { return X * Y; }                          \
  T __nv_##Letter##div_rn(T X, T Y) { return X / Y; }                          \
  T __nv_##Letter##sqrt_rn(T X) { return std::sqrt(X); }                       \
  T __nv_##Letter##rcp_rn(T X) { return 1 / X; }
ROUNDED(double, d)
ROUNDED(float, f)
double __nv_fma_rn(double X, double Y, double Z) { return std::fma(X, Y, Z); }
float __nv_fmaf_rn(float X, float Y, float Z) { return std::fma(X, Y, Z); }

// Integers and bits.
int __nv_abs(int X) { return X < 0 ? int(0u - unsigned(X)) : X; }
long long __nv_llabs(long long X) {
  return X < 0 ? (long long)(0ull - (unsigned long long)X) : X;
}
int __nv_min(int X, int Y) { return X < Y ? X : Y; }
int __nv_max(int X, int Y) { return X > Y ? X : Y; }
unsigned __nv_umin(unsigned X, unsigned Y) { return X < Y ? X : Y; }
unsigned __nv_umax(unsigned X, unsigned Y) { return X > Y ? X : Y; }
long long __nv_llmin(long long X, long long Y) { return X < Y ? X : Y; }
long long __nv_llmax(long long X, long long Y) { return X > Y ? X : Y; }
uint64_t __nv_ullmin(uint64_t X, uint64_t Y) { return X < Y ? X : Y; }
uint64_t __nv_ullmax(uint64_t X, uint64_t Y) { return X > Y ? X : Y; }
int __nv_popc(uint32_t X) { return std::popcount(X); }
int __nv_popcll(uint64_t X) { return std::popcount(X); }
int __nv_clz(uint32_t X) { return std::countl_zero(X); }
int __nv_clzll(uint64_t X) { return std::countl_zero(X); }
int __nv_ffs(uint32_t X) { return X ? std::countr_zero(X) + 1 : 0; }
int __nv_ffsll(uint64_t X) { return X ? std::countr_zero(X) + 1 : 0; }
uint64_t __nv_brevll(uint64_t X) {
  uint64_t R = 0;
  for (int I = 0; I < 64; ++I)
    R |= (X >> I & 1) << (63 - I);
  return R;
}
uint32_t __nv_brev(uint32_t X) { return uint32_t(__nv_brevll(X) >> 32); }
int __nv_mulhi(int X, int Y) { return int(int64_t(X) * Y >> 32); }
uint32_t __nv_umulhi(uint32_t X, uint32_t Y) {
  return uint32_t(uint64_t(X) * Y >> 32);
}
uint64_t __nv_umul64hi(uint64_t X, uint64_t Y) {
  return uint64_t((unsigned __int128)X * Y >> 64);
}
int64_t __nv_double_as_longlong(double X) { return std::bit_cast<int64_t>(X); }
double __nv_longlong_as_double(int64_t X) { return std::bit_cast<double>(X); }
int __nv_float_as_int(float X) { return std::bit_cast<int>(X); }
uint32_t __nv_float_as_uint(float X) { return std::bit_cast<uint32_t>(X); }
float __nv_int_as_float(int X) { return std::bit_cast<float>(X); }
float __nv_uint_as_float(uint32_t X) { return std::bit_cast<float>(X); }
int __nv_double2int_rn(double X) { return int(std::nearbyint(X)); }
int __nv_double2int_rz(double X) { return int(X); }
int __nv_double2int_ru(double X) { return int(std::ceil(X)); }
int __nv_double2int_rd(double X) { return int(std::floor(X)); }
int __nv_float2int_rn(float X) { return int(std::nearbyint(X)); }
int __nv_float2int_rz(float X) { return int(X); }
int __nv_float2int_ru(float X) { return int(std::ceil(X)); }
int __nv_float2int_rd(float X) { return int(std::floor(X)); }
double __nv_int2double_rn(int X) { return X; }
float __nv_int2float_rn(int X) { return float(X); }
float __nv_double2float_rn(double X) { return float(X); }
int __nv_double2hiint(double X) {
  return int(std::bit_cast<uint64_t>(X) >> 32);
}
int __nv_double2loint(double X) { return int(std::bit_cast<uint64_t>(X)); }
double __nv_hiloint2double(int High, int Low) {
  return std::bit_cast<double>(uint64_t(uint32_t(High)) << 32 | uint32_t(Low));
}

// The conversion to bfloat16 where the compiler's own library has none: to
// nearest, ties to even, in the register of a result.
__attribute__((weak)) __bf16 __truncsfbf2(float X) {
  uint32_t Bits = std::bit_cast<uint32_t>(X);
  bool IsNan = X != X;
  uint16_t Short = uint16_t((Bits + 0x7fff + (Bits >> 16 & 1)) >> 16);
  if (IsNan)
    Short = uint16_t(Bits >> 16 | 0x40);
  return std::bit_cast<__bf16>(Short);
}
__attribute__((weak)) __bf16 __truncdfbf2(double X) {
  // Rounds to odd first, so that rounding twice is rounding once.
  float F = float(X);
  uint32_t Bits = std::bit_cast<uint32_t>(F);
  if (double(F) != X && X == X && !(Bits & 1)) {
    bool Larger = std::fabs(double(F)) > std::fabs(X);
    Bits += Larger ? -1u : 1u;
  }
  return __truncsfbf2(std::bit_cast<float>(Bits));
}

} // extern "C"
