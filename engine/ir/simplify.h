// LLVM's simplification of one function.
#ifndef RETRO_IR_SIMPLIFY_H
#define RETRO_IR_SIMPLIFY_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Runs LLVM's function simplification pipeline: on clones before AD, and on
/// what was emitted.
void simplifyFunction(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                      bool Unroll);

/// Deletes phis whose results are read by nothing but such phis.
void deleteDeadPhis(llvm::Function &F);

} // namespace retro

#endif
