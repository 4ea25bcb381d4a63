// Words of vectors that are only moved from memory to memory. Nothing at such a
// move says what the words are; the other accesses of the same places do.
#ifndef RETRO_PREPARE_LANES_LANE_MOVES_H
#define RETRO_PREPARE_LANES_LANE_MOVES_H

#include "base/unit.h"

namespace retro {

/// Moves those of the words that are pointers as pointers, one by one. All
/// functions of the unit are needed for it: what they load from and store to
/// the places says what the words are.
void followMovedLanes(Unit &U);

/// Makes vectors of words of vectors of bytes that are loaded to be stored: a
/// program that copies byte by byte has them after it has been unrolled.
void moveBytesAsWords(llvm::Function &F);

} // namespace retro

#endif
