// Loops that the engine writes.
#ifndef RETRO_IR_EMIT_LOOP_H
#define RETRO_IR_EMIT_LOOP_H

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// The code after the insertion point moves to a new block, which is returned;
/// the builder is left at the end of what is before it, without a branch.
llvm::BasicBlock *splitHere(llvm::IRBuilder<> &B, const llvm::Twine &Name);

/// for (i = 0; i < Count; ++i) Body(i), at the builder's place, where the block
/// is split if it goes on; leaves the builder after the loop.
void emitLoop(llvm::IRBuilder<> &B, llvm::Value *Count,
              llvm::function_ref<void(llvm::Value *)> Body);

} // namespace retro

#endif
