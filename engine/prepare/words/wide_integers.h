// Numbers that are moved as one integer.
#ifndef RETRO_PREPARE_WORDS_WIDE_INTEGERS_H
#define RETRO_PREPARE_WORDS_WIDE_INTEGERS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Moves numbers one by one that are moved together as one integer.
bool splitWideIntegers(llvm::Function &F);

} // namespace retro

#endif
