// Real expressions, shared and in a light normal form: what symbolic execution
// computes, and what is differentiated independently of the engine.
#ifndef RETROGRADE_VERIFY_VALIDATE_EXPRESSION_H
#define RETROGRADE_VERIFY_VALIDATE_EXPRESSION_H

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace retro::validate {

enum class Op {
  Number,  ///< a double, exactly
  Input,   ///< a variable, by name
  Add,     ///< a + b
  Mul,     ///< a b
  Inverse, ///< 1 / a
  Call,    ///< a function of reals, by name
  Choose,  ///< condition ? a : b
  // Conditions.
  True,
  Less,
  Equal,
  Not,
  And,
};

struct Node {
  Op op;
  double number;
  std::string name;
  std::vector<const Node *> args;
  unsigned id;
};
/// Equal expressions are the same pointer.
using Expr = const Node *;

/// Makes expressions and owns them.
class Expressions {
public:
  Expr number(double v);
  Expr input(const std::string &name);
  Expr add(Expr a, Expr b);
  Expr neg(Expr a) { return mul(number(-1), a); }
  Expr sub(Expr a, Expr b) { return add(a, neg(b)); }
  Expr mul(Expr a, Expr b);
  Expr inverse(Expr a);
  Expr div(Expr a, Expr b) { return mul(a, inverse(b)); }
  Expr call(const std::string &name, std::vector<Expr> args);
  Expr choose(Expr condition, Expr a, Expr b);

  Expr truth(bool v) { return v ? make(Op::True) : negate(make(Op::True)); }
  Expr less(Expr a, Expr b);
  Expr lessEqual(Expr a, Expr b) { return negate(less(b, a)); }
  Expr equal(Expr a, Expr b);
  Expr negate(Expr c);
  Expr both(Expr a, Expr b);
  Expr either(Expr a, Expr b) { return negate(both(negate(a), negate(b))); }

private:
  Expr make(Op op, std::vector<Expr> args = {}, double number = 0,
            const std::string &name = {});

  using Key = std::tuple<Op, uint64_t, std::string, std::vector<Expr>>;
  std::map<Key, std::unique_ptr<Node>> nodes;
};

inline bool isNumber(Expr e) { return e->op == Op::Number; }
inline bool isNumber(Expr e, double v) { return isNumber(e) && e->number == v; }
/// 1: true, 0: false, -1: neither is known.
int truthOf(Expr condition);

/// The value at a point; NaN where it has none.
double evaluate(Expr e, const std::map<std::string, double> &point);

/// The partial derivative with respect to an input, by rules of its own.
/// `missing`: the name of a function whose derivative is not known, if one is
/// met.
class Differentiator {
public:
  Differentiator(Expressions &e, std::string input)
      : e(e), input(std::move(input)) {}
  Expr of(Expr x);
  std::string missing;

private:
  Expr ofCall(Expr x);
  Expressions &e;
  std::string input;
  std::map<Expr, Expr> known;
};

/// What an expression is made of, below it and itself, each once.
std::vector<Expr> partsOf(const std::vector<Expr> &roots);

} // namespace retro::validate

#endif
