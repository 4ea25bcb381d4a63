#include "numeric.h"

#include "differences.h"
#include "domain.h"

#include <algorithm>
#include <sstream>

namespace retro::proofs {

using rules::test::Dual;
using rules::test::NumericOps;
using rules::test::Point;
using rules::test::Quad;

namespace {

int floatsOf(RuleId id) {
  int integer = rules::integerOperand(id);
  int all = (1 << rules::arityOf(id)) - 1;
  return integer < 0 ? all : all & ~(1 << integer);
}

/// The derivative by operand \p i in binary128, with the steps that suit best.
Quad reference(RuleId id, const Point &p, int i) {
  std::array<Quad, 3> at{Quad(p.x[0]), Quad(p.x[1]), Quad(p.x[2])};
  auto along = [&](Quad value) {
    std::array<Quad, 3> moved = at;
    moved[static_cast<std::size_t>(i)] = value;
    return rules::test::primal<Quad>(id, moved, p.n);
  };
  Quad here = at[static_cast<std::size_t>(i)];
  Quad size = rules::test::libm::fabs(here);
  rules::test::Estimate best =
      rules::test::differentiate(along, here, size > 0 ? size : Quad(1), 3);
  for (auto [scale, coarsest] : {std::pair(size, 12), std::pair(Quad(1), 3)}) {
    if (!(scale > 0))
      continue;
    auto other = rules::test::differentiate(along, here, scale, coarsest);
    auto relative = [](const rules::test::Estimate &e) {
      return e.error / (rules::test::libm::fabs(e.value) + Quad(1e-300));
    };
    if (relative(other) < relative(best))
      best = other;
  }
  return best.value;
}

/// Ordinary points of the domain, and those where something special happens.
std::vector<Point> pointsOf(RuleId id, bool special) {
  std::vector<Point> points = rules::test::domain(id);
  if (!special)
    return points;
  int integer = rules::integerOperand(id);
  int floats = rules::arityOf(id) - (integer >= 0);
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values{0.0, -0.0, 0.5, -0.5, 1.0,  -1.0,   2.0,
                                   2.5, -3.0, 7.3, inf,  -inf, 1e-310, nan};
  const std::vector<double> once{0.0};
  for (double a : values)
    for (double b : floats > 1 ? values : once)
      for (double c : floats > 2 ? values : once)
        for (int n : integer >= 0 ? std::vector<int>{-1, 0, 1, 2, 3}
                                  : std::vector<int>{0})
          points.push_back(integer == 0 ? Point{{0, a}, n}
                                        : Point{{a, b, c}, n});
  // Quotients near an integer, which rounding may take for a smaller one.
  for (int k = 1; floats == 2 && k < 40; ++k)
    points.push_back({{k * 0.7 + 0.1, 0.7}});
  return points;
}

template <class T> bool same(T x, T y) {
  if (x != x || y != y)
    return x != x && y != y;
  return x == y || std::fabs(x - y) <= 1e-9 * std::fabs(y);
}

} // namespace

Evidence numericEvidence(RuleId id) {
  Evidence e;
  for (const Point &p : pointsOf(id, false))
    for (int i = 0; i < rules::arityOf(id); ++i) {
      if (i == rules::integerOperand(id))
        continue;
      double got = rules::test::pullAt<double>(id, p, 1.0, i);
      double want = static_cast<double>(reference(id, p, i));
      if (!std::isfinite(got) || !std::isfinite(want)) {
        e.error = std::numeric_limits<double>::infinity();
        continue;
      }
      ++e.partials;
      e.error = std::max(e.error, std::fabs(got - want) /
                                      std::max(1.0, std::fabs(want)));
    }
  return e;
}

std::string differsAt(RuleId id, Mutation m) {
  int floats = floatsOf(id);
  NumericOps<double> b;
  NumericOps<Dual<double>> twice;
  for (const Point &p : pointsOf(id, true)) {
    auto x = rules::test::operandsAt<double>(id, p);
    NumericOps<Dual<double>>::Operands moving;
    for (std::size_t k = 0; k < 3; ++k) {
      moving.floats[k] = x.floats[k];
      moving.ints[k] = x.ints[k];
    }
    moving.result = x.result;
    for (double g : {1.0, 0.0, -2.5, std::numeric_limits<double>::quiet_NaN(),
                     std::numeric_limits<double>::denorm_min()}) {
      double right = pullWith(id, b, x, g, m.operand, floats, {});
      double wrong = pullWith(id, b, x, g, m.operand, floats, m);
      Dual<double> seed(g, 1);
      double slope = pullWith(id, twice, moving, seed, m.operand, floats, {}).d;
      double wrongSlope =
          pullWith(id, twice, moving, seed, m.operand, floats, m).d;
      bool ordinary = std::isfinite(right) && std::isfinite(slope);
      if (same(wrong, right) && (!ordinary || same(wrongSlope, slope)))
        continue;
      std::ostringstream text;
      text.precision(17);
      text << "(" << p.x[0] << ", " << p.x[1] << ", " << p.x[2] << "), n "
           << p.n << ", seed " << g;
      return text.str();
    }
  }
  return "";
}

} // namespace retro::proofs
