// Registers that hold a number on one way and a pointer on another: LLVM keeps
// the storage of a std::any in one where it can. A register's shadow is either
// an adjoint or a pointer, so such registers are put into memory, where each is
// a word of its own (prepare/memory/whole_words.h).
#ifndef RETRO_PREPARE_MEMORY_MIXED_REGISTERS_H
#define RETRO_PREPARE_MEMORY_MIXED_REGISTERS_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace retro {

/// Unknown: loads of words that may be either. WithIntegers: words that are
/// numbers or integers of the program are mixed, too. Returns whether there
/// were any such registers.
bool spillMixedRegisters(
    llvm::Function &F,
    const llvm::SmallPtrSetImpl<const llvm::LoadInst *> &Unknown,
    bool WithIntegers);

} // namespace retro

#endif
