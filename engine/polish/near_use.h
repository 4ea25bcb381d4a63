// Computes values again near their use, where the registers of a GPU do not
// suffice for a derivative.
#ifndef RETRO_POLISH_NEAR_USE_H
#define RETRO_POLISH_NEAR_USE_H

#include "llvm/IR/Function.h"

namespace retro {

/// Marks a parameter of a derivative: what is loaded from there may be loaded
/// again, wherever that is.
void markInput(llvm::Function &F, unsigned Arg);

/// Repeats values near their uses, and removes the marks of inputs. Returns how
/// many values are computed again.
unsigned recomputeNearUses(llvm::Function &F);

/// Makes the repeated loads of a kernel's own restricted pointers ordinary
/// ones. LLVM 22 loads these past the cache of data that is written, has no
/// atomic load of that kind, and crashes.
void settleReloads(llvm::Function &Kernel);

} // namespace retro

#endif
