// Exceptions as plain control flow. While a unit is analyzed and emitted, a
// call that may unwind to a handler of its own function stands between two
// marks, of which the second tells whether it threw, and a branch follows:
//
//     call void @retro.try()
//     %y = call double @f(double %x)
//     %threw = call i1 (i1, ...) @retro.threw(i1 false, ptr @TypeInfo)
//     br i1 %threw, label %handler, label %normal
//
// A call that never returns comes behind its mark, which is always true:
//
//     %throws = call i1 (i1, ...) @retro.throws(i1 true)
//     br i1 %throws, label %handler, label %thrown
//   thrown:
//     call void @__cxa_throw(...)
//     unreachable
//
// The operands are what a landing pad says: whether it cleans up, and its
// clauses. The handler reads the exception by @retro.exception and
// @retro.selector, compares the latter with @retro.typeid(TypeInfo), and goes
// on unwinding by @retro.resume. A function that returns where an exception
// leaves it passes that on by @retro.pass. prepare/exceptions/exceptions.h
// makes and unmakes them.
#ifndef RETRO_FRONT_KNOWN_EXCEPTIONS_H
#define RETRO_FRONT_KNOWN_EXCEPTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"

namespace retro {

namespace marks {
inline constexpr llvm::StringLiteral Try = "retro.try";
inline constexpr llvm::StringLiteral Threw = "retro.threw";
inline constexpr llvm::StringLiteral Throws = "retro.throws";
inline constexpr llvm::StringLiteral Exception = "retro.exception";
inline constexpr llvm::StringLiteral Selector = "retro.selector";
inline constexpr llvm::StringLiteral TypeId = "retro.typeid";
inline constexpr llvm::StringLiteral Resume = "retro.resume";
inline constexpr llvm::StringLiteral Pass = "retro.pass";
} // namespace marks

/// Is I a mark of this name?
bool isMark(const llvm::Value &I, llvm::StringRef Name);
/// Is it the name of a mark?
bool isExceptionMark(llvm::StringRef Name);
/// Is I a mark, of any name?
bool isExceptionMark(const llvm::Value &I);

/// Do handlers of F stay in it? Panics of Rust go past them.
bool keepsHandlers(const llvm::Function &F);

/// May an exception leave the call?
bool mayUnwind(const llvm::CallBase &C);

/// Does the call only ask a caught exception something, as what() does, so that
/// it neither takes nor gives numbers?
bool asksException(const llvm::CallBase &Call);

/// The mark that tells whether C threw, if C may unwind to a handler of its
/// function and may return; else null.
const llvm::CallBase *threwMark(const llvm::CallBase &C);

/// The block to which an exception leads from that mark, or from one that is
/// always true; null if there is no branch on the mark.
llvm::BasicBlock *handlerOf(const llvm::CallBase &Mark);

} // namespace retro

#endif
