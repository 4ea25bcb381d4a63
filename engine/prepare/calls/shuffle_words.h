// Operations that move a value between the lanes of a GPU's warp, in halves and
// whole.
#ifndef RETRO_PREPARE_CALLS_SHUFFLE_WORDS_H
#define RETRO_PREPARE_CALLS_SHUFFLE_WORDS_H

#include "front/known/known_functions.h"

namespace retro {

/// Makes one shuffle of a word, a canonical function, of two shuffles that move
/// its halves. Returns whether there were such.
bool joinShuffles(llvm::Function &F);

/// Makes two shuffles of the halves again.
void expandShuffle(llvm::CallBase &C, const KnownCall &K);

} // namespace retro

#endif
