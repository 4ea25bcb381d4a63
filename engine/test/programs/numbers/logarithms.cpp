// Logarithms that take a number apart by its bits: the exponent is a step, the
// mantissa, with the sign or without it, the number times a power of two.
#include "../check.h"
#include <bit>
float __enzyme_autodiff_narrow(void *, float);
float __enzyme_fwddiff_narrow(void *, float, float);
static double mantissa(double x, double one, uint64_t keep) {
  const uint64_t bits = std::bit_cast<uint64_t>(x) & keep;
  return std::bit_cast<double>(bits | std::bit_cast<uint64_t>(one));
}
static int exponent(double x) {
  return (int)(std::bit_cast<uint64_t>(x) >> 52 & 0x7ff) - 1023;
}
static float mantissa(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x) & 0x7fffff;
  return std::bit_cast<float>(bits | 0x3f800000);
}
/// log|x|: of the mantissa by a series in (m - 1) / (m + 1).
static double logarithm(double x) {
  const double m = mantissa(x, 1, 0xfffffffffffff);
  const double t = (m - 1) / (m + 1);
  double sum = 0, power = t;
  for (int k = 1; k < 40; k += 2, power *= t * t)
    sum += power / k;
  return 2 * sum + exponent(x) * 0.6931471805599453;
}
// Without the sign: numbers below zero have the mantissa of their magnitude.
static double logarithms(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[(i + 1) % n] * logarithm(3 * x[i]);
  return sum;
}
static double halves(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[0] * mantissa(3 * x[i], 0.5, 0xfffffffffffff) +
           mantissa(x[i] / 3, 2, 0x800fffffffffffff);
  return sum;
}
// Of numbers that are loaded as integers, with a tag that says what they are.
static double loaded(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += mantissa(x[i], 0.5, 0xfffffffffffff) * (i + 1);
  return sum * sum;
}
// Of floats: differences in double see steps, this does not.
static float narrow(float x) { return mantissa(x) * mantissa(x); }

int main() {
  check_modes<logarithms>();
  check_modes<halves>();
#ifdef __OPTIMIZE__ // else there are no tags
  check_modes<loaded>();
#endif
  // -6.5 = -1.625 2^2
  const double want = 2 * 1.625 / -4;
  NEAR((double)__enzyme_autodiff_narrow((void *)narrow, -6.5f), want, 1e-6);
  NEAR((double)__enzyme_fwddiff_narrow((void *)narrow, -6.5f, 1.0f), want,
       1e-6);
  return finish();
}
