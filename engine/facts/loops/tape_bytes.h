// How long the arrays of a loop nest's tape are, where the compiler knows it.
#ifndef RETRO_FACTS_LOOPS_TAPE_BYTES_H
#define RETRO_FACTS_LOOPS_TAPE_BYTES_H

#include "base/plan.h"

namespace retro {

/// The bytes of an indexed tape whose loops all have constant numbers of trips.
/// The greatest number there is stands for all that are greater.
std::optional<uint64_t> constantBytes(const UnitFunction &UF,
                                      const LoopTape &Tape);

} // namespace retro

#endif
