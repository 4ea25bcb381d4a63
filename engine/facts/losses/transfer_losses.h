// Copies of memory whose numbers nobody can tell from words, found before
// anything is emitted. Without it their derivatives would be lost in silence.
#ifndef RETRO_FACTS_LOSSES_TRANSFER_LOSSES_H
#define RETRO_FACTS_LOSSES_TRANSFER_LOSSES_H

#include "base/diagnostics.h"
#include "facts/activity/activity.h"

namespace retro {

/// Reports copies of memory of which the program does not show what numbers
/// they move, and which would lose derivatives.
void reportTransferLosses(const ActivityAnalysis &Act, Reporter &R);

} // namespace retro

#endif
