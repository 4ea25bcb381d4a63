// Which parameters of a function are one parameter of its source.
#ifndef RETRO_FRONT_REQUESTS_REGISTERS_H
#define RETRO_FRONT_REQUESTS_REGISTERS_H

#include "llvm/IR/Function.h"
#include <optional>

namespace retro {

/// A struct by value of up to 16 bytes travels in one register or two, the
/// second with what lies this far in it.
inline constexpr unsigned RegisterBytes = 8;

/// Notes which parameters of F are the two halves of a struct. It is asked of
/// what the front end emitted, which stores them to one variable.
void noteRegisters(llvm::Function &F);

/// Are some bits of an integer register those of a number: a float and an
/// integer side by side?
bool isPackedNumber(const llvm::Argument &A);

/// How many registers each parameter of the source has, in order; nothing if
/// it is not known.
std::optional<llvm::SmallVector<unsigned>> registersOf(const llvm::Function &F);

} // namespace retro

#endif
