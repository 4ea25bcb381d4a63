#include "calculus.h"

#include "definitions.h"
#include "real_ops.h"

namespace retro::proofs {
namespace {

/// The world of one question about a rule: its operands are symbols.
struct Scene {
  World w;
  RealOps::Operands x;
  z3::expr n;

  Scene(z3::context &c, RuleId id) : w(c), n(c.real_const("n")) {
    const char *names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; ++i) {
      x.floats.push_back(i < rules::arityOf(id) && i != integerOperand(id)
                             ? w.variable(names[i])
                             : w.undefined());
      x.ints.push_back(n);
    }
    x.result = w.variable("y");
  }

  Real pull(RuleId id, const Real &g, int i, Mutation m,
            RealOps::Mode mode = RealOps::Mode::Exact) {
    RealOps b(w, mode);
    Real seed = g;
    seed.seeded = true;
    return pullWith(id, b, x, seed, i, floatsOf(id), m);
  }
};

std::string operandName(int i) { return std::string(1, "abc"[i]); }

/// Both say the same of the tangent: the rule, and the defining equation.
void byDefinition(z3::context &c, RuleId id, Mutation m,
                  std::vector<Obligation> &all) {
  for (int i = 0; i < rules::arityOf(id); ++i) {
    if (i == integerOperand(id) || (m.site >= 0 && m.operand != i))
      continue;
    Scene s(c, id);
    World &w = s.w;
    Real g = w.variable("g");
    Real tangent = s.pull(id, g, i, m);
    Function f{w, {}, s.n, {&w, *s.x.result, tangent}};
    for (int k = 0; k < 3; ++k)
      f.x.push_back({&w, s.x.floats[static_cast<std::size_t>(k)],
                     k == i ? g : w.constant(0)});
    std::optional<Jet> zero = definition(id, f);
    if (!zero)
      return;
    w.assume(zero->v.num == 0);
    w.addExponents();
    all.push_back({"derivative by " + operandName(i), w.facts,
                   tangent.defined && zero->d.defined && zero->d.num == 0});
    if (m.site >= 0)
      continue;

    // The equation, differentiated, determines the derivative of y.
    Scene only(c, id);
    Function still{
        only.w, {}, only.n, {&only.w, *only.x.result, only.w.constant(1)}};
    for (int k = 0; k < 3; ++k)
      still.x.push_back({&only.w, only.x.floats[static_cast<std::size_t>(k)],
                         only.w.constant(0)});
    zero = definition(id, still);
    only.w.assume(zero->v.num == 0);
    only.w.addExponents();
    if (i == 0 || integerOperand(id) == 0)
      all.push_back({"one derivative only", only.w.facts, zero->d.num != 0});
  }
}

/// a^n from a^(n-1), and back: D(n) is the derivative of a^n by a. For powi,
/// and for pow with an exponent that is an integer.
void byInduction(z3::context &c, RuleId id, Mutation m,
                 std::vector<Obligation> &all) {
  if (m.operand == 1)
    return;
  auto at = [&](Scene &s, int step) {
    RealOps b(s.w, RealOps::Mode::IntegerPowers);
    RealOps::Operands x = s.x;
    x.ints[1] = s.n + step;
    x.floats[1] = s.w.of(s.n + step);
    Real seed = s.w.variable("g");
    seed.seeded = true;
    return pullWith(id, b, x, seed, 0, floatsOf(id), m);
  };
  {
    Scene s(c, id);
    s.w.assume(s.n == 0);
    Real d = at(s, 0);
    all.push_back(
        {"derivative by a, n = 0", s.w.facts, d.defined && d.num == 0});
  }
  for (int direction : {1, -1}) {
    // D(n) g from D(n - 1) g and a^n = a a^(n-1), n >= 1; or D(n) g from
    // D(n + 1) g and a^(n+1) = a a^n, n <= -1, a != 0.
    Scene s(c, id);
    World &w = s.w;
    Real a = s.x.floats[0], g = w.variable("g");
    w.assume(direction > 0 ? s.n == 1 || s.n >= 2 : s.n <= -1);
    if (direction < 0)
      w.assume(a.num != 0);
    Real here = at(s, 0), before = at(s, -direction);
    Real low = w.powi(a, direction > 0 ? s.n - 1 : s.n);
    Real derivativeOfProduct = direction > 0
                                   ? w.add(w.mul(low, g), w.mul(a, before))
                                   : w.add(w.mul(low, g), w.mul(a, here));
    z3::expr claim = w.eq(direction > 0 ? here : before, derivativeOfProduct);
    all.push_back({direction > 0 ? "derivative by a, n from n - 1"
                                 : "derivative by a, n from n + 1",
                   w.facts, here.defined && claim});
  }
}

/// The point that the recurrences leave out. J(0, 0) = 1 and J(2, 0) = 0 are
/// the first terms of the power series.
Obligation besselAtZero(z3::context &c, Mutation m) {
  Scene s(c, RuleId::J1);
  World &w = s.w;
  Real a = s.x.floats[0], g = w.variable("g");
  w.assume(a.num == 0);
  w.assume(s.x.result->num == 0);
  w.assume(w.cylinder('J', c.real_val(0), a).num == 1);
  w.assume(w.cylinder('J', c.real_val(2), a).num == 0);
  Real slope = w.cylinderSlope('J', c.real_val(1), a);
  Real tangent = s.pull(RuleId::J1, g, 0, m);
  return {"derivative by a, a = 0", w.facts,
          tangent.defined && w.eq(tangent, w.mul(slope, g))};
}

/// a^b is constant in a where b = 0, but its slope there is not constant in b:
/// b a^(b-1) g has the derivative g/a, whatever that of the power is.
Obligation mixedSlope(z3::context &c, Mutation m) {
  Scene s(c, RuleId::Pow);
  World &w = s.w;
  Real a = s.x.floats[0], g = w.variable("g");
  w.assume(a.num > 0 && s.x.floats[1].num == 0);
  RealOps b(w);
  DualOps dual(b);
  DualOps::Operands x{s.x, w, 1};
  g.seeded = true;
  DualOps::Value moved = pullWith(RuleId::Pow, dual, x, {g, w.constant(0)}, 0,
                                  floatsOf(RuleId::Pow), m);
  w.exp(w.mul(s.x.floats[1], w.log(a))); // a^b, of which a^(b-1) is a part
  w.addExponents();
  return {"derivative by a and b, b = 0", w.facts,
          moved.d.defined && w.eq(w.mul(moved.d, a), g)};
}

/// The integer of a - n b is found in spite of rounding, while it is so small
/// that rounding it twice, by a factor in [1 - u, 1 + u] each, does not move
/// it by 1/2.
Obligation remainderRounded(z3::context &c, Mutation m) {
  Scene s(c, RuleId::Remainder);
  World &w = s.w;
  Real a = s.x.floats[0], divisor = s.x.floats[1], y = *s.x.result;
  Real n = w.of(s.n), g = w.variable("g"), u = w.variable("u");
  w.integer(s.n);
  w.assume(divisor.num != 0 && a.num == y.num + s.n * divisor.num);
  w.assume(u.num > 0 && u.num <= w.constant(0x1p-11).num);
  z3::expr moved = s.n * (2 * u.num + u.num * u.num);
  w.assume(moved * 2 < 1 && moved * 2 > -1);
  RealOps b(w, RealOps::Mode::Rounded);
  b.unit = u;
  Real seed = g;
  seed.seeded = true;
  Real tangent = pullWith(RuleId::Remainder, b, s.x, seed, 1,
                          floatsOf(RuleId::Remainder), m);
  return {"derivative by b in spite of rounding", w.facts,
          w.eq(tangent, w.neg(w.mul(n, g)))};
}

} // namespace

std::vector<Obligation> calculus(z3::context &c, RuleId id, Mutation m) {
  std::vector<Obligation> all;
  if (id == RuleId::Powi || id == RuleId::Pow)
    byInduction(c, id, m, all);
  if (id != RuleId::Powi && isDefined(id))
    byDefinition(c, id, m, all);
  if (id == RuleId::Pow && m.operand != 1)
    all.push_back(mixedSlope(c, m));
  if (id == RuleId::J1)
    all.push_back(besselAtZero(c, m));
  if (id == RuleId::Remainder && m.operand != 0)
    all.push_back(remainderRounded(c, m));
  return all;
}

std::vector<Obligation> seeds(z3::context &c, RuleId id, Mutation m) {
  constexpr auto Abstract = RealOps::Mode::Abstract;
  std::vector<Obligation> all;
  int arity = rules::arityOf(id);
  Scene forms(c, id);
  World &w = forms.w;
  Real up = w.variable("h"), transposed = w.constant(0),
       tangent = w.constant(0);
  std::vector<z3::expr> finite;
  for (int i = 0; i < arity; ++i) {
    if (i == integerOperand(id))
      continue;
    Real step = w.variable("g" + std::to_string(i));
    Real one = forms.pull(id, w.constant(1), i, m, Abstract);
    finite.push_back(one.defined);
    tangent = w.add(tangent, forms.pull(id, step, i, m, Abstract));
    transposed =
        w.add(transposed, w.mul(forms.pull(id, up, i, m, Abstract), step));
  }
  z3::expr same = w.eq(w.mul(up, tangent), transposed);
  std::vector<z3::expr> given = w.facts;
  given.insert(given.end(), finite.begin(), finite.end());
  all.push_back({"tangent and adjoint forms", given,
                 tangent.defined && transposed.defined && same, false, false});

  for (int i = 0; i < arity; ++i) {
    if (i == integerOperand(id) || (m.site >= 0 && m.operand != i))
      continue;
    Scene s(c, id);
    World &v = s.w;
    Real g = v.variable("g"), h = v.variable("h"), k = v.variable("k");
    Real one = s.pull(id, v.constant(1), i, m, Abstract);
    Real left = s.pull(id, v.add(g, v.mul(k, h)), i, m, Abstract);
    Real pullG = s.pull(id, g, i, m, Abstract);
    Real pullH = s.pull(id, h, i, m, Abstract);
    Real right = v.add(pullG, v.mul(k, pullH));
    std::vector<z3::expr> facts = v.facts;
    facts.push_back(one.defined);
    all.push_back({"linear in the seed, by " + operandName(i), facts,
                   left.defined && right.defined && v.eq(left, right), false,
                   false});

    // The derivative of the code by its seed, in the direction h.
    RealOps b(v, Abstract);
    DualOps dual(b);
    DualOps::Operands x{s.x, v};
    g.seeded = h.seeded = true;
    DualOps::Value moved =
        pullWith(id, dual, x, DualOps::Value{g, h}, i, floatsOf(id), m);
    facts = v.facts;
    facts.push_back(one.defined);
    all.push_back({"differentiable again, by " + operandName(i), facts,
                   moved.d.defined && v.eq(moved.d, pullH), false, false});
  }
  return all;
}

std::vector<Obligation> equality(z3::context &c, RuleId id, Mutation m) {
  Scene s(c, id);
  World &w = s.w;
  Real g = w.variable("g");
  Real right = s.pull(id, g, m.operand, {}),
       wrong = s.pull(id, g, m.operand, m);
  Function f{w, {}, s.n, {&w, *s.x.result, w.constant(0)}};
  for (const Real &operand : s.x.floats)
    f.x.push_back({&w, operand, w.constant(0)});
  if (std::optional<Jet> zero = definition(id, f))
    w.assume(zero->v.num == 0);
  w.addExponents();
  w.assume(right.defined);
  return {{"equal to the rule", w.facts, wrong.defined && w.eq(wrong, right)}};
}

} // namespace retro::proofs
