// What a function stores last can wait until its reverse pass is through: that
// may read what is overwritten.
#ifndef RETRO_FACTS_WRITES_LATE_STORES_H
#define RETRO_FACTS_WRITES_LATE_STORES_H

#include "facts/activity/activity.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"

namespace retro {

/// Stores of numbers by the root, in order, that each call makes once, and
/// behind which the primal neither looks at what they write nor can stop. Those
/// of results that nobody reads are not among them.
llvm::SetVector<const llvm::StoreInst *>
findLateStores(const UnitFunction &UF, const ActivityAnalysis &Act,
               llvm::AAResults &AA);

} // namespace retro

#endif
