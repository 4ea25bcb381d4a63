// Which adjoints meet in shadow memory: memory that several threads read in
// the primal, several threads add to in the reverse pass. What the primal
// writes no other thread touches, or the primal has a race.
#ifndef RETRO_ANALYSES_RACES_H
#define RETRO_ANALYSES_RACES_H

#include "analyses/activity.h"

namespace retro {

/// Puts into the plan what must be added atomically.
void findRaces(UnitFunction &UF, ActivityAnalysis &Act, FunctionPlan &P);

} // namespace retro

#endif
