// Whether what a function reaches by its arguments is apart: asked the program,
// before a derivative that needs less of a tape if it is.
#ifndef RETRO_RANGES_ARGUMENT_RANGES_H
#define RETRO_RANGES_ARGUMENT_RANGES_H

#include "base/unit.h"
#include "front/requests/request.h"

namespace retro {

class UnitPlan;

/// The question, and the arguments that it is about.
struct ApartQuestion {
  /// i1 (arguments, shadows of Dup): no memory that the unit's root accesses by
  /// one argument, nor its shadow, is any that it accesses by another one, but
  /// where both are only read.
  llvm::Function *Asks = nullptr;
  std::vector<unsigned> Arguments;

  explicit operator bool() const { return Asks != nullptr; }
};

/// The fields of the tapes.
unsigned tapeFields(const Unit &U, const UnitPlan &Plan);

/// Does the plan tape what is overwritten only if arguments overlap? The
/// question if so, where all that the root accesses lies in ranges that can be
/// computed from its arguments; else none.
ApartQuestion askWhetherApart(Unit &U, const UnitPlan &Plan,
                              const Request &Req);

/// Apart if the question is answered with yes, else Overlapping. Both have its
/// parameters; the question goes.
llvm::Function *chooseGradient(const ApartQuestion &Q, llvm::Function &Apart,
                               llvm::Function &Overlapping);

} // namespace retro

#endif
