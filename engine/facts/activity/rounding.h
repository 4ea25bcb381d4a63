// Rounding by adding a number so large that no digits after the point are left.
#ifndef RETRO_FACTS_ACTIVITY_ROUNDING_H
#define RETRO_FACTS_ACTIVITY_ROUNDING_H

#include "llvm/IR/Instruction.h"

namespace retro {

/// Is I such an addition, or the subtraction that takes the large number away
/// again? Its result is constant but for jumps.
bool roundsToInteger(const llvm::Instruction &I);

} // namespace retro

#endif
