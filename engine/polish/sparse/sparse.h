// Sparse accumulation: a shadow that is no memory, but two functions of the
// program that give and take the derivative at an offset.
#ifndef RETRO_POLISH_SPARSE_SPARSE_H
#define RETRO_POLISH_SPARSE_SPARSE_H

#include "front/requests/request.h"

#include "llvm/IR/PassManager.h"

namespace retro {

/// The derivative D with the accesses through such shadows replaced by calls of
/// the two functions, for the request that is now Call; the functions' own
/// arguments are added to Args. Null after an error. Loops run only the
/// iterations in which a derivative can be other than zero, where comparisons
/// of the loop's counter tell these.
llvm::Function *makeSparse(const Request &Req, const llvm::CallBase &Call,
                           llvm::Function &D,
                           llvm::SmallVectorImpl<llvm::Value *> &Args,
                           llvm::FunctionAnalysisManager &FAM, Reporter &R);

bool hasSparseShadows(const llvm::Module &M);

/// Removes the calls that stood for sparse shadows; an error where one is used
/// as memory. Some may wait for requests that are answered at link time.
void dropSparseShadows(llvm::Module &M, bool SomeWait);

/// Restricts the loops of F so. Returns how many it restricted.
unsigned restrictLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
