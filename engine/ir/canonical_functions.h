// Canonical functions: declarations in the unit that stand for functions of
// libraries, with one operand for each number. Their names and conventions are
// said here, so that what makes such calls (prepare/calls/) and what reads or
// emits them agree.
#ifndef RETRO_IR_CANONICAL_FUNCTIONS_H
#define RETRO_IR_CANONICAL_FUNCTIONS_H

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace retro {

/// The canonical function that stands for Name, a library function with the
/// conventions of Like.
llvm::Function *canonicalFunction(llvm::Module &M, llvm::StringRef Name,
                                  llvm::FunctionType *T, llvm::StringRef Like);

/// The name of the library's function.
llvm::StringRef libraryName(const llvm::Function &Canonical);
/// The function whose conventions the library's function has.
llvm::Function *conventionsOf(const llvm::Function &Canonical);

/// Deletes the canonical functions, which nothing calls any more.
void dropCanonicalFunctions(llvm::Module &M);

} // namespace retro

#endif
