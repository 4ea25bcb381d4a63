// Where threads wait for each other by operations on memory: the reverse pass
// does not know who waited for whom.
#ifndef RETRO_ANALYSES_THREAD_ORDER_H
#define RETRO_ANALYSES_THREAD_ORDER_H

#include "analyses/activity.h"

namespace retro {

/// Reports an error at each atomic operation and each fence by which a thread
/// of the unit may learn that another has written its results.
void reportThreadOrder(ActivityAnalysis &Act, Reporter &R);

} // namespace retro

#endif
