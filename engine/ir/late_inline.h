// Inlining behind the pipeline's own.
#ifndef RETRO_IR_LATE_INLINE_H
#define RETRO_IR_LATE_INLINE_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Inlines calls of these functions where it pays or has to be, and simplifies
/// their callers.
void inlineLate(llvm::ArrayRef<llvm::Function *> Functions,
                llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
