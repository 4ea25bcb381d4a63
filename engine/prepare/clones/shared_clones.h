// Clones of one function that the facts cannot tell apart become one.
#ifndef RETRO_PREPARE_CLONES_SHARED_CLONES_H
#define RETRO_PREPARE_CLONES_SHARED_CLONES_H

#include "base/plan.h"
#include "base/unit.h"

namespace retro {

/// In a unit of many instructions, lets calls share a clone of a function where
/// clones of their own would have the same derivatives. Args, Returns: what the
/// request says of the root's arguments and result.
void shareClones(Unit &U, llvm::ArrayRef<Activity> Args, bool Returns);

} // namespace retro

#endif
