// Additions to shadow memory that several threads of a team make: what a thread
// adds is summed up in lines of its own (runtime/combine.h).
#ifndef RETRO_EMIT_WORDS_COMBINE_H
#define RETRO_EMIT_WORDS_COMBINE_H

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// The place where the running thread adds up its part, asked for once, before
/// Entry.
llvm::Value *emitCombiner(llvm::Instruction &Entry);

/// Is I a call of a combiner's runtime? Is it the place that one is asked for?
bool isCombinerCall(const llvm::Value *I);
bool isCombiner(const llvm::Value *I);

/// Adds the float or double V to memory at P, by way of Combiner. Splits the
/// block, and leaves the builder where the code goes on.
void addCombined(llvm::IRBuilder<> &B, llvm::Value *Combiner, llvm::Value *P,
                 llvm::Value *V);

/// Hands over the running thread's part of the line at P. Splits the block.
void emitSettle(llvm::IRBuilder<> &B, llvm::Value *Combiner, llvm::Value *P);

/// Hands over all of the running thread's part.
void emitHandOver(llvm::IRBuilder<> &B);

} // namespace retro

#endif
