// Loops that the engine itself writes.
#ifndef RETRO_IR_EMIT_LOOP_H
#define RETRO_IR_EMIT_LOOP_H

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// Splits the block at the insertion point, and returns the new block with the
/// code behind it. The builder is left at the end of the old block, which has
/// no branch yet.
llvm::BasicBlock *splitHere(llvm::IRBuilder<> &B, const llvm::Twine &Name);

/// Emits for (i = 0; i < Count; ++i) Body(i) at the builder's place, where the
/// block is split if it goes on. Leaves the builder behind the loop.
void emitLoop(llvm::IRBuilder<> &B, llvm::Value *Count,
              llvm::function_ref<void(llvm::Value *)> Body);

/// Emits if (Condition) Body() likewise.
void emitIf(llvm::IRBuilder<> &B, llvm::Value *Condition,
            llvm::function_ref<void()> Body);

} // namespace retro

#endif
