// Functions of a device's library that do what a bitcast does.
#ifndef RETRO_PREPARE_TARGETS_BIT_CASTS_H
#define RETRO_PREPARE_TARGETS_BIT_CASTS_H

#include "llvm/IR/InstrTypes.h"

namespace retro {

/// Does C return a number's bits, or the number that bits are, of one operand
/// as wide as its result?
bool isBitCastCall(const llvm::CallBase &C);

} // namespace retro

#endif
