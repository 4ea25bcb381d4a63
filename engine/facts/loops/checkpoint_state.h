// Is everything that the step of a checkpointed loop writes named as its state?
#ifndef RETRO_FACTS_LOOPS_CHECKPOINT_STATE_H
#define RETRO_FACTS_LOOPS_CHECKPOINT_STATE_H

#include "facts/activity/activity.h"

namespace retro {

/// In the gradient of a step (checkpoint/checkpoint.h), with all of its code in
/// the unit; reports at the line of a write that would be lost.
void checkCheckpointState(const ActivityAnalysis &Act, Reporter &R);

/// Does the same, and in a function that calls a checkpointed loop reports what
/// the steps read that may be gone when they are run again.
void checkCheckpointedLoops(const ActivityAnalysis &Act, Reporter &R);

} // namespace retro

#endif
