// Is everything that the step of a checkpointed loop writes named as its state?
#ifndef RETRO_ANALYSES_CHECKPOINT_STATE_H
#define RETRO_ANALYSES_CHECKPOINT_STATE_H

#include "analyses/activity.h"

namespace retro {

/// In the gradient of a step (transforms/checkpoint.h), with all of its code in
/// the unit; reports at the line of a write that would be lost.
void checkCheckpointState(ActivityAnalysis &Act, Reporter &R);

/// The same, and in a function that calls a checkpointed loop: is what the
/// steps read there when they are run again?
void checkCheckpointedLoops(ActivityAnalysis &Act, Reporter &R);

} // namespace retro

#endif
