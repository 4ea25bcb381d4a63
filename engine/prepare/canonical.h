#ifndef RETRO_PREPARE_CANONICAL_H
#define RETRO_PREPARE_CANONICAL_H

#include "base/diagnostics.h"
#include "base/unit.h"

namespace retro {

/// Brings control flow into the form that emission relies on (canonical.cpp):
/// one return, reducible, simplified loops in LCSSA form with a counter.
void canonicalizeControlFlow(UnitFunction &UF,
                             llvm::FunctionAnalysisManager &FAM, Reporter &R);

} // namespace retro

#endif
