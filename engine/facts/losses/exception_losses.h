// What exceptions would carry past the derivative.
#ifndef RETRO_FACTS_LOSSES_EXCEPTION_LOSSES_H
#define RETRO_FACTS_LOSSES_EXCEPTION_LOSSES_H

#include "facts/activity/activity.h"

namespace retro {

/// Reports exceptions that take numbers with a derivative to a handler that may
/// find others in their place, or keep them. Bits: integers in memory with bits
/// of such numbers.
void reportExceptionLosses(const ActivityAnalysis &Act,
                           const llvm::DenseSet<const Cell *> &Bits,
                           Reporter &R);

} // namespace retro

#endif
