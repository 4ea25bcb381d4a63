// Numbers that are moved as pairs of narrower integers.
#ifndef RETRO_PREPARE_WORDS_WIDE_WORDS_H
#define RETRO_PREPARE_WORDS_WIDE_WORDS_H

namespace llvm {
class Function;
class Type;
class Value;
} // namespace llvm

namespace retro {

/// Moves numbers as numbers that are moved as vectors of narrower integers.
void widenWords(llvm::Function &F);

/// The numbers, a vector of type T, whose bits are the vector of integers V.
/// Null if V is made of them in a way that is not followed.
llvm::Value *numbersMovedAs(llvm::Value *V, llvm::Type *T);

} // namespace retro

#endif
