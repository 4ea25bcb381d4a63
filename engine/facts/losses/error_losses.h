// Where an error estimate would be no bound, as nobody knows what is rounded.
#ifndef RETRO_FACTS_LOSSES_ERROR_LOSSES_H
#define RETRO_FACTS_LOSSES_ERROR_LOSSES_H

#include "facts/activity/activity.h"

namespace retro {

/// For units of error estimates.
void reportErrorLosses(const ActivityAnalysis &Act, Reporter &R);

} // namespace retro

#endif
