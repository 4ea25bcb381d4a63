#ifndef RETRO_PREPARE_WORDS_WIDE_WORDS_H
#define RETRO_PREPARE_WORDS_WIDE_WORDS_H

namespace llvm {
class Function;
class Type;
class Value;
} // namespace llvm

namespace retro {

/// Numbers that are moved as vectors of narrower integers are moved as
/// numbers (wide_words.cpp).
void widenWords(llvm::Function &F);

/// The numbers, a vector of type T, whose bits the vector of integers V is;
/// null if it is made of them in a way that is not followed.
llvm::Value *numbersMovedAs(llvm::Value *V, llvm::Type *T);

} // namespace retro

#endif
