// Local variables of code for amdgcn, whose address space is not the generic
// one.
#ifndef RETRO_PREPARE_THREADS_LOCALS_ASIDE_H
#define RETRO_PREPARE_THREADS_LOCALS_ASIDE_H

#include "llvm/IR/Module.h"
#include <string>

namespace retro {

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
