#include "definitions.h"

namespace retro::proofs {
namespace {

/// l with e^l = a: its derivative is the one that the equation gives it.
Jet log(const Jet &a) {
  World &w = *a.w;
  return {&w, w.log(a.v), w.div(a.d, a.v)};
}

Jet erf(const Jet &a) {
  World &w = *a.w;
  Real bell = w.exp(w.neg(w.mul(a.v, a.v)));
  Real value = w.named("erf(" + w.key(a.v) + ")");
  return chain(a, value, w.mul(w.constant(0x1.20dd750429b6dp+0, 0), bell));
}

Jet cylinder(char kind, const z3::expr &n, const Jet &x) {
  World &w = *x.w;
  Real slope = w.cylinderSlope(kind, n, x.v);
  return chain(x, w.cylinder(kind, n, x.v), slope);
}

} // namespace

std::optional<Jet> definition(RuleId id, const Function &f) {
  World &w = f.w;
  [[maybe_unused]] const Jet &a = f.x[0], &b = f.x[1], &c = f.x[2], &y = f.y;
  const z3::expr &n = f.n;
  auto K = [&](const z3::expr &fact) { w.assume(fact); };
  auto R = [&](const char *name) { return still(w, w.variable(name)); };
  auto C = [&](double leading) { return still(w, w.constant(leading, 0)); };
  switch (id) {
#define DEFINITION(Id, Domain, Equation, Where, Zero)                          \
  case RuleId::Id: {                                                           \
    Where;                                                                     \
    return Zero;                                                               \
  }
#include "definitions.def"
  default:
    return std::nullopt;
  }
}

bool isDefined(RuleId id) {
  switch (id) {
#define DEFINITION(Id, Domain, Equation, Where, Zero) case RuleId::Id:
#include "definitions.def"
  case RuleId::Powi:
    return true;
  default:
    return false;
  }
}

Statement statementOf(RuleId id) {
  switch (id) {
#define DEFINITION(Id, Domain, Equation, Where, Zero)                          \
  case RuleId::Id:                                                             \
    return {Domain, Equation};
#include "definitions.def"
  case RuleId::Powi:
    return {"n not the smallest integer; a != 0 or n >= 0",
            "a^0 = 1, a^n = a a^(n-1), by induction"};
  case RuleId::Tgamma:
  case RuleId::Lgamma:
    return {"", "",
            "digamma is computed from an asymptotic series, of which only a "
            "bound of the remainder is known"};
  default:
    return {"", ""};
  }
}

int floatsOf(RuleId id) {
  int all = (1 << rules::arityOf(id)) - 1;
  int integer = integerOperand(id);
  return integer < 0 ? all : all & ~(1 << integer);
}

} // namespace retro::proofs
