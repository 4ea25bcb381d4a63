// Rounding by adding a large number and taking it away: flat but for jumps.
// Mantissas that are taken with bit operations.
#include "../check.h"

static double rounded(double x) {
  const double large = 4503599627370496.0; // 2^52
  double a = fabs(x) + large;
  return copysign(a - large, x);
}
/// The same with a large number of the sign of what is rounded, as libraries of
/// vectors have it, or chosen by it.
static double by_sign(double x) {
  const double large = copysign(4503599627370496.0, x);
  return (x + large) - large;
}
static double by_choice(double x) {
  const double large = x < 0 ? -4503599627370496.0 : 4503599627370496.0;
  return -(large - (x + large));
}
/// The exponential function as vectorized libraries have it.
static double exponential(double x) {
  const double magic = 6755399441055744.0; // 1.5 2^52
  double shifted = x * 1.4426950408889634 + magic, n = shifted - magic;
  int64_t bits;
  memcpy(&bits, &shifted, sizeof bits);
  bits = (int64_t)((uint64_t)(bits + 1023) << 52);
  double power, r = x - n * 0.69314718055994531, s = 1, term = 1;
  memcpy(&power, &bits, sizeof power);
  for (int k = 1; k < 14; ++k)
    s += term *= r / k;
  return s * power;
}
static double fraction(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double f = x[i] - rounded(x[i]);
    double g = x[i] - by_sign(x[i]), h = 2 * x[i] - by_choice(2 * x[i]);
    s += f * f * (i + 1) + exponential(x[i]) * rounded(3 * x[i]);
    s += g * h * x[i];
  }
  return s;
}
/// The logarithm, of a mantissa in [0.5, 1) or [1, 2) and an exponent.
static double logarithm(double x, uint64_t exponent) {
  uint64_t bits, kept;
  memcpy(&bits, &x, sizeof bits);
  kept = (bits & 0x800fffffffffffffu) | (exponent << 52);
  double m, e = (double)(bits >> 52 & 0x7ff) - (double)exponent, s = 0;
  memcpy(&m, &kept, sizeof m);
  double t = (m - 1) / (m + 1), power = t;
  for (int k = 1; k < 40; k += 2, power *= t * t)
    s += 2 * power / k;
  return s + e * 0.69314718055994531;
}
static double logarithms(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += logarithm(x[i] * x[i], 1022) * logarithm(40 * x[i] * x[i] + 1, 1023);
  return s;
}
static double single(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    float y = (float)x[i] * 4, f = y - ((y + 12582912.f) - 12582912.f);
    s += f * f * x[i];
  }
  return s;
}

int main(void) {
  double x[4] = {0.8, -1.22, 2.3, 0.1}, d[4] = {0}, g[4] = {0};
  double v[4] = {0.3, 0.2, -0.4, 0.7};
  __enzyme_autodiff_void((void *)fraction, enzyme_dup, x, d, enzyme_const, 4);
  GRADIENT(fraction, x, d, 4);
  NEAR(__enzyme_fwddiff((void *)fraction, enzyme_dup, x, v, enzyme_const, 4),
       dot(d, v, 4), 1e-12);
  double h[4] = {0};
  __enzyme_autodiff_void((void *)logarithms, enzyme_dup, x, h, enzyme_const, 4);
  GRADIENT(logarithms, x, h, 4);
  NEAR(__enzyme_fwddiff((void *)logarithms, enzyme_dup, x, v, enzyme_const, 4),
       dot(h, v, 4), 1e-12);
  __enzyme_autodiff_void((void *)single, enzyme_dup, x, g, enzyme_const, 4);
  for (int i = 0; i < 4; ++i) {
    double y = 4 * x[i], f = y - rint(y);
    NEAR(g[i], f * f + 8 * f * x[i], 1e-5);
  }
  return finish();
}
