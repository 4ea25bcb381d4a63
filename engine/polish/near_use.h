// Where the registers of a GPU do not suffice for a derivative, what was
// computed from inputs far before its use is computed again near it.
#ifndef RETRO_POLISH_NEAR_USE_H
#define RETRO_POLISH_NEAR_USE_H

#include "llvm/IR/Function.h"

namespace retro {

/// Says of a derivative's parameter that what is loaded from there may be
/// loaded again, wherever that is.
void markInput(llvm::Function &F, unsigned Arg);

/// Returns how many values are computed again. Marks of inputs end here.
unsigned recomputeNearUses(llvm::Function &F);

} // namespace retro

#endif
