// Calls that order threads: what stands for each of them in the reverse pass.
#ifndef RETRO_FACTS_PARALLEL_SYNCHRONIZATION_H
#define RETRO_FACTS_PARALLEL_SYNCHRONIZATION_H

#include "front/known/known_functions.h"

namespace retro {

/// How the call orders threads.
Sync syncOf(const llvm::CallBase &C);

/// The operand that the reverse pass reads, or null.
llvm::Value *syncOperand(const llvm::CallBase &C);

} // namespace retro

#endif
