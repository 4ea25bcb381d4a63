// Functions that make a request on behalf of their callers, which alone know
// the function to differentiate.
#ifndef RETRO_FRONT_REQUESTS_WRAPPERS_H
#define RETRO_FRONT_REQUESTS_WRAPPERS_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Is the target of a request in F a parameter of F?
bool isRequestWrapper(llvm::Function &F);

/// Inlines every such function, and every function with a request that is to be
/// inlined anyway, into its callers, until the target is known. Where the
/// optimizer has run before, little is left to do.
void inlineRequestWrappers(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Deletes functions of a kind that nobody uses any more.
void dropUnused(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
                llvm::function_ref<bool(llvm::Function &)> IsOfKind);

/// Deletes the wrappers that nobody uses any more.
void dropRequestWrappers(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
