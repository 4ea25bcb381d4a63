// Functions with '...' that are called with a known list.
#ifndef RETRO_PREPARE_CALLS_VARIADIC_H
#define RETRO_PREPARE_CALLS_VARIADIC_H

#include "llvm/IR/InstrTypes.h"

namespace retro {

/// Does F read what it is called with beyond its named parameters?
bool readsVariadic(const llvm::Function &F);

/// May Call give active numbers behind G's named parameters, which G reads by
/// itself? These are refused.
bool readsActive(const llvm::Function &G, const llvm::CallBase &Call);

/// A function like G whose parameters have all that Call gives a name. Null
/// where the target's lists, or a type among the arguments, are not known.
llvm::Function *nameParameters(llvm::Function &G, const llvm::CallBase &Call);

/// Calls To, which nameParameters made, in the place of Call. Returns the call.
llvm::CallBase *callNamed(llvm::CallBase &Call, llvm::Function &To);

/// Copies of lists become copies of memory in F.
void lowerListCopies(llvm::Function &F);

} // namespace retro

#endif
