// Models of library functions, made special to their calls.
#ifndef RETRO_PREPARE_CALLS_SPECIALIZE_H
#define RETRO_PREPARE_CALLS_SPECIALIZE_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Specializes the models that were inlined into F. Returns whether F is
/// smaller.
bool specializeModels(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
