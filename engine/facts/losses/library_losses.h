// Numbers that pass through a function without a derivative on other ways than
// in its operands: they would be lost.
#ifndef RETRO_FACTS_LOSSES_LIBRARY_LOSSES_H
#define RETRO_FACTS_LOSSES_LIBRARY_LOSSES_H

#include "base/diagnostics.h"
#include "facts/activity/activity.h"

namespace retro {

void reportLibraryLosses(const ActivityAnalysis &Act, Reporter &R);

} // namespace retro

#endif
