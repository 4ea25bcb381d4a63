// Registered functions stay what the user calls them for: until the module is
// differentiated their calls go to stand-ins, declarations of which the
// optimizer knows nothing. It cannot inline them, pass on what they return,
// or leave out arguments that a derivative reads. What inactive globals hold
// is hidden in the same way: their accesses are volatile until then.
#ifndef RETRO_TRANSFORMS_STAND_IN_H
#define RETRO_TRANSFORMS_STAND_IN_H

#include "front/registrations.h"

namespace retro {

/// Puts stand-ins in the place of the callees, and keeps the registrations.
/// Done again, it brings what is known of them up to date.
bool hideRegistered(llvm::Module &M, const Registrations &R);

/// The same for the calls in one function, which may have become direct calls
/// since.
void hideRegisteredCalls(llvm::Function &F);

/// The stand-in of F; F itself if it has none.
llvm::Function *standInOf(llvm::Function &F);

/// Undoes hideRegistered; true if there was something to undo.
bool restoreRegistered(llvm::Module &M);

} // namespace retro

#endif
