// Numbers that leave the program's memory, as text or as the bytes of a file,
// and come back without their derivatives.
#ifndef RETRO_FACTS_LOSSES_READ_BACK_H
#define RETRO_FACTS_LOSSES_READ_BACK_H

#include "facts/activity/activity.h"

namespace retro {

/// Warns where a result depends on a number that is read from what an active
/// number was written to. Which text was written by a function of C the memory
/// says. Strings of C++, streams and files hide it: all that is read then is
/// taken for it. What goes to the terminal is not read.
void warnOfReadBack(const ActivityAnalysis &Act);

} // namespace retro

#endif
