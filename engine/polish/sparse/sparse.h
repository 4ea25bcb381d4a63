// Sparse accumulation: a shadow that is no memory, but two functions of the
// program that take and give the derivative at an offset.
#ifndef RETRO_POLISH_SPARSE_SPARSE_H
#define RETRO_POLISH_SPARSE_SPARSE_H

#include "front/requests/request.h"

#include "llvm/IR/PassManager.h"

namespace retro {

/// A copy of the derivative D for the request that is now Call, in which
/// accesses through sparse shadows are calls of the two functions; the
/// functions' own arguments are added to Args. Null after an error. Loops run
/// only the iterations in which a derivative can be other than zero, where
/// comparisons of the loop's counter tell which.
llvm::Function *makeSparse(const Request &Req, const llvm::CallBase &Call,
                           llvm::Function &D,
                           llvm::SmallVectorImpl<llvm::Value *> &Args,
                           llvm::FunctionAnalysisManager &FAM, Reporter &R);

bool hasSparseShadows(const llvm::Module &M);

/// Removes the calls that stood for sparse shadows, and reports one that is
/// used as memory. SomeWait: some may belong to requests that are answered at
/// link time.
void dropSparseShadows(llvm::Module &M, bool SomeWait);

} // namespace retro

#endif
