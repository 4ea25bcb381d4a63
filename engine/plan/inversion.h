// Values that a loop carries and that the reverse pass can find again
// backwards: what the next iteration has, with the step to it undone. Only
// where that is exact: sums and products of integers, rotations, swaps.
#ifndef RETRO_PLAN_INVERSION_H
#define RETRO_PLAN_INVERSION_H

#include "base/unit.h"

#include <optional>

namespace retro {

/// How Phi of L's header in one iteration follows from the values that the
/// header has in the next; nothing if that is not known.
std::optional<Inversion> findInversion(const llvm::PHINode &Phi,
                                       const UnitFunction &UF,
                                       const llvm::Loop &L, const Unit &U);

} // namespace retro

#endif
