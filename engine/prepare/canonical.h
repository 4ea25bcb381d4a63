// Control flow in the form that analyses and emission rely on. It runs last of
// all stages that change control flow: what would undo the form comes before
// it.
#ifndef RETRO_PREPARE_CANONICAL_H
#define RETRO_PREPARE_CANONICAL_H

#include "base/diagnostics.h"
#include "base/unit.h"

namespace retro {

/// Gives UF one return and reducible, simplified loops in LCSSA form, each with
/// a counter from 0 by 1.
void canonicalizeControlFlow(UnitFunction &UF,
                             llvm::FunctionAnalysisManager &FAM, Reporter &R);

} // namespace retro

#endif
