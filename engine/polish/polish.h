// What happens to a derivative behind emission: LLVM's simplification, and
// rewrites that make it fast. They know nothing of the plan.
#ifndef RETRO_POLISH_POLISH_H
#define RETRO_POLISH_POLISH_H

#include "base/toggles.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace retro {

/// Runs the stages over one emitted function of a derivative of these traits.
/// Grids: its nests over grids were kept whole.
void polish(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, Traits Modes,
            bool Grids);

/// (name, reason) of each stage, in order.
void forEachPolishStage(
    llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> Visit);

} // namespace retro

#endif
