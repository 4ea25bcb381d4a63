// The order in which a thread of a GPU accesses memory. A thread waits for what
// it has loaded where it first needs it, and loads are not moved over stores
// later: the assembler does not know which memory is apart.
#ifndef RETRO_POLISH_DEVICE_MEMORY_H
#define RETRO_POLISH_DEVICE_MEMORY_H

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Function.h"

namespace retro {

/// Marks a function of which a derivative is part, or dropped there.
void markDerived(llvm::Function &F);
bool isDerived(const llvm::Function &F);

/// Additions to global memory that the thread does itself, by a load and a
/// store, become additions of the memory's: the thread does not wait. Returns
/// how many.
unsigned sendAdditions(llvm::Function &F, llvm::AAResults &AA);

/// Writes additions to global memory whose result nobody reads as the
/// instruction `red`. The back end writes `atom`, and the assembler takes a
/// loop with that for one that waits for other threads: it lets the threads of
/// a warp drift apart (YIELD), and they go through the rest of the loop one by
/// one. The last rewrite: it is assembly. Returns how many.
unsigned writeReductions(llvm::Function &F);

/// Moves loads in front of stores and atomic additions to other memory, as far
/// as registers suffice, so that a thread waits once for many. Returns how
/// many.
unsigned loadEarly(llvm::Function &F, llvm::AAResults &AA);

} // namespace retro

#endif
