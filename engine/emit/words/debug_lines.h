// Where the code of a derivative is said to stand in the user's source.
// Debuggers, profilers and sanitizers would name no line without it.
#ifndef RETRO_EMIT_WORDS_DEBUG_LINES_H
#define RETRO_EMIT_WORDS_DEBUG_LINES_H

#include "llvm/IR/Function.h"

namespace retro {

/// Makes the lines of the primal that F's code has been given those of code
/// inlined into F, for debuggers, profilers and sanitizers; without such lines
/// F has no debug information. The primal's variables are none of F's.
void keepLines(llvm::Function &F);

} // namespace retro

#endif
