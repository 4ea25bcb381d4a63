// Inlining of one call.
#ifndef RETRO_IR_INLINE_CALL_H
#define RETRO_IR_INLINE_CALL_H

#include "llvm/Transforms/Utils/Cloning.h"

namespace retro {

/// Inlines the call if LLVM can, and returns whether it did. The call is gone
/// then.
bool inlineCall(llvm::CallBase &C, llvm::InlineFunctionInfo &Info);
bool inlineCall(llvm::CallBase &C);

} // namespace retro

#endif
