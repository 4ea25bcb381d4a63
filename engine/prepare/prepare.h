// Makes the unit of a request: copies the target and what it calls, inlines,
// simplifies, and gives each copy the form that can be derived. All later
// folders read the unit and nothing else.
#ifndef RETRO_PREPARE_PREPARE_H
#define RETRO_PREPARE_PREPARE_H

#include "base/diagnostics.h"
#include "base/unit.h"

namespace retro {

/// Fills the unit with what the target needs. What cannot be derived is
/// reported.
void prepareUnit(Unit &U, llvm::Function &Target, Reporter &R);

} // namespace retro

#endif
