// Brings exceptions to the form of front/known/exceptions.h, and back.
#ifndef RETRO_PREPARE_EXCEPTIONS_H
#define RETRO_PREPARE_EXCEPTIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace retro {

/// Turns the invokes of F into calls, marks and branches.
void lowerExceptions(llvm::Function &F);

/// Turns the marks in F back into invokes and landing pads. Leave, if given,
/// emits what is to be done before an exception leaves F, which those of the
/// calls that are in May do. False: the marks are no longer as they were made.
bool raiseExceptions(
    llvm::Function &F,
    llvm::function_ref<void(llvm::IRBuilder<> &)> Leave = nullptr,
    llvm::function_ref<bool(const llvm::CallBase &)> May = nullptr);

/// Does a handler go on, so that it is more than cleaning up?
bool returnsFrom(llvm::BasicBlock &Handler);

/// Does a handler that goes on catch what a call without a return ends in? That
/// may have done something before.
bool isCaught(const llvm::CallBase &Call);

/// Is it a function of an exception that was caught, as what() is, to which no
/// number goes, and from which none comes?
bool asksException(const llvm::CallBase &Call);

} // namespace retro

#endif
