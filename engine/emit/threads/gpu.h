// Threads of a GPU in derivatives.
#ifndef RETRO_EMIT_THREADS_GPU_H
#define RETRO_EMIT_THREADS_GPU_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace retro {

/// Emits a barrier of the block like the one of the primal: what a thread did
/// before it, the others see after it.
void emitBlockBarrier(llvm::IRBuilder<> &B, llvm::CallBase &Like);
void emitBlockBarrier(llvm::IRBuilder<> &B, llvm::Module &M);

/// Does the host launch it?
bool isKernel(const llvm::Function &F);
/// A block of the kernel may have all registers of a multiprocessor, where the
/// program says nothing else: ptxas may take few to run many blocks at a time,
/// and spill.
void giveAllRegisters(llvm::Function &Kernel);
/// Is this address space that of constant memory?
bool isConstantSpace(unsigned AddressSpace);
/// A call that gives a number of the launch, the same in all threads, or a
/// pointer to memory with such numbers.
bool isLaunchSize(llvm::Intrinsic::ID Id);

/// Gives an addition to shadow memory the form that the device is fast at.
void fitAtomic(llvm::AtomicRMWInst &Add);

/// Is it shared memory: one object a block, which begins with no value?
bool isOfBlock(const llvm::GlobalVariable &G);

/// Functions that return an empty struct, as derivatives do that give no
/// number, return nothing: PTX has no type for that.
void dropEmptyResults(llvm::Module &M);

/// Sets shared memory to zero: the threads of the block do it together. A
/// barrier is before it, for what they did earlier, and one is after it.
void clearInBlock(llvm::IRBuilder<> &B, llvm::GlobalVariable &G,
                  llvm::Value *Bytes);

/// While derivatives are made for amdgcn, local variables are in the generic
/// address space, as they are everywhere else.
class LocalsAside {
public:
  explicit LocalsAside(llvm::Module &M);
  ~LocalsAside();
  LocalsAside(const LocalsAside &) = delete;
  LocalsAside &operator=(const LocalsAside &) = delete;

private:
  llvm::Module &M;
  std::string Layout; ///< of amdgcn; else empty
};

/// Makes F's local variables generic, in a module with LocalsAside.
void setLocalsAside(llvm::Function &F);
/// Puts them back into the device's private address space.
void putLocalsBack(llvm::Function &F);

} // namespace retro

#endif
