// Instrumented gradients (-retro-check-plan): what a plan rests on is checked
// when the gradient runs, by calls of the runtime (runtime/plan_check.c).
#ifndef RETRO_EMIT_CHECKS_PLAN_CHECK_H
#define RETRO_EMIT_CHECKS_PLAN_CHECK_H

#include "base/diagnostics.h"

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// Emits the check that Again, which repeats Load, is what the load gave.
void checkReload(llvm::IRBuilder<> &B, const llvm::Instruction &Load,
                 llvm::Value *Again, llvm::Value *Given, const Reporter &R);

/// Emits the check that no other thread adds to the shadow of what Load reads;
/// Plain: that is why no atomic operation does it.
void checkExclusive(llvm::IRBuilder<> &B, const llvm::Instruction &Load,
                    llvm::Value *Shadow, bool Plain, const Reporter &R);

} // namespace retro

#endif
