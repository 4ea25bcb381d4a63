// The calls that ask for a derivative, by their names, and which function each
// names.
#ifndef RETRO_FRONT_KNOWN_ENTRY_POINTS_H
#define RETRO_FRONT_KNOWN_ENTRY_POINTS_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <vector>

namespace retro {

/// The entry points of the convention.
enum class Entry {
  None,
  Autodiff,       ///< the gradient, both passes in one function
  Fwddiff,        ///< primal and tangent in one function
  AugmentFwd,     ///< split mode: the first pass, which returns a tape
  AugmentSize,    ///< split mode: the bytes that the tape itself takes
  PoolSize,       ///< the bytes of a pool that the tape of this thread takes
  Reverse,        ///< split mode: the second pass, which takes the tape
  FwdSplit,       ///< split mode: the second pass in forward direction
  ErrorEstimate,  ///< bounds of errors in the place of tangents
  Batch,          ///< several evaluations in one call
  VirtualReverse, ///< what a shadow holds in the place of a function pointer
};

/// Is it forward mode in one pass: of tangents, or of bounds of errors?
inline bool isForwardPass(Entry Kind) {
  return Kind == Entry::Fwddiff || Kind == Entry::ErrorEstimate;
}

/// The name of an entry point. One that the program declares may have more
/// before and behind it.
llvm::StringRef nameOf(Entry Kind);

/// How all names of the convention begin.
llvm::StringRef conventionPrefix();

/// What a call asks for; None: it is no request.
Entry entryOf(const llvm::CallBase &Call);

/// Is this a call of an entry point (__enzyme_autodiff and its kin)?
bool isRequest(const llvm::CallBase &Call);

/// Is this a call that stands for a sparse shadow (__enzyme_todense)?
bool isSparseShadow(const llvm::CallBase &Call);

/// What the program asks for in another format of numbers.
enum class FormatRequest {
  None,
  Operations, ///< a function whose operations are done in the format
  Memory,     ///< a function that also keeps its numbers in the format
  Narrow,     ///< a number, converted to what such a function keeps
  Widen,      ///< a number that such a function keeps, converted back
};
FormatRequest formatRequestOf(const llvm::CallBase &Call);

/// The function of the program that is told each operation's error, or null.
llvm::Function *errorLogger(llvm::Module &M);
/// The function of the program that is asked what an operation rounds, or null.
llvm::Function *ownErrorFunction(llvm::Module &M);

/// All requests of a function, in order.
std::vector<llvm::CallBase *> requestsIn(llvm::Function &F);
/// Are there any?
bool hasRequests(const llvm::Function &F);

/// The operand that names the function to differentiate, or null.
llvm::Value *targetOperand(const llvm::CallBase &Call);

/// That function, or null.
llvm::Function *targetOf(const llvm::CallBase &Call);

/// The function, or the argument of the enclosing function, that a value is;
/// seen through casts, constants and what -O0 leaves of variables. Or null.
llvm::Function *functionBehind(llvm::Value *V);

const llvm::Argument *argumentBehind(const llvm::Value *V);

} // namespace retro

#endif
