// LLVM's simplification of one function.
#ifndef RETRO_IR_SIMPLIFY_H
#define RETRO_IR_SIMPLIFY_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// The function-level simplification pipeline, used before AD on the clones
/// and after it on what was emitted.
void simplifyFunction(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                      bool Unroll);

} // namespace retro

#endif
