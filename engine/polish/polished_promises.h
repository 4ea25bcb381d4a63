// What the stages of polish promise those that come after them.
#ifndef RETRO_POLISH_POLISHED_PROMISES_H
#define RETRO_POLISH_POLISHED_PROMISES_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Ends the compiler with the promise that F breaks: it can be called, and no
/// bits of a number are an address as they are.
void checkPolished(llvm::Function &F);

} // namespace retro

#endif
