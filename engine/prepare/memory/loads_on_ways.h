// Pointers that are loaded from one of several places, and memory of one of
// several that is given back.
#ifndef RETRO_PREPARE_MEMORY_LOADS_ON_WAYS_H
#define RETRO_PREPARE_MEMORY_LOADS_ON_WAYS_H

namespace retro {

struct UnitFunction;

/// Where a block loads a pointer from a place that depends on how the block was
/// reached, loads it on each way instead, so that no pointer leads to both
/// objects. Keeps UF's dominators and loops up to date.
void loadOnEachWay(UnitFunction &UF);

/// Where a block gives back memory that depends on how it was reached, gives it
/// back on each way instead. Keeps UF's dominators and loops up to date.
void releaseOnEachWay(UnitFunction &UF);

} // namespace retro

#endif
