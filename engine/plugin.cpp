// Registration of the pass with clang's and opt's pipelines.
#include "pipeline.h"
#include "toggles.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;

void retro::registerCallbacks(PassBuilder &PB) {
  // After the simplification pipeline, before vectorization.
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase) {
        MPM.addPass(retro::RetrogradePass());
      });
  // The ablation baseline: on what the front end emitted.
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) {
        if (!retro::Toggles::get().preopt)
          MPM.addPass(retro::RetrogradePass());
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "retrograde" && Name != "enzyme")
          return false;
        MPM.addPass(retro::RetrogradePass());
        return true;
      });
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "retrograde", "0.1",
          retro::registerCallbacks};
}
