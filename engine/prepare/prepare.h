// Makes the unit of a request: clones, inlines, simplifies and canonicalizes.
#ifndef RETRO_PREPARE_PREPARE_H
#define RETRO_PREPARE_PREPARE_H

#include "base/diagnostics.h"
#include "base/unit.h"

namespace retro {

/// Fills the unit from the target function.
void prepareUnit(Unit &U, llvm::Function &Target, Reporter &R);

} // namespace retro

#endif
