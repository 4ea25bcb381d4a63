// Atomic maxima and minima of numbers on a device.
//
// Its threads cannot take turns, so the operation stays what it is, and its
// derivative is that of a choice: the place holds in the end what one thread
// gave, or what was there before. The thread whose value it is replaced another
// value by it; as each such thread replaced a smaller one by a greater, there
// is no other with the same value.
#ifndef RETRO_EMIT_THREADS_CHOICES_H
#define RETRO_EMIT_THREADS_CHOICES_H

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// Stops the program unless there is one block: others may still give more.
void emitOneBlock(llvm::IRBuilder<> &B);

/// Did New take the place of Old in the operation A?
llvm::Value *emitReplaced(llvm::IRBuilder<> &B, llvm::AtomicRMWInst &A,
                          llvm::Value *Old, llvm::Value *New);
/// Does Place hold V, bit by bit?
llvm::Value *emitHolds(llvm::IRBuilder<> &B, llvm::Value *Place, llvm::Value *V,
                       llvm::Align A);
/// Shadow where Taken holds, else a variable before Entry that is zero.
llvm::Value *emitTakenPlace(llvm::IRBuilder<> &B, llvm::Value *Taken,
                            llvm::Value *Shadow, llvm::Type *Number,
                            llvm::Instruction *Entry);
/// Where Replaced holds, the tangent D of V goes to Shadow, if Place still
/// holds V when no other thread can store there.
void emitTakeTangent(llvm::IRBuilder<> &B, llvm::Value *Replaced,
                     llvm::Value *Place, llvm::Value *V, llvm::Value *Shadow,
                     llvm::Value *D, llvm::Align A);

} // namespace retro

#endif
