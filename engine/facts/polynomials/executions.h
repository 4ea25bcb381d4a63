// Sums of variables that are not negative and have bounds, in polynomials of
// arguments: how far apart are two places?
#ifndef RETRO_FACTS_POLYNOMIALS_EXECUTIONS_H
#define RETRO_FACTS_POLYNOMIALS_EXECUTIONS_H

#include "facts/polynomials/polynomials.h"

#include "llvm/ADT/SmallVector.h"

namespace retro {

/// A sum of variables with factors.
struct Linear {
  Polynomial Constant;
  llvm::SmallVector<Polynomial, 8> Factors; ///< by variable

  Polynomial factor(unsigned V) const {
    return V < Factors.size() ? Factors[V] : Polynomial();
  }
  void add(unsigned V, const Polynomial &Factor) {
    if (V >= Factors.size())
      Factors.resize(V + 1);
    Factors[V] = Factors[V] + Factor;
  }
  void addConstant(const Polynomial &C) { Constant = Constant + C; }
  void add(const Linear &O, const Polynomial &Times) {
    addConstant(O.Constant * Times);
    for (unsigned V = 0; V < O.Factors.size(); ++V)
      add(V, O.Factors[V] * Times);
  }
};

/// Is it at least 0, whatever the arguments are, which are not negative?
bool isNotNegative(const Polynomial &P);

/// Two executions: numbers of iterations as variables that are not negative.
/// Those that bounds of others depend on come first.
class Executions {
public:
  /// MostArgument: the greatest that an argument can be.
  explicit Executions(int64_t MostArgument) : MostArgument(MostArgument) {}

  unsigned addVariable(std::optional<Linear> Greatest);
  /// Are so many bytes at one place apart from so many at another one?
  /// Distance: from the first byte loaded to the first byte stored.
  bool areApart(const Linear &Distance, const Polynomial &Loaded,
                const Polynomial &Stored) const;

private:
  /// The least or greatest that L can be; null: not known.
  std::optional<Polynomial> bound(Linear L, bool Greatest) const;
  std::optional<int64_t> mostOf(const Polynomial &P) const;
  bool cannotOverflow(const Linear &L) const;
  bool isAtLeast(const Polynomial &P, const Polynomial &Q) const;
  bool areApartBut(const Linear &Distance, const Polynomial &Multiple,
                   const Polynomial &Loaded, const Polynomial &Stored) const;

  int64_t MostArgument;
  llvm::SmallVector<std::optional<Linear>, 8> Bounds; ///< by variable
  std::map<unsigned, int64_t> LeastArguments; ///< of those that are more than 0
};

} // namespace retro

#endif
