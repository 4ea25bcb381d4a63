// AMD's arithmetic, as far as a CPU has it.
#include <math.h>
#define SINGLE(Name, Value)                                                    \
  float gcn_##Name##_f32(float a) { return Value; }
#define DOUBLE(Name, Value)                                                    \
  double gcn_##Name##_f64(double a) { return Value; }
SINGLE(exp2, exp2f(a))
SINGLE(log, log2f(a))
SINGLE(rcp, 1 / a)
DOUBLE(rcp, 1 / a)
SINGLE(rsq, 1 / sqrtf(a))
DOUBLE(rsq, 1 / sqrt(a))
SINGLE(sqrt, sqrtf(a))
DOUBLE(sqrt, sqrt(a))
// Of turns.
SINGLE(sin, (float)sin(2 * M_PI * a))
SINGLE(cos, (float)cos(2 * M_PI * a))
SINGLE(fract, fminf(a - floorf(a), 0x1.fffffep-1f))
DOUBLE(fract, fmin(a - floor(a), 0x1.fffffffffffffp-1))
static int exponent(double a) {
  int e;
  frexp(a, &e);
  return e;
}
int gcn_frexp_exp_i32_f32(float a) { return exponent(a); }
int gcn_frexp_exp_i32_f64(double a) { return exponent(a); }
SINGLE(frexp_mant, ldexpf(a, -exponent(a)))
DOUBLE(frexp_mant, ldexp(a, -exponent(a)))
/// Is a one of the kinds in the mask: signaling and quiet NaN, -infinity,
/// negative normal and subnormal, -0, 0, and the positive ones from there?
static _Bool isOneOf(double a, _Bool small, int kinds) {
  int kind = isnan(a) ? 1 : isinf(a) ? 9 : a == 0 ? 6 : small ? 7 : 8;
  return kinds >> (kind > 1 && signbit(a) ? 11 - kind : kind) & 1;
}
_Bool gcn_class_f32(float a, int kinds) {
  return isOneOf(a, fpclassify(a) == FP_SUBNORMAL, kinds);
}
_Bool gcn_class_f64(double a, int kinds) {
  return isOneOf(a, fpclassify(a) == FP_SUBNORMAL, kinds);
}
// For arguments that are larger than those of the test.
double gcn_trig_preop_f64(double a, int b) {
  (void)a;
  (void)b;
  __builtin_trap();
}
