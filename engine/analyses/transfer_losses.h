#ifndef RETRO_ANALYSES_TRANSFER_LOSSES_H
#define RETRO_ANALYSES_TRANSFER_LOSSES_H

#include "analyses/activity.h"
#include "diagnostics.h"

namespace retro {

/// Reports copies of memory of which the program does not show what numbers
/// they move, and which would lose derivatives.
void reportTransferLosses(ActivityAnalysis &Act, Reporter &R);

} // namespace retro

#endif
