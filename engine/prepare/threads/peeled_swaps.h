// Loops that compare and swap, whose first time round LLVM runs in front of
// them.
#ifndef RETRO_PREPARE_THREADS_PEELED_SWAPS_H
#define RETRO_PREPARE_THREADS_PEELED_SWAPS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace retro {

/// A number and its bits are one value for these functions: returns V without
/// casts between the two.
llvm::Value *bitsOf(llvm::Value *V);
llvm::SmallVector<llvm::AtomicCmpXchgInst *> swapsOf(llvm::Function &F);
/// Does the condition say that X swapped (true), or that it did not (false)?
/// Nothing if it says neither. IsExpected, IsSeen: is a value what X expects,
/// or what the place held?
std::optional<bool>
saysSwapped(const llvm::Value *Condition, const llvm::AtomicCmpXchgInst &X,
            llvm::function_ref<bool(llvm::Value *)> IsExpected,
            llvm::function_ref<bool(llvm::Value *)> IsSeen);
/// The block to which the branch at the end of Test leaves L when Says is true
/// of a swap that was made. Null if a swap may not end the loop. OtherCondition
/// gets what else has to hold for the loop to go on, if anything.
llvm::BasicBlock *
leavesSwapped(const llvm::Loop &L, const llvm::BasicBlock &Test,
              llvm::function_ref<std::optional<bool>(llvm::Value *)> Says,
              llvm::Value *&OtherCondition);
/// Does Place hold V at the end of B, for all that its thread knows?
bool holds(llvm::Value *Place, llvm::Value *V, llvm::BasicBlock *B,
           unsigned Depth = 0);
/// Puts such first times round back into their loops.
void rejoinPeeled(llvm::Function &F);

} // namespace retro

#endif
