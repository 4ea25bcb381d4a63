// Barriers, atomic additions and shared memory of a device, as IR.
#ifndef RETRO_IR_DEVICE_CODE_H
#define RETRO_IR_DEVICE_CODE_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace retro {

/// Emits a barrier of the block, of the primal's kind (Like). Other threads see
/// behind it what a thread did before it.
void emitBlockBarrier(llvm::IRBuilder<> &B, llvm::CallBase &Like);
void emitBlockBarrier(llvm::IRBuilder<> &B, llvm::Module &M);

/// Gives an addition to shadow memory the form in which the device is fast.
void fitAtomic(llvm::AtomicRMWInst &Add);

/// Sets shared memory to zero, by all threads of the block. A barrier in front
/// waits for what they did before, and one behind for the zeros.
void clearInBlock(llvm::IRBuilder<> &B, llvm::GlobalVariable &G,
                  llvm::Value *Bytes);

} // namespace retro

#endif
