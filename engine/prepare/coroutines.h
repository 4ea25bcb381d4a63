// Coroutines become functions before anything is differentiated.
#ifndef RETRO_PREPARE_COROUTINES_H
#define RETRO_PREPARE_COROUTINES_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Splits coroutines; returns whether there were any. At -O0 LLVM would split
/// them after this pass, and a derivative would contain intrinsics that only a
/// coroutine may have.
bool splitCoroutines(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

} // namespace retro

#endif
