#ifndef RETRO_PIPELINE_H
#define RETRO_PIPELINE_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Resolves every request of a module, innermost first.
class RetrogradePass : public llvm::PassInfoMixin<RetrogradePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace retro

#endif
