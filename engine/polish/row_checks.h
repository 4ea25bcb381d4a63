// Arrays that may overlap are compared before each row of a reverse pass.
#ifndef RETRO_POLISH_ROW_CHECKS_H
#define RETRO_POLISH_ROW_CHECKS_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Keeps LLVM from comparing arrays in front of loops that count down. Returns
/// for how many loops inside of them.
unsigned compareByRow(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
