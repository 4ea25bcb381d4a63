// Two versions of a loop, and blocks of its iterations.
#ifndef RETRO_LOOPS_STRIP_LOOP_H
#define RETRO_LOOPS_STRIP_LOOP_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Value.h"

namespace retro {

/// The blocks of a loop's copy.
struct LoopCopy {
  llvm::BasicBlock *Before, *Header, *Latch, *After;
};

/// Makes a copy of a loop that runs instead of it where If, known before the
/// loop, is true. The loop is in simplified and LCSSA form, and is left at its
/// latch alone. The copy runs from Before to After, where the loop's results
/// are phis. Dominators and LoopInfo of the function have to be made anew.
LoopCopy copyLoop(llvm::Loop &L, llvm::Value *If);

/// The same; and around the copy, which takes Trips iterations (i64), stands a
/// loop over blocks of Block iterations. Returns the header of that loop.
llvm::BasicBlock *stripCopy(llvm::Loop &L, llvm::Value *If, llvm::Value *Trips,
                            llvm::Value *Block);

} // namespace retro

#endif
