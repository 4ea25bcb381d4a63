// Of emitted functions with the same code one is left.
#ifndef RETRO_POLISH_EQUAL_FUNCTIONS_H
#define RETRO_POLISH_EQUAL_FUNCTIONS_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Lets calls of functions that have the same code enter one of them, and
/// removes the others from the module and from Functions. Kept: those that are
/// known by other names than their calls; null pointers among them do not
/// count.
void mergeEqual(std::vector<llvm::Function *> &Functions,
                llvm::ArrayRef<llvm::Function *> Kept,
                llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
