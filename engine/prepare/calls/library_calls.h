// Library calls in a form of our own. Interfaces of libraries pass complex
// numbers packed or split, and those of Fortran pass everything by address. In
// the unit each such call becomes one of a canonical function
// (ir/canonical_functions.h), with one operand for each number; analyses read
// that, and emission calls it, too. When everything is emitted, these become
// calls of the library again.
#ifndef RETRO_PREPARE_CALLS_LIBRARY_CALLS_H
#define RETRO_PREPARE_CALLS_LIBRARY_CALLS_H

#include "llvm/IR/Function.h"

namespace retro {

/// Brings the library calls of a unit's function to canonical form. Returns
/// whether something has changed.
bool canonicalizeLibraryCalls(llvm::Function &F);

/// Turns canonical calls in an emitted function into calls of the library.
void expandLibraryCalls(llvm::Function &F);

} // namespace retro

#endif
