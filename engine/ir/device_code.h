// Barriers, atomic additions and shared memory of a device, as IR.
#ifndef RETRO_IR_DEVICE_CODE_H
#define RETRO_IR_DEVICE_CODE_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace retro {

/// Emits a barrier of the block like the one of the primal: what a thread did
/// before it, the others see after it.
void emitBlockBarrier(llvm::IRBuilder<> &B, llvm::CallBase &Like);
void emitBlockBarrier(llvm::IRBuilder<> &B, llvm::Module &M);

/// Gives an addition to shadow memory the form that the device is fast at.
void fitAtomic(llvm::AtomicRMWInst &Add);

/// Sets shared memory to zero: the threads of the block do it together. A
/// barrier is before it, for what they did earlier, and one is after it.
void clearInBlock(llvm::IRBuilder<> &B, llvm::GlobalVariable &G,
                  llvm::Value *Bytes);

} // namespace retro

#endif
