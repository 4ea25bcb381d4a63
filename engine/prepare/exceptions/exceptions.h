// Brings exceptions to the form of front/known/exceptions.h, and back.
#ifndef RETRO_PREPARE_EXCEPTIONS_H
#define RETRO_PREPARE_EXCEPTIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

namespace retro {

/// Turns the invokes of F into calls, marks and branches.
void lowerExceptions(llvm::Function &F);

/// What raising exceptions is told of other functions.
struct RaiseWith {
  /// Emits what has to be done before an exception leaves F; it is asked for
  /// at the calls in May only.
  llvm::function_ref<void(llvm::IRBuilder<> &)> Leave = nullptr;
  llvm::function_ref<bool(const llvm::CallBase &)> May = nullptr;
  /// Functions that pass exceptions on when they return.
  llvm::SmallPtrSet<const llvm::Function *, 8> Passing;
};

/// Turns the marks in F back into invokes and landing pads. Returns false if
/// the marks are no longer as they were made.
bool raiseExceptions(llvm::Function &F, const RaiseWith &With = {});

/// Puts in a mark that LLVM must not move, repeat, merge or leave out.
llvm::CallInst *makeMark(llvm::IRBuilder<> &B, llvm::StringRef Name,
                         llvm::ArrayRef<llvm::Value *> Args = {});

/// Does a handler return to the program, so that it does more than clean up?
bool returnsFrom(llvm::BasicBlock &Handler);

/// Has F an invoke with such a handler?
bool goesOnInHandlers(const llvm::Function &F);

/// Is an exception caught by a handler that returns, when a call without a
/// return throws it? Such a call may have done something before it threw.
bool isCaught(const llvm::CallBase &Call);

} // namespace retro

#endif
