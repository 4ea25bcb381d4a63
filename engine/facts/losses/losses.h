// Where a derivative would be lost without a word: bits of active numbers
// that integer arithmetic takes apart, copies of bytes that nothing says to
// be numbers, and active values behind '...'.
#ifndef RETRO_FACTS_LOSSES_LOSSES_H
#define RETRO_FACTS_LOSSES_LOSSES_H

#include "facts/activity/activity.h"

namespace retro {

/// Reports an error at each such place of the unit.
void reportLosses(ActivityAnalysis &Act, Reporter &R);

} // namespace retro

#endif
