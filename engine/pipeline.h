#ifndef RETRO_PIPELINE_H
#define RETRO_PIPELINE_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
}

namespace retro {

/// Before a link, requests that depend on other translation units wait.
enum class Requests { All, Settled };

/// Resolves the requests of a module, innermost first.
class RetrogradePass : public llvm::PassInfoMixin<RetrogradePass> {
public:
  explicit RetrogradePass(Requests Which = Requests::All) : Which(Which) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  Requests Which;
};

/// Adds the pass to a pipeline: where clang has simplified, or by its names.
void registerCallbacks(llvm::PassBuilder &PB);

} // namespace retro

#endif
