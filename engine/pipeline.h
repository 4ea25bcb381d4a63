#ifndef RETRO_PIPELINE_H
#define RETRO_PIPELINE_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
}

namespace retro {

/// Resolves every request of a module, innermost first.
class RetrogradePass : public llvm::PassInfoMixin<RetrogradePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

/// Adds the pass to a pipeline: where clang has simplified, or by its names.
void registerCallbacks(llvm::PassBuilder &PB);

} // namespace retro

#endif
