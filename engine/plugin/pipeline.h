// The pass itself, as clang, opt and linkers run it. pipeline.cpp is the order
// of requests, derivation.cpp that of the stages; plugin.cpp registers the
// pass, clang_plugin.cpp adds it under -fplugin, and loader.cpp is what
// compilers load.
#ifndef RETRO_PLUGIN_PIPELINE_H
#define RETRO_PLUGIN_PIPELINE_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
}

namespace retro {

/// Which requests are answered. Those that depend on other translation units
/// wait until the module is optimized, or until the link, which sees one module
/// or parts of many.
enum class Requests {
  All,
  Settled,
  BeforeLink,
  BeforeThinLink,
  AfterLink,
  AfterThinLink
};
inline bool isAfterLink(Requests Which) {
  return Which == Requests::AfterLink || Which == Requests::AfterThinLink;
}
inline bool meetsAll(Requests Which) {
  return Which == Requests::All || isAfterLink(Which);
}

/// Answers the requests of a module, innermost first.
class RetrogradePass : public llvm::PassInfoMixin<RetrogradePass> {
public:
  explicit RetrogradePass(Requests Which = Requests::All,
                          bool Vectorizes = true)
      : Which(Which), Vectorizes(Vectorizes) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  Requests Which;
  bool Vectorizes;
};

/// Adds the pass to a pipeline, behind clang's simplification, and by name.
void registerCallbacks(llvm::PassBuilder &PB);

} // namespace retro

#endif
