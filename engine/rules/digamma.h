//===- digamma.h - The digamma function over the abstract builder ---------===//

#ifndef RETROGRADE_RULES_DIGAMMA_H
#define RETROGRADE_RULES_DIGAMMA_H

#include "constants.h"
#include "ops.h"

namespace retro::rules {

/// psi(a) = d/da ln Gamma(a), which the C library does not have. Free of loops
/// and branches; exact to rounding in double and in long double, except that
/// close to a zero of psi the error is absolute. Poles at 0, -1, -2, ...
///
/// Three classical steps (DLMF chapter 5):
///   reflection  a < 0: psi(a) = psi(1 - a) - pi/tan(pi a)          (5.5.4)
///   recurrence  a < 12: psi(a) = psi(a + 1) - 1/a, repeated          (5.5.2)
///   asymptotics a >= 12: psi(a) ~ ln a - 1/(2a) - sum B_2k/(2k a^2k) (5.11.2)
/// With 10 terms and a >= 12 the first term left out is below 2e-22. The sum
/// of the reciprocals of the recurrence is p'/p for p = a(a + 1)(a + 2)...,
/// built factor by factor, so that it costs one division.
template <Ops B> Value<B> digamma(B &b, Value<B> a) {
  constexpr int shifts = 12;
  Value<B> none = zero(b, a);
  Value<B> one = b.constant(1.0, a);

  Bool<B> negative = b.lt(a, none);
  Value<B> mirrored = b.sub(one, a);
  Value<B> t = b.select(negative, mirrored, a);

  Value<B> far = b.constant(shifts, a);
  Value<B> p = one;
  Value<B> slope = none;
  for (int k = 0; k < shifts; ++k) {
    Bool<B> near = b.lt(t, far);
    Value<B> nextSlope = b.fma(slope, t, p);
    Value<B> nextP = b.mul(p, t);
    Value<B> nextT = b.add(t, one);
    slope = b.select(near, nextSlope, slope);
    p = b.select(near, nextP, p);
    t = b.select(near, nextT, t);
  }
  Value<B> reciprocals = b.div(slope, p);

  // B_2k / 2k as fractions, k = 1 ... 10 (DLMF 24.2.4).
  constexpr double series[][2] = {
      {1, 12},       {-1, 120}, {1, 252},      {-1, 240},      {1, 132},
      {-691, 32760}, {1, 12},   {-3617, 8160}, {43867, 14364}, {-174611, 6600}};
  Value<B> inverse = b.div(one, t);
  Value<B> w = b.mul(inverse, inverse);
  Value<B> tail = none;
  for (int k = 9; k >= 0; --k) {
    Value<B> coefficient = ratio(b, series[k][0], series[k][1], a);
    Value<B> sum = b.add(tail, coefficient);
    tail = b.mul(sum, w);
  }
  Value<B> half = b.constant(0.5, a);
  Value<B> halfInverse = b.mul(half, inverse);
  Value<B> logarithm = b.call(Fn::Log, t);
  Value<B> corrections = b.add(halfInverse, tail);
  Value<B> asymptotic = b.sub(logarithm, corrections);
  Value<B> forward = b.sub(asymptotic, reciprocals);

  // tan has period 1 in a: taking the nearest integer off first is exact.
  Value<B> nearest = b.call(Fn::Round, a);
  Value<B> offset = b.sub(a, nearest);
  Value<B> angle = b.mul(pi(b, a), offset);
  Value<B> tangent = b.call(Fn::Tan, angle);
  Value<B> cotangent = b.div(pi(b, a), tangent);
  Value<B> reflected = b.sub(forward, cotangent);
  return b.select(negative, reflected, forward);
}

} // namespace retro::rules

#endif // RETROGRADE_RULES_DIGAMMA_H
