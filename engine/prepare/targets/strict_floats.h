// Arithmetic that respects rounding modes and exceptions of the processor comes
// as calls, which no analysis takes for arithmetic.
#ifndef RETRO_PREPARE_TARGETS_STRICT_FLOATS_H
#define RETRO_PREPARE_TARGETS_STRICT_FLOATS_H

#include "llvm/IR/Function.h"

namespace retro {

/// Makes operations of such calls in F again, unless F or a function that it
/// calls changes the rounding mode.
void relaxStrictFloats(llvm::Function &F);

} // namespace retro

#endif
