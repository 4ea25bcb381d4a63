// What exceptions would carry past the derivative.
#ifndef RETRO_FACTS_LOSSES_EXCEPTION_LOSSES_H
#define RETRO_FACTS_LOSSES_EXCEPTION_LOSSES_H

#include "facts/activity/activity.h"

namespace retro {

/// Reports exceptions that take numbers with a derivative to a handler, and
/// functions that write such numbers before they throw to a handler of their
/// caller's: what they have on the tape is lost. Bits: integers in memory with
/// bits of such numbers.
void reportExceptionLosses(const ActivityAnalysis &Act,
                           const llvm::DenseSet<const Cell *> &Bits,
                           Reporter &R);

/// Does the call only ask a caught exception something, as what() does, so that
/// it neither takes nor gives numbers?
bool asksException(const llvm::CallBase &Call);

} // namespace retro

#endif
