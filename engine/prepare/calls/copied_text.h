// Calls that return a copy of a text, in a block that they allocate.
#ifndef RETRO_PREPARE_CALLS_COPIED_TEXT_H
#define RETRO_PREPARE_CALLS_COPIED_TEXT_H

#include "llvm/IR/InstrTypes.h"

namespace retro {

struct KnownFunction;

/// Makes of such a call, which has the row Row, one that allocates the block
/// and others that fill it. Returns whether it was such a call.
bool allocateCopiedText(llvm::CallBase &C, const KnownFunction &Row);

} // namespace retro

#endif
