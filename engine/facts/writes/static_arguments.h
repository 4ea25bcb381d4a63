// Pointers in static variables that may lead to an argument's memory against
// what the classes of memory say.
#ifndef RETRO_FACTS_WRITES_STATIC_ARGUMENTS_H
#define RETRO_FACTS_WRITES_STATIC_ARGUMENTS_H

#include "facts/activity/kept_memory.h"

namespace retro {

/// A static pointer that other code has set when the derivative begins, and the
/// root's arguments to whose memory it does not lead, if the classes are right.
struct StaticArgument {
  llvm::GlobalVariable *Variable;
  int64_t Offset;             ///< in bytes
  const llvm::LoadInst *Load; ///< of the unit
  uint64_t Bytes;             ///< that it leads to as far as is known
  struct Other {
    const llvm::Argument *Argument;
    uint64_t Bytes;
  };
  llvm::SmallVector<Other, 4> Apart;
};

std::vector<StaticArgument> findStaticArguments(const ActivityAnalysis &Act,
                                                const KeptMemory &Kept);

} // namespace retro

#endif
