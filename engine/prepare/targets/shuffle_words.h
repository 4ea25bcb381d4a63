// Shuffles of a GPU's warp move 32 bits each. A double takes two of them, which
// are one call in the unit.
#ifndef RETRO_PREPARE_TARGETS_SHUFFLE_WORDS_H
#define RETRO_PREPARE_TARGETS_SHUFFLE_WORDS_H

#include "llvm/IR/InstrTypes.h"

namespace retro {

struct KnownCall;

/// Makes one shuffle of a word, a canonical function, of two shuffles that move
/// its halves. Returns whether there were such.
bool joinShuffles(llvm::Function &F);

/// Makes two shuffles of the halves again, in an emitted function.
void expandShuffle(llvm::CallBase &C, const KnownCall &K);

} // namespace retro

#endif
