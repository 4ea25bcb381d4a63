// Numbers that threads exchange: atomic operations that lose a derivative.
#ifndef RETRO_FACTS_LOSSES_ATOMIC_LOSSES_H
#define RETRO_FACTS_LOSSES_ATOMIC_LOSSES_H

#include "base/diagnostics.h"
#include "facts/activity/activity.h"

namespace retro {

/// Reports an error for atomic operations on numbers with a derivative that
/// are neither sums nor choices, and for choices whose place does not tell
/// afterwards whose value was chosen.
void reportAtomicLosses(const ActivityAnalysis &Act, Reporter &R);

} // namespace retro

#endif
