#include "expression.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <set>

namespace retro::validate {

namespace {

/// Sums and products of such numbers are exact in double.
bool isSmallInteger(double v) {
  return v == std::floor(v) && std::fabs(v) < 0x1p26;
}

/// A factor whose product with another number is exact.
bool isPowerOfTwo(double v) {
  int e;
  return v != 0 && std::isfinite(v) && std::fabs(std::frexp(v, &e)) == 0.5 &&
         e > -500 && e < 500;
}

/// Products of number and rest: the number, or 1.
double factorOf(Expr e, Expr *rest) {
  if (e->op == Op::Mul && isNumber(e->args[0])) {
    *rest = e->args[1];
    return e->args[0]->number;
  }
  *rest = e;
  return 1;
}

} // namespace

Expr Expressions::make(Op op, std::vector<Expr> args, double number,
                       const std::string &name) {
  Key key{op, std::bit_cast<uint64_t>(number), name, args};
  auto &node = nodes[key];
  if (!node)
    node.reset(new Node{op, number, name, std::move(args),
                        static_cast<unsigned>(nodes.size())});
  return node.get();
}

Expr Expressions::number(double v) {
  return make(Op::Number, {}, v == 0 ? 0 : v);
}
Expr Expressions::input(const std::string &name) {
  return make(Op::Input, {}, 0, name);
}

Expr Expressions::add(Expr a, Expr b) {
  if (isNumber(a, 0))
    return b;
  if (isNumber(b, 0))
    return a;
  if (isNumber(a) && isNumber(b) && isSmallInteger(a->number) &&
      isSmallInteger(b->number))
    return number(a->number + b->number);
  Expr ra, rb;
  double fa = factorOf(a, &ra), fb = factorOf(b, &rb);
  if (ra == rb && isSmallInteger(fa) && isSmallInteger(fb))
    return mul(number(fa + fb), ra);
  if (b->id < a->id)
    std::swap(a, b);
  return make(Op::Add, {a, b});
}

Expr Expressions::mul(Expr a, Expr b) {
  if (isNumber(b) || (b->id < a->id && !isNumber(a)))
    std::swap(a, b);
  if (isNumber(a, 0))
    return a;
  if (isNumber(a, 1))
    return b;
  if (isNumber(a) && isNumber(b) &&
      ((isSmallInteger(a->number) && isSmallInteger(b->number)) ||
       isPowerOfTwo(a->number) || isPowerOfTwo(b->number)))
    return number(a->number * b->number);
  // Numbers to the front.
  Expr rest;
  if (double f = factorOf(b, &rest);
      isNumber(a) && f != 1 && (isPowerOfTwo(f) || isPowerOfTwo(a->number)))
    return mul(number(a->number * f), rest);
  if (!isNumber(a)) {
    Expr ra, rb;
    double fa = factorOf(a, &ra), fb = factorOf(b, &rb);
    if (fa == -1 || fb == -1)
      return fa == -1 && fb == -1 ? mul(ra, rb)
             : fa == -1           ? neg(mul(ra, b))
                                  : neg(mul(a, rb));
  }
  return make(Op::Mul, {a, b});
}

Expr Expressions::inverse(Expr a) {
  if (isNumber(a) && isPowerOfTwo(a->number))
    return number(1 / a->number);
  if (a->op == Op::Inverse)
    return a->args[0];
  if (a->op == Op::Mul)
    return mul(inverse(a->args[0]), inverse(a->args[1]));
  return make(Op::Inverse, {a});
}

Expr Expressions::call(const std::string &name, std::vector<Expr> args) {
  return make(Op::Call, std::move(args), 0, name);
}

Expr Expressions::choose(Expr condition, Expr a, Expr b) {
  int known = truthOf(condition);
  if (known >= 0)
    return known ? a : b;
  if (a == b)
    return a;
  if (condition->op == Op::Not)
    return choose(condition->args[0], b, a);
  return make(Op::Choose, {condition, a, b});
}

int truthOf(Expr c) {
  if (c->op == Op::True)
    return 1;
  if (c->op == Op::Not && c->args[0]->op == Op::True)
    return 0;
  return -1;
}

Expr Expressions::less(Expr a, Expr b) {
  if (isNumber(a) && isNumber(b))
    return truth(a->number < b->number);
  if (a == b)
    return truth(false);
  return make(Op::Less, {a, b});
}

Expr Expressions::equal(Expr a, Expr b) {
  if (isNumber(a) && isNumber(b))
    return truth(a->number == b->number);
  if (a == b)
    return truth(true);
  // A choice of numbers, compared with a number: its condition.
  if (isNumber(a))
    std::swap(a, b);
  if (a->op == Op::Choose && isNumber(b)) {
    Expr p = equal(a->args[1], b), q = equal(a->args[2], b);
    if (truthOf(p) >= 0 && truthOf(q) >= 0)
      return truthOf(p) == truthOf(q) ? p
             : truthOf(p)             ? a->args[0]
                                      : negate(a->args[0]);
  }
  return make(Op::Equal, {a, b});
}

Expr Expressions::negate(Expr c) {
  return c->op == Op::Not ? c->args[0] : make(Op::Not, {c});
}

Expr Expressions::both(Expr a, Expr b) {
  if (truthOf(a) == 0 || truthOf(b) == 1 || a == b)
    return a;
  if (truthOf(b) == 0 || truthOf(a) == 1)
    return b;
  return make(Op::And, {a, b});
}

//===----------------------------------------------------------------------===//

namespace {

const std::map<std::string, std::function<double(double)>> Unary = {
    {"exp", [](double x) { return std::exp(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"cbrt", [](double x) { return std::cbrt(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"trunc", [](double x) { return std::trunc(x); }},
};

} // namespace

double evaluate(Expr root, const std::map<std::string, double> &point) {
  std::map<Expr, double> values;
  for (Expr e : partsOf({root})) {
    auto arg = [&](size_t i) { return values[e->args[i]]; };
    double v = NAN;
    switch (e->op) {
    case Op::Number:
      v = e->number;
      break;
    case Op::Input:
      if (auto at = point.find(e->name); at != point.end())
        v = at->second;
      break;
    case Op::Add:
      v = arg(0) + arg(1);
      break;
    case Op::Mul:
      v = arg(0) * arg(1);
      break;
    case Op::Inverse:
      v = 1 / arg(0);
      break;
    case Op::Call:
      if (auto f = Unary.find(e->name); f != Unary.end())
        v = f->second(arg(0));
      else if (e->name == "pow")
        v = std::pow(arg(0), arg(1));
      else if (e->name == "atan2")
        v = std::atan2(arg(0), arg(1));
      break;
    case Op::Choose:
      v = arg(0) != 0 ? arg(1) : arg(2);
      break;
    case Op::True:
      v = 1;
      break;
    case Op::Less:
      v = arg(0) < arg(1);
      break;
    case Op::Equal:
      v = arg(0) == arg(1);
      break;
    case Op::Not:
      v = arg(0) == 0;
      break;
    case Op::And:
      v = arg(0) != 0 && arg(1) != 0;
      break;
    }
    values[e] = v;
  }
  return values[root];
}

std::vector<Expr> partsOf(const std::vector<Expr> &roots) {
  std::vector<Expr> out;
  std::set<Expr> seen;
  std::vector<std::pair<Expr, size_t>> stack;
  for (Expr root : roots) {
    if (seen.insert(root).second)
      stack.push_back({root, 0});
    while (!stack.empty()) {
      auto &[e, next] = stack.back();
      if (next == e->args.size()) {
        out.push_back(e);
        stack.pop_back();
        continue;
      }
      Expr arg = e->args[next++];
      if (seen.insert(arg).second)
        stack.push_back({arg, 0});
    }
  }
  return out;
}

} // namespace retro::validate
