// Formats of floating-point numbers that a program asks for by number.
#ifndef RETRO_FORMATS_FORMAT_H
#define RETRO_FORMATS_FORMAT_H

#include "base/diagnostics.h"

#include "llvm/IR/InstrTypes.h"

namespace retro {

struct Format {
  llvm::Type *From = nullptr;   ///< the numbers that are computed otherwise
  llvm::Type *Narrow = nullptr; ///< a type of the machine's, or null:
  unsigned Exponent = 0, Mantissa = 0; ///< bits of one that MPFR computes in
};

/// What the operands from number First on say: from how many bits, then to how
/// many, or 1 with the bits of exponent and mantissa. Reports what is no
/// format.
std::optional<Format> parseFormat(llvm::CallBase &Call, unsigned First,
                                  Reporter &R);

} // namespace retro

#endif
