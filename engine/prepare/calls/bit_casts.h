// Functions that give a number's bits, or the number that bits are.
#ifndef RETRO_PREPARE_CALLS_BIT_CASTS_H
#define RETRO_PREPARE_CALLS_BIT_CASTS_H

#include "llvm/IR/InstrTypes.h"

namespace retro {

/// Is C such a call, of one operand as wide as its result?
bool isBitCastCall(const llvm::CallBase &C);

} // namespace retro

#endif
