// The pass `retro-gpu-on-cpu` of opt: device code of either vendor becomes code
// for the host that runs on the library beside this folder. Without it tests of
// kernels would need a device. opt looks for its one function by name, so no
// header declares it.
#include "emulate.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> Checks(
    "retro-gpu-checks", cl::init(true),
    cl::desc("Check every access of the emulated kernels: bounds and races"));

namespace {
struct GpuOnCpu : PassInfoMixin<GpuOnCpu> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    retro::gpu::Emulation(M, Checks).run();
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "retrograde-gpu-on-cpu", "0.1",
          [](PassBuilder &PB) {
            PB.registerPipelineParsingCallback(
                [](StringRef Name, ModulePassManager &MPM,
                   ArrayRef<PassBuilder::PipelineElement>) {
                  if (Name != "retro-gpu-on-cpu")
                    return false;
                  MPM.addPass(GpuOnCpu());
                  return true;
                });
          }};
}
