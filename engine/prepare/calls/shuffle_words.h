// Operations that move a value between the lanes of a GPU's warp.
#ifndef RETRO_PREPARE_CALLS_SHUFFLE_WORDS_H
#define RETRO_PREPARE_CALLS_SHUFFLE_WORDS_H

#include "front/known/known_functions.h"

namespace retro {

/// Shuffles move 32 bits. Two of them that move the halves of one word become
/// one of the word, of a canonical function. Returns whether there were such.
bool joinShuffles(llvm::Function &F);

/// A shuffle of a word is two of its halves again.
void expandShuffle(llvm::CallBase &C, const KnownCall &K);

} // namespace retro

#endif
