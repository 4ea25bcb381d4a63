// What happens to a derivative behind emission: LLVM's simplification, and
// rewrites that make it fast. They know nothing of the plan.
#ifndef RETRO_POLISH_POLISH_H
#define RETRO_POLISH_POLISH_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace retro {

/// What decides which stages run.
struct PolishTraits {
  bool Grids = false;      ///< nests over grids were kept whole
  bool Vectorizes = false; ///< LLVM does, after this
  bool Sparse = false;     ///< there are sparse shadows in the module
};

/// Runs the stages over one emitted function.
void polish(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
            const PolishTraits &Traits);

/// (name, reason) of each stage, in order.
void forEachPolishStage(
    llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> Visit);

} // namespace retro

#endif
