#ifndef RETRO_PREPARE_LOADS_ON_WAYS_H
#define RETRO_PREPARE_LOADS_ON_WAYS_H

namespace retro {

struct UnitFunction;

/// A pointer that is loaded from one place or another, by the way on which a
/// block is reached, is loaded on each way: no pointer may lead to both
/// (loads_on_ways.cpp). Keeps UF's dominators and loops.
void loadOnEachWay(UnitFunction &UF);

} // namespace retro

#endif
