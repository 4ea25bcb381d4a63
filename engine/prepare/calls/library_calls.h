// Library calls in a form of our own. Interfaces of libraries pass complex
// numbers packed or split, and those of Fortran pass everything by address. In
// the unit each such call becomes one of a function of CanonicalPrefix, with
// one operand for each number; analyses read that, and emission calls it too.
// When everything is emitted, these become calls of the library again.
#ifndef RETRO_PREPARE_CALLS_LIBRARY_CALLS_H
#define RETRO_PREPARE_CALLS_LIBRARY_CALLS_H

#include "front/known/known_functions.h"
#include "llvm/IR/IRBuilder.h"

#include "llvm/IR/Instructions.h"

namespace retro {

/// Replaces an operation of x86 vector registers by known ones
/// (target_intrinsics.cpp). Returns whether it could.
bool lowerTargetIntrinsic(llvm::CallBase &C);

/// Makes loads and stores of some lanes of a register those of single numbers,
/// with a branch for each lane where the mask is not known. Returns whether
/// anything changed: blocks, too.
bool separateMaskedLanes(llvm::Function &F);

/// Makes arithmetic that is calls, for the sake of rounding modes and
/// exceptions, operations again, but where F or a function that it
/// calls changes the mode
/// (strict_floats.cpp).
void relaxStrictFloats(llvm::Function &F);

/// As lowerTargetIntrinsic, for operations of GPUs (device_intrinsics.cpp).
bool lowerDeviceIntrinsic(llvm::CallBase &C);

/// Does C give a number's bits, or the number that bits are, of one operand as
/// wide as its result (bit_casts.cpp)?
bool isBitCastCall(const llvm::CallBase &C);

/// Lets a call that reads numbers of a text read into variables, and stores
/// them (scanned_numbers.cpp). Returns whether it could.
bool settleScanned(llvm::CallBase &C);

/// Makes of a call that returns a copy of a text, Row, one that allocates the
/// copy and others that fill it (copied_text.cpp). Returns whether it was such.
bool allocateCopiedText(llvm::CallBase &C, const KnownFunction &Row);

/// Makes one shuffle of a word, a canonical function, of two shuffles of a
/// GPU's warp that move its halves (shuffle_words.cpp). Returns whether there
/// were such.
bool joinShuffles(llvm::Function &F);

/// Makes two shuffles of the halves again.
void expandShuffle(llvm::CallBase &C, const KnownCall &K);

/// Brings the library calls of a unit's function to canonical form. Returns
/// whether something has changed.
bool canonicalizeLibraryCalls(llvm::Function &F);

/// Replaces assembly by instructions, if it is empty or a single instruction of
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
/// The name of the library's function, and the function whose conventions it
/// has.
llvm::StringRef libraryName(const llvm::Function &Canonical);
llvm::Function *conventionsOf(const llvm::Function &Canonical);

} // namespace retro

#endif
