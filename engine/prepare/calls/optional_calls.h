// Calls by an address that a program makes only if it has been given one.
#ifndef RETRO_PREPARE_CALLS_OPTIONAL_CALLS_H
#define RETRO_PREPARE_CALLS_OPTIONAL_CALLS_H

#include "llvm/IR/InstrTypes.h"

namespace retro {

/// Is C, a call by an address, reached only if that address, or another pointer
/// beside it in an object, is not null?
bool isOptional(const llvm::CallBase &C);

} // namespace retro

#endif
