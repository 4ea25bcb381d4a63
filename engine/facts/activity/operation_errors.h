// What operations add to the errors of their results, for error estimates.
#ifndef RETRO_FACTS_ACTIVITY_OPERATION_ERRORS_H
#define RETRO_FACTS_ACTIVITY_OPERATION_ERRORS_H

#include "llvm/IR/Instructions.h"
#include <optional>

namespace retro {

/// What an operation rounds, in units in the last place of its result.
struct OwnError {
  int Units = 0;
  bool PerFactor = false; ///< as many for each factor of an integer power
  bool OfProduct = false; ///< and one unit of each product that is added to
  bool OfGreater = false; ///< the units are those of a pair's greater number
  bool IfLarge = false;   ///< if it has more digits than there is room for
  bool Underflows = true; ///< small results have no more room for digits

  bool any() const { return Units != 0; }
};

/// Nothing: it is not known.
std::optional<OwnError> ownError(const llvm::Instruction &I);

/// Does I round, so that its result has an error though its operands have none?
bool rounds(const llvm::Instruction &I);

/// Does the choice between two numbers depend on which is greater?
bool choosesByOrder(const llvm::SelectInst &S);

} // namespace retro

#endif
