#ifndef RETRO_PREPARE_WORDS_WIDE_INTEGERS_H
#define RETRO_PREPARE_WORDS_WIDE_INTEGERS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Numbers that are moved together as one integer are moved one by one
/// (wide_integers.cpp).
bool splitWideIntegers(llvm::Function &F);

} // namespace retro

#endif
