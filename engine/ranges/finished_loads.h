// Loads of what is not stored to any more, if numbers are within bounds.
#ifndef RETRO_RANGES_FINISHED_LOADS_H
#define RETRO_RANGES_FINISHED_LOADS_H

#include "base/unit.h"

namespace retro {

class UnitPlan;

/// The arguments of the root whose bounds have to be known for a load to be
/// repeated that the plan tapes: what it reads is not stored to any more, if no
/// index overflows. Empty: there is no such load.
NumberBounds boundsOfFinished(const Unit &U, const UnitPlan &Plan);

} // namespace retro

#endif
