// Library calls in a form of our own. The interfaces of libraries pass complex
// numbers packed or split, and Fortran's all by address; in the unit each such
// call becomes a call of a function of CanonicalPrefix with one operand a
// number, which analyses read and which emission calls too. When everything is
// emitted, these calls become calls of the library again.
#ifndef RETRO_PREPARE_CALLS_LIBRARY_CALLS_H
#define RETRO_PREPARE_CALLS_LIBRARY_CALLS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace retro {

/// Replaces an operation of x86 vector registers by ones that are known
/// (target_intrinsics.cpp).
bool lowerTargetIntrinsic(llvm::CallBase &C);

/// The same for operations of GPUs (device_intrinsics.cpp).
bool lowerDeviceIntrinsic(llvm::CallBase &C);

/// Brings the library calls of a unit's function to canonical form. Returns
/// whether something has changed.
bool canonicalizeLibraryCalls(llvm::Function &F);

/// Replaces assembly by instructions: what is empty, and single instructions of
/// the table of known functions (assembly.cpp). Returns whether it could.
bool lowerAssembly(llvm::CallBase &C);

/// Turns canonical calls in an emitted function into calls of the library.
void expandLibraryCalls(llvm::Function &F);

/// Deletes the canonical functions, which nothing calls any more.
void dropCanonicalFunctions(llvm::Module &M);

/// The canonical function that stands for Name, a library function with the
/// conventions of Like.
llvm::Function *canonicalFunction(llvm::Module &M, llvm::StringRef Name,
                                  llvm::FunctionType *T, llvm::StringRef Like);
/// The library function's name, and the function it is called like.
llvm::StringRef libraryName(const llvm::Function &Canonical);
llvm::Function *conventionsOf(const llvm::Function &Canonical);

} // namespace retro

#endif
