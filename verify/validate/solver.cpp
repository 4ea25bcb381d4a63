#include "solver.h"

#include <cmath>

namespace retro::validate {

namespace {

/// The double nearest to an algebraic number.
double nearest(const z3::expr &v) {
  if (v.is_numeral()) {
    std::string text = v.get_decimal_string(20);
    if (!text.empty() && text.back() == '?')
      text.pop_back();
    return std::stod(text);
  }
  if (v.is_algebraic()) {
    std::string text = Z3_get_numeral_decimal_string(v.ctx(), v, 20);
    if (!text.empty() && text.back() == '?')
      text.pop_back();
    return std::stod(text);
  }
  return 0;
}

} // namespace

z3::expr Solver::number(double v) {
  int exponent;
  double mantissa = std::frexp(v, &exponent);
  z3::expr all = c.real_val(static_cast<int64_t>(std::ldexp(mantissa, 53)));
  for (exponent -= 53; exponent != 0;) {
    int part = std::min(std::abs(exponent), 30);
    z3::expr power = c.real_val(int64_t(1) << part);
    all = (exponent < 0 ? all / power : all * power).simplify();
    exponent += exponent < 0 ? part : -part;
  }
  return all;
}

z3::expr Solver::translate(Expr root) {
  for (Expr e : partsOf({root})) {
    if (known.count(e))
      continue;
    auto arg = [&](size_t i) { return known.at(e->args[i]); };
    auto make = [&]() -> z3::expr {
      switch (e->op) {
      case Op::Number:
        return number(e->number);
      case Op::Input:
        return c.real_const(e->name.c_str());
      case Op::Add:
        return arg(0) + arg(1);
      case Op::Mul:
        return arg(0) * arg(1);
      case Op::Inverse: {
        z3::func_decl f = c.function("inverse", c.real_sort(), c.real_sort());
        return f(arg(0).simplify());
      }
      case Op::Call: {
        if (e->name == "floor")
          return z3::to_real(z3::expr(c, Z3_mk_real2int(c, arg(0))));
        if (e->name == "trunc") {
          auto floor = [&](z3::expr v) {
            return z3::to_real(z3::expr(c, Z3_mk_real2int(c, v)));
          };
          return z3::ite(arg(0) >= 0, floor(arg(0)), -floor(-arg(0)));
        }
        z3::expr_vector args(c);
        z3::sort_vector sorts(c);
        for (size_t i = 0; i < e->args.size(); ++i) {
          args.push_back(arg(i).simplify());
          sorts.push_back(c.real_sort());
        }
        return c.function(e->name.c_str(), sorts, c.real_sort())(args);
      }
      case Op::Choose:
        return z3::ite(arg(0), arg(1), arg(2));
      case Op::True:
        return c.bool_val(true);
      case Op::Less:
        return arg(0) < arg(1);
      case Op::Equal:
        return arg(0) == arg(1);
      case Op::Not:
        return !arg(0);
      case Op::And:
        return arg(0) && arg(1);
      }
      return c.bool_val(false);
    };
    known.emplace(e, make());
  }
  return known.at(root);
}

std::vector<Expr> domainOf(Expressions &e, const std::vector<Expr> &roots) {
  std::vector<Expr> out;
  Expr zero = e.number(0), one = e.number(1);
  for (Expr x : partsOf(roots)) {
    if (x->op == Op::Inverse)
      out.push_back(e.negate(e.equal(x->args[0], zero)));
    if (x->op != Op::Call)
      continue;
    Expr u = x->args[0];
    if (x->name == "log" || x->name == "sqrt" || x->name == "pow")
      out.push_back(e.less(zero, u));
    if (x->name == "asin" || x->name == "acos") {
      out.push_back(e.less(u, one));
      out.push_back(e.less(e.number(-1), u));
    }
  }
  return out;
}

/// Facts about the functions, one for each place where they stand.
void Solver::assume(z3::solver &s, const std::vector<Expr> &roots) {
  auto call = [&](const char *f, z3::expr v) {
    return c.function(f, c.real_sort(), c.real_sort())(v);
  };
  for (Expr x : partsOf(roots)) {
    if (x->op == Op::Inverse)
      s.add(translate(x) * translate(x->args[0]) == 1);
    if (x->op != Op::Call || x->name == "floor" || x->name == "trunc")
      continue;
    z3::expr f = translate(x), u = translate(x->args[0]).simplify();
    if (x->name == "sqrt")
      s.add(f * f == u && f > 0);
    else if (x->name == "cbrt")
      s.add(f * f * f == u);
    else if (x->name == "exp" || x->name == "cosh" || x->name == "pow")
      s.add(f > 0);
    if (x->name == "sin" || x->name == "cos" || x->name == "tan") {
      z3::expr sine = call("sin", u), cosine = call("cos", u);
      s.add(sine * sine + cosine * cosine == 1);
      s.add(call("tan", u) * cosine == sine);
    }
    if (x->name == "sinh" || x->name == "cosh" || x->name == "tanh") {
      z3::expr sine = call("sinh", u), cosine = call("cosh", u);
      s.add(cosine * cosine - sine * sine == 1);
      s.add(call("tanh", u) * cosine == sine);
    }
  }
}

bool Solver::feasible(const std::vector<Expr> &conditions) {
  z3::solver s(c);
  z3::params p(c);
  p.set("timeout", std::min(timeout, 2000u));
  s.set(p);
  assume(s, conditions);
  for (Expr e : conditions)
    s.add(translate(e));
  return s.check() != z3::unsat;
}

std::optional<double> Solver::valueOf(Expr e,
                                      const std::vector<Expr> &conditions) {
  z3::solver s(c);
  z3::params p(c);
  p.set("timeout", timeout);
  s.set(p);
  for (Expr x : conditions)
    s.add(translate(x));
  if (s.check() != z3::sat)
    return std::nullopt;
  return nearest(s.get_model().eval(translate(e), true));
}

/// Is a polynomial 0 as a sum of monomials? That needs no search.
bool Solver::isIdentity(const z3::expr &difference) {
  z3::params sums(c);
  sums.set("som", true);
  z3::tactic expand =
      z3::try_for(z3::with(z3::tactic(c, "simplify"), sums), timeout);
  z3::goal g(c);
  g.add(difference != 0);
  try {
    z3::apply_result r = expand(g);
    return r.size() == 1 && r[0].is_decided_unsat();
  } catch (const z3::exception &) { // no time
    return false;
  }
}

Solver::Result Solver::equal(Expr a, Expr b,
                             const std::vector<Expr> &conditions,
                             std::string *smt2) {
  std::vector<Expr> roots(conditions);
  roots.push_back(a);
  roots.push_back(b);
  z3::expr difference = translate(a) - translate(b);
  z3::solver s(c);
  z3::params p(c);
  p.set("timeout", timeout);
  s.set(p);
  assume(s, roots);
  for (Expr e : conditions)
    s.add(translate(e));
  s.add(difference != 0);
  if (smt2)
    *smt2 = s.to_smt2();
  if (isIdentity(difference))
    return {Answer::Proved, {}, {}};
  switch (s.check()) {
  case z3::unsat:
    return {Answer::Proved, {}, {}};
  case z3::unknown:
    return {Answer::Unknown, {}, "Z3: " + s.reason_unknown()};
  case z3::sat:
    break;
  }
  Point point;
  z3::model model = s.get_model();
  for (Expr x : partsOf(roots))
    if (x->op == Op::Input)
      point[x->name] = nearest(model.eval(translate(x), true));
  return {Answer::Refuted, point, {}};
}

} // namespace retro::validate
