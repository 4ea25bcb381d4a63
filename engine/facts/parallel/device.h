// What code of a GPU says of its memory and its launch.
#ifndef RETRO_FACTS_PARALLEL_DEVICE_H
#define RETRO_FACTS_PARALLEL_DEVICE_H

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Intrinsics.h"

namespace retro {

struct Unit;

/// Address spaces, the same numbers for both vendors.
enum DeviceSpace : unsigned {
  SharedSpace = 3,
  ConstantSpace = 4,
  PrivateSpace = 5
};

/// amdgcn: where the bytes of dynamic shared memory are among the implicit
/// arguments, as code objects since version 5 pass them.
inline constexpr uint64_t HiddenBytes = 120;

/// Does the host launch it?
bool isKernel(const llvm::Function &F);

/// Is this address space that of constant memory?
bool isConstantSpace(unsigned AddressSpace);

/// A call that gives a number of the launch, the same in all threads, or a
/// pointer to memory with such numbers.
bool isLaunchSize(llvm::Intrinsic::ID Id);

/// Is it shared memory: one object a block, which begins with no value?
bool isOfBlock(const llvm::GlobalVariable &G);

/// Is it shared memory of a size that the launch gives?
bool isDynamicShared(const llvm::GlobalVariable &G);

/// Does the unit's code ask how many bytes the launch gave?
bool asksForDynamicShared(const Unit &U);

} // namespace retro

#endif
