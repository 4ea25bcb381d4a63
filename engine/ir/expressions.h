// Code that computes an expression of ScalarEvolution in another function than
// the one it was found in.
#ifndef RETRO_IR_EXPRESSIONS_H
#define RETRO_IR_EXPRESSIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"

namespace retro {

/// Computes S, an integer by sums, products, casts and recurrences, from what
/// its values are where B writes, and from the counters of the loops with these
/// headers.
llvm::Value *emitExpression(
    llvm::IRBuilder<> &B, const llvm::SCEV *S,
    llvm::function_ref<llvm::Value *(const llvm::Value *)> Of,
    llvm::function_ref<llvm::Value *(const llvm::BasicBlock *)> Counter);

} // namespace retro

#endif
