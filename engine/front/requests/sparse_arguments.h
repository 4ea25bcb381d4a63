// Sparse shadows that a program makes in one place and gives to a request in
// another.
#ifndef RETRO_FRONT_REQUESTS_SPARSE_ARGUMENTS_H
#define RETRO_FRONT_REQUESTS_SPARSE_ARGUMENTS_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Brings each of them to the requests that use it: through variables, through
/// functions that return it, and into functions that are given it.
void bringSparseShadows(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
