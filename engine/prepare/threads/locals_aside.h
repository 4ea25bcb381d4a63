// Moves local variables of code for amdgcn to the generic address space, and
// back.
#ifndef RETRO_PREPARE_THREADS_LOCALS_ASIDE_H
#define RETRO_PREPARE_THREADS_LOCALS_ASIDE_H

#include "llvm/IR/Module.h"
#include <string>

namespace retro {

/// While it lives, local variables of amdgcn's code are in the generic address
/// space, as they are everywhere else.
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

/// Moves F's local variables back to the device's private address space.
void putLocalsBack(llvm::Function &F);

} // namespace retro

#endif
