// Pointers that are loaded from one of several places.
#ifndef RETRO_PREPARE_MEMORY_LOADS_ON_WAYS_H
#define RETRO_PREPARE_MEMORY_LOADS_ON_WAYS_H

namespace retro {

struct UnitFunction;

/// Where a block loads a pointer from a place that depends on how the block was
/// reached, loads it on each way instead, so that no pointer leads to both
/// objects. Keeps UF's dominators and loops up to date.
void loadOnEachWay(UnitFunction &UF);

} // namespace retro

#endif
