// Coroutines become functions before anything is differentiated.
#ifndef RETRO_PREPARE_COROUTINES_H
#define RETRO_PREPARE_COROUTINES_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// At -O0, LLVM splits coroutines behind this pass, and a derivative would have
/// intrinsics in it that only a coroutine may have. Returns whether there were
/// any.
bool splitCoroutines(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

} // namespace retro

#endif
