// Words that are the bits of numbers, by what the program says of them.
#ifndef RETRO_PREPARE_WORDS_NUMBERS_H
#define RETRO_PREPARE_WORDS_NUMBERS_H

#include "llvm/IR/Instruction.h"

namespace retro {

/// Is V a number or the bits of one, or a vector of them, whatever phis and
/// selects choose? What is loaded is one where the front end says so (TBAA).
bool isNumber(const llvm::Value *V);

/// Does the front end say, by TBAA, that I loads or stores a number?
bool accessesNumber(const llvm::Instruction &I);

} // namespace retro

#endif
