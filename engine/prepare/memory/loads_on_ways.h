// Accesses of one of several places, and memory of one of several that is given
// back.
#ifndef RETRO_PREPARE_MEMORY_LOADS_ON_WAYS_H
#define RETRO_PREPARE_MEMORY_LOADS_ON_WAYS_H

namespace retro {

struct UnitFunction;

/// Where a block loads from, stores to or gives back memory that depends on how
/// the block was reached, does it on each way instead, so that no address leads
/// to two objects. Keeps UF's dominators and loops up to date.
void accessOnEachWay(UnitFunction &UF);

} // namespace retro

#endif
