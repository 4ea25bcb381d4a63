#ifndef RETRO_PREPARE_CALLS_SPECIALIZE_H
#define RETRO_PREPARE_CALLS_SPECIALIZE_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Makes the models that were inlined special to their calls.
bool specializeModels(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
