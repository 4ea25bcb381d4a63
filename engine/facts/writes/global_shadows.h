// Global variables whose shadow the program has registered.
#ifndef RETRO_FACTS_WRITES_GLOBAL_SHADOWS_H
#define RETRO_FACTS_WRITES_GLOBAL_SHADOWS_H

#include "facts/activity/activity.h"

namespace retro {

/// Whether the unit's functions access a global, if only through others.
bool mentions(const Unit &U, const llvm::GlobalVariable *G);

/// Reports an error for each registered shadow that cannot serve the request:
/// it is one, and no part of what is differentiated.
void reportGlobalShadows(const ActivityAnalysis &Act, Reporter &R);

} // namespace retro

#endif
