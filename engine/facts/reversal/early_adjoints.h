// Calls whose result only goes, times what is known before them, into a sum of
// the loop around them, or into what the function returns: the adjoint of the
// result is known before it is computed. What is called can then run forward
// and backward at once.
#ifndef RETRO_FACTS_REVERSAL_EARLY_ADJOINTS_H
#define RETRO_FACTS_REVERSAL_EARLY_ADJOINTS_H

#include "base/plan.h"
#include "facts/activity/activity.h"

#include <optional>

namespace retro {

/// How the adjoint of C's result follows from that of a sum of the loop, or of
/// what is returned.
std::optional<EarlyAdjoint> adjointBefore(const llvm::CallBase &C,
                                          const UnitFunction &UF,
                                          const ActivityAnalysis &Act);

/// Do UF, and what of the unit it calls, write to their own variables alone?
bool writesOnlyOwn(const UnitFunction &UF, const Unit &U);

} // namespace retro

#endif
