// Numbers that pass through a function without a derivative on other ways than
// in its operands: they would be lost.
#ifndef RETRO_ANALYSES_LIBRARY_LOSSES_H
#define RETRO_ANALYSES_LIBRARY_LOSSES_H

#include "analyses/activity.h"
#include "diagnostics.h"

namespace retro {

void reportLibraryLosses(ActivityAnalysis &Act, Reporter &R);

} // namespace retro

#endif
