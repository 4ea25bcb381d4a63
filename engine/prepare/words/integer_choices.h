// The largest or smallest of integers that may be the bits of numbers.
#ifndef RETRO_PREPARE_WORDS_INTEGER_CHOICES_H
#define RETRO_PREPARE_WORDS_INTEGER_CHOICES_H

#include "llvm/IR/Function.h"

namespace retro {

/// Turns choices between such integers into selects.
void lowerIntegerChoices(llvm::Function &F);

} // namespace retro

#endif
