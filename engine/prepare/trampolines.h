// Calls of functions by the address of code that is made for them when the
// program runs: internal procedures of Fortran, and nested functions of C.
#ifndef RETRO_PREPARE_TRAMPOLINES_H
#define RETRO_PREPARE_TRAMPOLINES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

namespace retro {

/// Gives each trampoline that F makes a record of the function and of its
/// host's frame, behind the code. Tells whether there are any.
bool recordTrampolines(llvm::Function &F);

/// The functions that C, a call by an address, may enter through a trampoline
/// that is made in a function of which IsMade holds.
llvm::SmallVector<llvm::Function *>
trampolineTargets(const llvm::CallBase &C,
                  llvm::function_ref<bool(llvm::Function &)> IsMade);

/// Before C, calls G if the address is that of a trampoline with a record of G.
void callByRecord(llvm::CallInst &C, llvm::Function &G);

} // namespace retro

#endif
