// Polynomials over the integers, and comparisons of them: how addresses depend
// on a thread's numbers, or on an iteration's.
#ifndef RETRO_FACTS_POLYNOMIALS_POLYNOMIALS_H
#define RETRO_FACTS_POLYNOMIALS_POLYNOMIALS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace retro {

/// A product of variables, by their numbers in order; empty: 1.
using Monomial = std::vector<unsigned>;

class Polynomial {
public:
  Polynomial() = default;
  explicit Polynomial(int64_t C) { add({}, C); }
  static Polynomial variable(unsigned V) {
    Polynomial P;
    P.add({V}, 1);
    return P;
  }

  /// False once a coefficient would be too large: then nothing is known.
  bool isKnown() const { return Known; }
  const std::map<Monomial, int64_t> &terms() const { return Terms; }
  int64_t constant() const { return coefficient({}); }
  int64_t coefficient(const Monomial &M) const;
  std::optional<int64_t> asConstant() const;

  Polynomial operator+(const Polynomial &O) const;
  Polynomial operator-(const Polynomial &O) const { return *this + O * -1; }
  Polynomial operator*(int64_t C) const { return *this * Polynomial(C); }
  Polynomial operator*(const Polynomial &O) const;
  bool operator==(const Polynomial &O) const {
    return Known && O.Known && Terms == O.Terms;
  }
  /// An order of those that are known, for maps.
  bool operator<(const Polynomial &O) const { return Terms < O.Terms; }
  /// Is Holds true of some variable that is in it?
  bool anyVariable(llvm::function_ref<bool(unsigned)> Holds) const;
  /// What V is multiplied by; null: V is in it with another power than 1.
  std::optional<Polynomial> factorOf(unsigned V) const;
  /// This polynomial with By in the place of V, which has a factor.
  Polynomial substitute(unsigned V, const Polynomial &By) const;
  /// Is it O times a number that is not 0? Times is that number then.
  bool isMultipleOf(const Polynomial &O, int64_t &Times) const;
  /// The largest number that divides all coefficients; 0 of 0.
  int64_t content() const;
  Polynomial dividedBy(int64_t C) const;

private:
  void add(const Monomial &M, int64_t C);
  std::map<Monomial, int64_t> Terms; ///< none is 0
  bool Known = true;
};

/// What is known to hold: Left Pred Right, of signed integers. With
/// NotNegative only if that is not negative.
struct Comparison {
  Polynomial Left;
  llvm::CmpInst::Predicate Pred;
  Polynomial Right;
  std::optional<Polynomial> NotNegative;
};

} // namespace retro

#endif
