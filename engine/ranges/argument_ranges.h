// Asks the program whether the memory that a function reaches through its
// arguments overlaps, before a derivative that needs less of a tape if it does
// not.
#ifndef RETRO_RANGES_ARGUMENT_RANGES_H
#define RETRO_RANGES_ARGUMENT_RANGES_H

#include "base/unit.h"
#include "front/requests/request.h"

namespace retro {

class UnitPlan;

/// The question, and the arguments that it is about.
struct ApartQuestion {
  /// i1 (arguments, shadows of Dup): true if no memory that the root accesses
  /// through one argument, nor its shadow, is accessed through another one, and
  /// if these numbers are within bounds. Memory that is only read may overlap.
  llvm::Function *Asks = nullptr;
  std::vector<unsigned> Arguments;
  NumberBounds Numbers;

  explicit operator bool() const { return Asks != nullptr; }
};

/// How much the tapes are, by their fields and the loops around them.
uint64_t tapeWeight(const Unit &U, const UnitPlan &Plan);

/// Makes the question, if the plan tapes something only because arguments may
/// overlap, or because numbers might be too large to say that what has been
/// read is not stored to any more, and if all that the root accesses is in
/// ranges that can be computed from its arguments: where it is not, numbers
/// alone are asked for. Else the result is empty.
ApartQuestion askWhetherApart(Unit &U, const UnitPlan &Plan,
                              const Request &Req);

/// A function that runs Apart if the answer is yes, else Overlapping. Both have
/// the function's parameters. The question is inlined and deleted.
llvm::Function *chooseGradient(const ApartQuestion &Q, llvm::Function &Apart,
                               llvm::Function &Overlapping);

} // namespace retro

#endif
