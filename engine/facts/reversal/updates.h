// Places that a block reads, and then stores to: x[i] = f(x[i], ...).
#ifndef RETRO_FACTS_REVERSAL_UPDATES_H
#define RETRO_FACTS_REVERSAL_UPDATES_H

#include "facts/activity/needs.h"

namespace retro {

/// Gains the load and the store of each update of UF: in the reverse pass
/// nothing touches the place's adjoint between the two, so that the store need
/// not set it to zero, nor the load add to it.
void findUpdates(UnitFunction &UF, const ActivityAnalysis &Act, const Needs &N,
                 FunctionPlan &P);

} // namespace retro

#endif
