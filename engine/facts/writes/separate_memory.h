// Memory that the classes hold apart, and that other code may have made the
// same.
#ifndef RETRO_FACTS_WRITES_SEPARATE_MEMORY_H
#define RETRO_FACTS_WRITES_SEPARATE_MEMORY_H

#include "facts/activity/kept_memory.h"
#include "facts/memory/known_begins.h"

namespace retro {

/// A static pointer that other code has set when the derivative begins, and
/// what it does not lead to, if the classes are right.
struct SeparateMemory {
  KnownBegin Static;
  const llvm::Instruction *Load; ///< of the unit
  llvm::SmallVector<KnownBegin, 4> Others;
};

std::vector<SeparateMemory> findSeparateMemory(const ActivityAnalysis &Act,
                                               const KeptMemory &Kept);

} // namespace retro

#endif
