//===- domain.h - Where the rules are tested ------------------------------===//

#ifndef RETROGRADE_TEST_RULES_DOMAIN_H
#define RETROGRADE_TEST_RULES_DOMAIN_H

#include "primal.h"

#include <vector>

namespace retro::rules::test {

/// One operand each.
inline std::vector<Point> line(std::initializer_list<double> xs) {
  std::vector<Point> points;
  for (double x : xs)
    points.push_back({{x}});
  return points;
}

/// Ordinary points of the domain of \p id, away from kinks and jumps, together
/// with large and small ones where the derivative still is an ordinary number.
/// Differences in binary128 give the derivative to full double precision here.
inline std::vector<Point> domain(RuleId id) {
  using P = std::vector<Point>;
  switch (id) {
  case RuleId::None:
    return {};
  case RuleId::Neg:
  case RuleId::Sin:
  case RuleId::Cos:
  case RuleId::Atan:
  case RuleId::Asinh:
  case RuleId::Cbrt:
    return line({0.3, 1, 2.75, -0.3, -1.25, -17, 1e-8, -1e-8, 1e5});
  case RuleId::Tan:
    return line({0.3, 1, 1.5707, -0.3, -1.25, 17, 1e-8, 0});
  case RuleId::Exp:
  case RuleId::Exp2:
  case RuleId::Exp10:
  case RuleId::Expm1:
    return line({0, 0.3, 1, -1, -2.5, 17, -25, 250, 1e-8, -1e-300});
  case RuleId::Log:
  case RuleId::Log2:
  case RuleId::Log10:
  case RuleId::Sqrt:
    return line({0.3, 1, 2.75, 9, 1e-8, 1e-90, 1e90, 1e-280});
  case RuleId::Rsqrt:
    return line({0.3, 1, 2.75, 9, 1e-8, 1e-90, 1e90});
  case RuleId::Log1p:
    return line({0, 0.3, 1, -0.5, -0.999, 17, 1e-8, -1 + 1e-10});
  case RuleId::Asin:
  case RuleId::Acos:
  case RuleId::Atanh:
    return line({0, 0.3, -0.3, 0.5, -0.75, 0.999, -1 + 1e-10, 1e-8});
  case RuleId::Sinpi:
  case RuleId::Cospi:
    return line({0, 0.25, 0.3, 1.7, -0.3, -2.2, 1e-8, 1000.125});
  case RuleId::Tanpi:
    return line({0, 0.25, 0.3, 1.7, -0.3, -2.2, 1e-8, 0.499});
  case RuleId::Sinh:
  case RuleId::Cosh:
    return line({0, 0.3, -0.3, 2, -5, 30, 700, 1e-8});
  case RuleId::Tanh:
    return line({0, 0.3, -0.3, 2, -5, 30, 1e-8});
  case RuleId::Acosh:
    return line({1.5, 2, 30, 1 + 1e-8});
  case RuleId::Flat:
  case RuleId::Shift:
    return line({0.3, 2.75, -0.3, -1.25, 100.5});
  case RuleId::Fabs:
    return line({0.3, 2.75, -0.3, -1.25, 1e-300, -1e300});
  case RuleId::Frexp:
    return line({0.3, 2.75, -0.3, -1.25, 12.7, 1e-100, -3e100});
  case RuleId::Erf:
  case RuleId::Erfc:
    return line({0, 0.3, -0.3, 1, -2, 4, 1e-8});
  case RuleId::Tgamma:
    return line({0.5, 1, 1.5, 2, 3.7, 10, 100, -0.5, -1.5, -3.3, 1e-8, 0.1});
  case RuleId::Lgamma:
    return line({0.5, 1, 1.3, 2, 3.7, 10, 100, -0.5, -3.3, 1e-8, 0.1, 1e10});
  case RuleId::J0:
  case RuleId::J1:
  case RuleId::Y0:
  case RuleId::Y1:
    return line({0.5, 2, 7.3, 0.01, 30});
  case RuleId::Jn:
  case RuleId::Yn: {
    P points;
    for (int n : {0, 1, 2, 3, 5, -1, -2})
      for (double x : {0.5, 2.5, 7.3})
        points.push_back({{0, x}, n});
    return points;
  }
  case RuleId::Add:
  case RuleId::Sub:
  case RuleId::Mul:
  case RuleId::Div:
    return P{{{2, 3}},     {{-2, 3}},      {{0.1, -7}},
             {{-5, -0.3}}, {{1e90, 2e90}}, {{3e-90, 1e-90}}};
  case RuleId::Fma:
    return P{{{2, 3, 4}}, {{-2, 3, 1}}, {{0.1, -7, -2}}, {{1e90, 1e-90, 0.5}}};
  case RuleId::Remainder:
    return P{{{7.3, 2}}, {{-7.3, 2}}, {{7.3, -2}},    {{-7.3, -2}},
             {{1.1, 4}}, {{1.2, 5}},  {{100.7, 0.9}}, {{20.7, 3.1}}};
  case RuleId::Atan2:
    return P{{{1, 2}},          {{2, 1}},         {{-1, 2}},
             {{1, -2}},         {{-2, -1}},       {{0.3, -0.1}},
             {{1e-3, 1e3}},     {{1e200, 2e200}}, {{2e200, -1e200}},
             {{3e-200, 1e-200}}};
  case RuleId::Pow:
    return P{{{2, 3}}, {{0.5, 2.5}},  {{3, -1.5}},   {{1, 4}},   {{1.3, 0}},
             {{7, 1}}, {{0.2, -0.3}}, {{1e-100, 2}}, {{5, 100}}, {{1e10, -10}}};
  case RuleId::Powi: {
    P points;
    for (int n : {-4, -1, 0, 1, 2, 3, 8, 13})
      for (double x : {1.3, -0.8, 2.0, 1e-9})
        points.push_back({{x}, n});
    return points;
  }
  case RuleId::Hypot:
    return P{{{3, 4}},     {{-3, 4}},        {{5, -12}},
             {{0.1, 0.2}}, {{3e180, 4e180}}, {{3e-180, -4e-180}}};
  case RuleId::Hypot3:
    return P{{{3, 4, 12}}, {{-1, 0.5, 2}}, {{3e180, 4e180, -1e180}}};
  case RuleId::Copysign:
    return P{{{2, 3}}, {{2, -3}}, {{-2, 3}}, {{-2, -3}}, {{1e-5, -1e5}}};
  case RuleId::Fmin:
  case RuleId::Fmax:
  case RuleId::Minimum:
  case RuleId::Maximum:
  case RuleId::Fdim:
    return P{{{2, 3}}, {{3, 2}}, {{-2, 1}}, {{-1, -4}}, {{1e-5, 1e5}}};
  case RuleId::Nextafter:
    return P{{{2, 3}}, {{2, -3}}, {{-0.7, 0}}};
  case RuleId::Ldexp: {
    P points;
    for (int n : {-3, 0, 1, 40})
      for (double x : {0.7, -1.4, 3.0})
        points.push_back({{x}, n});
    return points;
  }
  }
  std::abort();
}

/// Values at which something special happens to some rule.
inline std::vector<double> specialValues() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  constexpr double huge = std::numeric_limits<double>::max();
  std::vector<double> values;
  for (double v :
       {0.0,  tiny,  1e-310, 1e-300, 0.25,   0.5,  1.0,   1.5,   2.0,  3.0,
        20.0, 170.0, 172.0,  710.0,  2000.0, 1e17, 1e160, 1e300, huge, inf}) {
    values.push_back(v);
    values.push_back(-v);
  }
  return values;
}

} // namespace retro::rules::test

#endif // RETROGRADE_TEST_RULES_DOMAIN_H
