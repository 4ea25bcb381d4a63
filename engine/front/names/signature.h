// Types of functions as tables spell them: in LLVM's words.

#ifndef RETRO_FRONT_NAMES_SIGNATURE_H
#define RETRO_FRONT_NAMES_SIGNATURE_H

#include "llvm/IR/DerivedTypes.h"

namespace retro {

/// Parameters: words with ", " between them; "..." at the end for more.
llvm::FunctionType *signatureOf(llvm::LLVMContext &C, llvm::StringRef Result,
                                llvm::StringRef Parameters);

} // namespace retro

#endif
