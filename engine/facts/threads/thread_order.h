// Where threads wait for each other by operations on memory: the reverse pass
// does not know who waited for whom.
#ifndef RETRO_FACTS_THREADS_THREAD_ORDER_H
#define RETRO_FACTS_THREADS_THREAD_ORDER_H

#include "facts/activity/activity.h"

namespace retro {

/// Reports an error at each atomic operation and each fence by which a thread
/// of the unit may learn that another has written its results.
void reportThreadOrder(const ActivityAnalysis &Act, Reporter &R);

/// Reports an error if several threads may run C, a call of a function of which
/// nothing is known but that it is given no numbers, and may meet in it.
void reportUnknownOrder(const Unit &U, const llvm::CallBase &C, Reporter &R);

} // namespace retro

#endif
