// Derivatives as the device's code computes them (lowered to this machine),
// against central differences of the host's functions in double.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#ifdef HIP
#define CUDA_FUNCTION(...)
#else
#define CUDA_FUNCTION FUNCTION
#endif
#define FUNCTION(name, real, ...)                                              \
  extern "C" real primal_##name(real), reverse_##name(real),                   \
      forward_##name(real), both_##name(real);
#include "functions.def"
#undef FUNCTION

namespace {
double rsqrt(double x) { return 1 / std::sqrt(x); }
double sinpi(double x) { return std::sin(M_PI * x); }
double cospi(double x) { return std::cos(M_PI * x); }
void sincospi(double x, double *s, double *c) {
  *s = sinpi(x);
  *c = cospi(x);
}
double __dadd_rz(double a, double b) { return a + b; }
double __dsub_rn(double a, double b) { return a - b; }
double __dmul_ru(double a, double b) { return a * b; }
double __ddiv_rn(double a, double b) { return a / b; }
double __fma_rd(double a, double b, double c) { return a * b + c; }
double __drcp_rn(double a) { return 1 / a; }
int __double2hiint(double x) {
  long long b;
  std::memcpy(&b, &x, 8);
  return int(b >> 32);
}
int __double2loint(double x) {
  long long b;
  std::memcpy(&b, &x, 8);
  return int(b);
}
double __hiloint2double(int hi, int lo) {
  long long b = (long long)hi << 32 | (unsigned)lo;
  double x;
  std::memcpy(&x, &b, 8);
  return x;
}
double __saturatef(double x) { return std::fmin(std::fmax(x, 0), 1); }
double __double2float_rn(double x) { return x; }
} // namespace
#define __dsqrt_rn std::sqrt
#define __fadd_rz __dadd_rz
#define __fsub_rd __dsub_rn
#define __fmul_ru __dmul_ru
#define __fdiv_rn __ddiv_rn
#define __fdividef __ddiv_rn
#define __fmaf_rd __fma_rd
#define __frcp_rn __drcp_rn
#define __fsqrt_rn std::sqrt
#define __frsqrt_rn rsqrt
#define rsqrtf rsqrt
#define sinf std::sin
#define cosf std::cos
#define tanf std::tan
#define atanf std::atan
#define asinf std::asin
#define expf std::exp
#define exp2f std::exp2
#define expm1f std::expm1
#define logf std::log
#define log2f std::log2
#define log10f std::log10
#define log1pf std::log1p
#define powf std::pow
#define sqrtf std::sqrt
#define cbrtf std::cbrt
#define hypotf std::hypot
#define tanhf std::tanh
#define sinhf std::sinh
#define erff std::erf
#define fminf std::fmin
#define fmaxf std::fmax
#define fabsf std::fabs
#define fmaf std::fma
#define sincosf sincos
#define __expf std::exp
#define __sinf std::sin
#define __cosf std::cos
#define __tanf std::tan
#define __logf std::log
#define __log2f std::log2
#define __log10f std::log10
#define __exp10f exp10
#define __powf std::pow
#define __sincosf sincos
#define float double
#define FUNCTION(name, real, ...)                                              \
  static double host_##name(double x) { __VA_ARGS__ }
#include "functions.def"
#undef FUNCTION
#undef float

static int Bad;
static void check(const char *Name, const char *What, double Got, double Want,
                  double Tolerance) {
  if (std::fabs(Got - Want) <= Tolerance * (1 + std::fabs(Want)))
    return;
  std::printf("%s of %s = %.9g, want %.9g\n", What, Name, Got, Want);
  ++Bad;
}
static double slope(double (*F)(double), double X) {
  double H = 1e-4;
  return (8 * (F(X + H) - F(X - H)) - (F(X + 2 * H) - F(X - 2 * H))) / (12 * H);
}

int main(int, char **Arguments) {
  double Loose = Arguments[1] ? std::atof(Arguments[1]) : 1;
  for (double X : {0.3, 0.9, 1.45, 3.05}) {
#define FUNCTION(name, real, ...)                                              \
  {                                                                            \
    const bool Short = sizeof(real) == 4;                                      \
    const double T = Loose * (Short ? 1e-4 : 1e-8),                            \
                 Want = slope(host_##name, X);                                 \
    check(#name, "primal", primal_##name(X), host_##name(X),                   \
          Short ? T : 1e-6);                                                   \
    check(#name, "reverse", reverse_##name(X), Want, T);                       \
    check(#name, "forward", forward_##name(X), Want, T);                       \
    check(#name, "two tangents", both_##name(X), Want, 3 * T);                 \
  }
#include "functions.def"
  }
  std::printf(Bad ? "%d values are wrong\n" : "all right\n", Bad);
  return Bad != 0;
}
