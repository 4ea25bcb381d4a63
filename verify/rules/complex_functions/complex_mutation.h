//===- complex_mutation.h - Complex rules with one mistake ----------------===//

#ifndef RETROGRADE_VERIFY_RULES_COMPLEX_MUTATION_H
#define RETROGRADE_VERIFY_RULES_COMPLEX_MUTATION_H

#include "mutation.h"
#include "rules/complex.h"

namespace retro::proofs {

using rules::ComplexOp;

/// As Mutating, for the builders of complex.h.
template <class Base> class ComplexMutating {
public:
  using Complex = typename Base::Complex;

  struct Operands {
    typename Base::Operands &base;
    ComplexMutating &m;
    int arity;
    Complex in(int i) {
      if (arity == 2)
        return m.pick(base.in(i),
                      {{"another operand", [&] { return base.in(1 - i); }}});
      return m.pick(base.in(i), {{"the result for an operand",
                                  [&] { return base.out(); }}});
    }
    Complex out() {
      return m.pick(base.out(), {{"an operand for the result",
                                  [&] { return base.in(0); }}});
    }
  };

  ComplexMutating(Base &b, Mutation mistake, std::vector<Met> *met)
      : b(b), mistake(mistake), met(met) {}

  Complex constant(double re, double im) {
    return pick(b.constant(re, im),
                {{"another sign", [&] { return b.constant(-re, -im); }},
                 {"twice", [&] { return b.constant(2 * re, 2 * im); }}});
  }
  Complex add(const Complex &x, const Complex &y) {
    return pick(b.add(x, y), {{"- for +", [&] { return b.add(x, b.neg(y)); }},
                              {"first term alone", [&] { return x; }}});
  }
  Complex neg(const Complex &x) {
    return pick(b.neg(x), {{"sign dropped", [&] { return x; }}});
  }
  Complex conj(const Complex &x) {
    return pick(b.conj(x), {{"not conjugated", [&] { return x; }}});
  }
  Complex timesI(const Complex &x) {
    Complex right = b.timesI(x);
    return pick(right, {{"another sign", [&] { return b.neg(right); }},
                        {"i left out", [&] { return x; }}});
  }
  Complex plus(const Complex &x, double c) {
    return pick(b.plus(x, c), {{"another sign", [&] { return b.plus(x, -c); }},
                               {"term left out", [&] { return x; }}});
  }
  Complex mul(const Complex &x, const Complex &y) {
    Complex right = b.mul(x, y);
    return pick(right, {{"another sign", [&] { return b.neg(right); }},
                        {"first factor alone", [&] { return x; }},
                        {"second factor alone", [&] { return y; }},
                        {"a factor 2", [&] { return b.add(right, right); }}});
  }
  Complex div(const Complex &x, const Complex &y) {
    Complex right = b.div(x, y);
    return pick(right, {{"another sign", [&] { return b.neg(right); }},
                        {"* for /", [&] { return b.mul(x, y); }},
                        {"divisor left out", [&] { return x; }},
                        {"operands swapped", [&] { return b.div(y, x); }}});
  }
  Complex scaleDown(const Complex &x, const Complex &y) {
    return pick(b.scaleDown(x, y), {{"divisor left out", [&] { return x; }}});
  }
  Complex call(ComplexOp f, const Complex &x) {
    ComplexOp other = f == ComplexOp::Sin    ? ComplexOp::Cos
                      : f == ComplexOp::Cos  ? ComplexOp::Sin
                      : f == ComplexOp::Sinh ? ComplexOp::Cosh
                      : f == ComplexOp::Cosh ? ComplexOp::Sinh
                      : f == ComplexOp::Log  ? ComplexOp::Sqrt
                                             : ComplexOp::Log;
    return pick(b.call(f, x),
                {{"function left out", [&] { return x; }},
                 {"another function", [&] { return b.call(other, x); }}});
  }
  Complex call(ComplexOp f, const Complex &x, const Complex &y) {
    return pick(b.call(f, x, y),
                {{"arguments swapped", [&] { return b.call(f, y, x); }},
                 {"function left out", [&] { return x; }}});
  }
  Complex zeroWhere(const Complex &condition, const Complex &product) {
    return pick(b.zeroWhere(condition, product),
                {{"0 where the product is not NaN",
                  [&] { return b.add(product, b.neg(product)); }}});
  }
  Complex result(const Complex &right) {
    return pick(right,
                {{"result: another sign", [&] { return b.neg(right); }},
                 {"result: a factor 2", [&] { return b.add(right, right); }},
                 {"result: a factor i", [&] { return b.timesI(right); }}});
  }

private:
  struct Mistake {
    const char *text;
    std::function<Complex()> make;
  };
  Complex pick(const Complex &right, std::vector<Mistake> wrong) {
    int here = site++;
    if (met)
      for (std::size_t k = 0; k < wrong.size(); ++k)
        met->push_back({here, static_cast<int>(k), wrong[k].text});
    return here == mistake.site
               ? wrong[static_cast<std::size_t>(mistake.variant)].make()
               : right;
  }

  Base &b;
  Mutation mistake;
  std::vector<Met> *met;
  int site = 0;
};

template <class B>
typename B::Complex
complexFactorWith(ComplexOp op, B &b, typename B::Operands &x, int i,
                  Mutation m, std::vector<Met> *met = nullptr) {
  using M = ComplexMutating<B>;
  M wrong(b, m.operand == i ? m : Mutation{}, met);
  typename M::Operands operands{x, wrong, rules::arityOf(op)};
  auto factor = rules::complexFactor(op, wrong, operands, i);
  return wrong.result(factor);
}

} // namespace retro::proofs

#endif // RETROGRADE_VERIFY_RULES_COMPLEX_MUTATION_H
