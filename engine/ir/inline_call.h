#ifndef RETRO_IR_INLINE_CALL_H
#define RETRO_IR_INLINE_CALL_H

#include "llvm/Transforms/Utils/Cloning.h"

namespace retro {

/// Takes the body of a called function in, if LLVM can, and says whether. The
/// call is gone then.
bool inlineCall(llvm::CallBase &C, llvm::InlineFunctionInfo &Info);
bool inlineCall(llvm::CallBase &C);

} // namespace retro

#endif
