// Accesses whose activity is known when they run. Without this, runtime
// activity would add adjoints to constant memory, whose shadow is that memory
// itself.
#ifndef RETRO_EMIT_COMMON_ACTIVITY_GUARD_H
#define RETRO_EMIT_COMMON_ACTIVITY_GUARD_H

#include "llvm/IR/IRBuilder.h"

namespace retro {

class UnitEmitter;

/// Runtime activity: an access through a pointer whose shadow is the primal
/// pointer is of constant memory. Primal: null where that is known before.
class ActivityGuard {
public:
  ActivityGuard(UnitEmitter &E, llvm::IRBuilder<> &B, llvm::Value *Primal,
                llvm::Value *Shadow);

  /// Shadow, or memory that is there for nothing: a variable put before Entry.
  llvm::Value *place(llvm::Value *Shadow, llvm::Type *T, llvm::Align A,
                     llvm::Instruction *Entry);
  /// The condition; null where activity is known at compile time.
  llvm::Value *inactive() const { return Inactive; }
  /// V, or zero.
  llvm::Value *value(llvm::Value *V);

private:
  UnitEmitter &E;
  llvm::IRBuilder<> &B;
  llvm::Value *Inactive = nullptr;
};

} // namespace retro

#endif
