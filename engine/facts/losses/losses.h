// Where a derivative would be lost without a word: bits of active numbers
// that integer arithmetic takes apart, copies of bytes that nothing says to
// be numbers, and active values behind '...'.
#ifndef RETRO_FACTS_LOSSES_LOSSES_H
#define RETRO_FACTS_LOSSES_LOSSES_H

#include "facts/activity/activity.h"

namespace retro {

/// Reports an error at each such place of the unit.
void reportLosses(const ActivityAnalysis &Act, Reporter &R);

/// Is it a word that is loaded as an integer and may be an active number of
/// several types, or a pointer to active memory? Each has a shadow of its own
/// kind.
bool isAmbiguous(const ActivityAnalysis &Act, const llvm::LoadInst &L);

} // namespace retro

#endif
