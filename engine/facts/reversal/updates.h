// Places that a block reads, and then stores to: x[i] = f(x[i], ...).
#ifndef RETRO_FACTS_REVERSAL_UPDATES_H
#define RETRO_FACTS_REVERSAL_UPDATES_H

#include "facts/activity/needs.h"

namespace retro {

/// The load and the store of each update: in the reverse pass nothing touches
/// the place's adjoint between the two, so that the store need not set it to
/// zero, nor the load add to it.
struct UpdatesInPlace {
  llvm::SetVector<const llvm::Instruction *> Updates;
  /// Stores of these that are the last in their block to touch the place.
  llvm::SetVector<const llvm::StoreInst *> ReadEarly;
};

/// Those of UF, of which P says how its blocks and what threads share are
/// planned.
UpdatesInPlace findUpdates(UnitFunction &UF, const ActivityAnalysis &Act,
                           const Needs &N, const FunctionPlan &P);

} // namespace retro

#endif
