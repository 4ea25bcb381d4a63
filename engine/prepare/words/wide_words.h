// Numbers and pointers that are moved as pairs of narrower integers.
#ifndef RETRO_PREPARE_WORDS_WIDE_WORDS_H
#define RETRO_PREPARE_WORDS_WIDE_WORDS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Moves numbers as numbers that are moved as vectors of narrower integers.
void widenWords(llvm::Function &F);

/// Loads words whole that are loaded in halves and put together.
void joinWords(llvm::Function &F);

} // namespace retro

#endif
