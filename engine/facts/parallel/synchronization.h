// Calls that order threads: what stands for each of them in the reverse pass.
#ifndef RETRO_FACTS_PARALLEL_SYNCHRONIZATION_H
#define RETRO_FACTS_PARALLEL_SYNCHRONIZATION_H

#include "front/known/known_functions.h"

namespace retro {

/// What a call of the kind Synchronize does.
enum class Sync {
  None,
  Barrier,       ///< all threads of the team wait for each other
  Acquire,       ///< takes the lock
  Release,       ///< gives the lock back: takes a ticket, for the reverse pass
  BlockBarrier,  ///< all threads of a GPU's block wait for each other
  Sequential,    ///< begins what one thread alone runs as a team
  EndSequential, ///< ends it
  Join,          ///< waits for the thread
};
Sync syncOf(const llvm::CallBase &C);

/// The operand that the reverse pass reads, or null.
llvm::Value *syncOperand(const llvm::CallBase &C);

} // namespace retro

#endif
