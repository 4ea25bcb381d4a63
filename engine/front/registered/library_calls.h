// Calls of libraries whose derivatives are functions of the engine's runtime,
// as functions with derivatives of the engine's own: the kind Beside.
#ifndef RETRO_FRONT_REGISTERED_LIBRARY_CALLS_H
#define RETRO_FRONT_REGISTERED_LIBRARY_CALLS_H

#include "front/registered/registrations.h"

namespace retro {

/// Adds them to what the program registers.
void readLibraryCalls(
    llvm::Module &M,
    llvm::MapVector<const llvm::Function *, Registration> &Out);

/// Is operand N handed over as it is, whatever it leads to?
bool isOpaqueOperand(const llvm::CallBase &C, unsigned N);

} // namespace retro

#endif
