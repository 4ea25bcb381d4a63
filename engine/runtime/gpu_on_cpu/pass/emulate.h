// The rewriting of device code for the host: emulate.cpp, checks.cpp (calls
// that check accesses), kernels.cpp (the table of kernels). plugin.cpp
// registers it with opt.
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace retro::gpu {

/// One module, as it is rewritten from device code to code for the host. The
/// steps run in the order in which they are declared.
class Emulation {
public:
  Emulation(llvm::Module &M, bool Checks);

  /// False, after an error, if something in the module has no counterpart.
  bool run();

private:
  void stripDevice();
  void moveLocals();
  void rewriteOperations();
  void checkAccesses();
  void layOutShared();
  void adoptKernels();
  void registerModule();

  void rewriteCall(llvm::CallInst &Call);
  void checkAccess(llvm::Instruction &I, llvm::Value *Address,
                   llvm::Value *Bytes, unsigned Access);
  llvm::Function *thunk(llvm::Function &Kernel);
  bool waits(llvm::Function &F, llvm::SmallPtrSetImpl<llvm::Function *> &Seen);
  llvm::Value *contextOf(llvm::Function &F);
  llvm::Value *fieldAddress(llvm::IRBuilder<> &B, llvm::Function &F,
                            unsigned Offset);
  llvm::Constant *site(llvm::Instruction &I, unsigned Access);
  llvm::Constant *text(llvm::StringRef Text);
  void fail(llvm::Instruction &At, const llvm::Twine &What);

  llvm::Module &M;
  llvm::LLVMContext &C;
  const bool Checks;
  const bool IsAMD;
  bool Failed = false;
  uint64_t SharedBytes = 0;
  llvm::SmallVector<llvm::Function *> Kernels;
  llvm::SmallVector<llvm::GlobalVariable *>
      Variables; ///< and constants, of global memory
  llvm::DenseMap<llvm::Function *, llvm::Value *> Contexts;
  llvm::SmallPtrSet<llvm::Function *, 16> Waiting; ///< the library's
  llvm::StringMap<llvm::Constant *> Texts;
};

} // namespace retro::gpu
