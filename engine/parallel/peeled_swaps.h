// Loops that compare and swap, of which LLVM runs the first time round apart.
#ifndef RETRO_PARALLEL_PEELED_SWAPS_H
#define RETRO_PARALLEL_PEELED_SWAPS_H

#include "llvm/IR/Instructions.h"

namespace retro {

/// A number and its bits are one value here.
llvm::Value *bitsOf(llvm::Value *V);
llvm::SmallVector<llvm::AtomicCmpXchgInst *> swapsOf(llvm::Function &F);
/// Puts such first times back into their loops.
void rejoinPeeled(llvm::Function &F);

} // namespace retro

#endif
