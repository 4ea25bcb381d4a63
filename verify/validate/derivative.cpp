// Differentiation of expressions, by the rules of a textbook: none of the
// engine's.
#include "expression.h"

#include <cmath>

namespace retro::validate {

Expr Differentiator::ofCall(Expr x) {
  const std::string &f = x->name;
  Expr u = x->args[0], du = of(u);
  auto n = [&](double v) { return e.number(v); };
  auto square = [&](Expr v) { return e.mul(v, v); };
  Expr slope = nullptr;
  if (f == "floor" || f == "trunc")
    return n(0);
  if (f == "exp")
    slope = x;
  else if (f == "log")
    slope = e.inverse(u);
  else if (f == "sqrt")
    slope = e.mul(n(0.5), e.inverse(x));
  else if (f == "cbrt")
    slope = e.inverse(e.mul(n(3), square(x)));
  else if (f == "sin")
    slope = e.call("cos", {u});
  else if (f == "cos")
    slope = e.neg(e.call("sin", {u}));
  else if (f == "tan")
    slope = e.add(n(1), square(x));
  else if (f == "asin" || f == "acos")
    slope = e.mul(n(f == "asin" ? 1 : -1),
                  e.inverse(e.call("sqrt", {e.sub(n(1), square(u))})));
  else if (f == "atan")
    slope = e.inverse(e.add(n(1), square(u)));
  else if (f == "sinh")
    slope = e.call("cosh", {u});
  else if (f == "cosh")
    slope = e.call("sinh", {u});
  else if (f == "tanh")
    slope = e.sub(n(1), square(x));
  else if (f == "erf") // 2 / sqrt(pi)
    slope = e.mul(n(M_2_SQRTPI), e.call("exp", {e.neg(square(u))}));
  if (slope)
    return e.mul(slope, du);
  if (f == "pow") {
    // x^y (y' log x + y x' / x)
    Expr v = x->args[1], dv = of(v);
    Expr logarithm = isNumber(dv, 0) ? n(0) : e.mul(dv, e.call("log", {u}));
    Expr power = e.mul(e.mul(v, du), e.inverse(u));
    return e.mul(x, e.add(logarithm, power));
  }
  if (f == "atan2") {
    Expr v = x->args[1], dv = of(v);
    Expr top = e.sub(e.mul(v, du), e.mul(u, dv));
    return e.mul(top, e.inverse(e.add(square(u), square(v))));
  }
  if (missing.empty())
    missing = f;
  return n(0);
}

Expr Differentiator::of(Expr root) {
  for (Expr x : partsOf({root})) {
    if (known.count(x))
      continue;
    Expr d = e.number(0);
    auto arg = [&](size_t i) { return x->args[i]; };
    switch (x->op) {
    case Op::Input:
      d = e.number(x->name == input);
      break;
    case Op::Add:
      d = e.add(known[arg(0)], known[arg(1)]);
      break;
    case Op::Mul:
      d = e.add(e.mul(known[arg(0)], arg(1)), e.mul(arg(0), known[arg(1)]));
      break;
    case Op::Inverse: // -a' / a^2
      d = e.neg(e.mul(known[arg(0)], e.mul(x, x)));
      break;
    case Op::Choose:
      d = e.choose(arg(0), known[arg(1)], known[arg(2)]);
      break;
    case Op::Call: {
      bool constant = true;
      for (Expr a : x->args)
        constant &= isNumber(known[a], 0);
      if (!constant)
        d = ofCall(x);
      break;
    }
    default:
      break;
    }
    known[x] = d;
  }
  return known[root];
}

} // namespace retro::validate
