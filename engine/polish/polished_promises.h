// What the stages of polish promise those that come after them.
#ifndef RETRO_POLISH_POLISHED_PROMISES_H
#define RETRO_POLISH_POLISHED_PROMISES_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Ends the compiler with the promise that F breaks: it can be called, LLVM may
/// take iterations out of all of its loops where nests over grids (Grids) have
/// been whole until now, and no bits of a number are an address as they are.
void checkPolished(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                   bool Grids);

} // namespace retro

#endif
