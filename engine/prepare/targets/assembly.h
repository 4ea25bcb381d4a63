// Inline assembly, as far as it can be read.
#ifndef RETRO_PREPARE_TARGETS_ASSEMBLY_H
#define RETRO_PREPARE_TARGETS_ASSEMBLY_H

#include "llvm/IR/InstrTypes.h"

namespace retro {

/// Replaces assembly by instructions, if it is empty or a single instruction of
/// the table of known functions. Returns whether it could.
bool lowerAssembly(llvm::CallBase &C);

} // namespace retro

#endif
