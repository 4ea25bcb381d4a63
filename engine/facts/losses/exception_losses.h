// What exceptions would carry past the derivative.
#ifndef RETRO_FACTS_LOSSES_EXCEPTION_LOSSES_H
#define RETRO_FACTS_LOSSES_EXCEPTION_LOSSES_H

#include "facts/activity/activity.h"

namespace retro {

/// Reports exceptions that take numbers with a derivative to a handler, and
/// functions that write such numbers before they throw to a handler of their
/// caller's: what they have on the tape is lost.
void reportExceptionLosses(ActivityAnalysis &Act, Reporter &R);

} // namespace retro

#endif
