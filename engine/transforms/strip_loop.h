// Two versions of a loop, and blocks of its iterations.
#ifndef RETRO_TRANSFORMS_STRIP_LOOP_H
#define RETRO_TRANSFORMS_STRIP_LOOP_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Value.h"

namespace retro {

/// Makes a copy of a loop that runs instead of it where the condition, known
/// before the loop, is true. In the copy a loop over blocks of iterations
/// stands around them: its header is returned. The loop is in simplified and
/// LCSSA form, and is left at its latch alone, after so many trips (i64). What
/// is known of the function's loops is wrong then.
llvm::BasicBlock *stripCopy(llvm::Loop &L, llvm::Value *If, llvm::Value *Trips,
                            llvm::Value *Block);

} // namespace retro

#endif
