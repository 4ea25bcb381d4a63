#include "transforms/embedded_runtime.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace retro {
namespace {

const unsigned char PlanCheck[] = {
#include "plan_check.inc"
};
const unsigned char OpenMP[] = {
#include "openmp.inc"
};

/// Of the names of all that the runtimes define.
constexpr const char *Prefix = "__retro_";

StringRef bytes(ArrayRef<unsigned char> B) {
  return {reinterpret_cast<const char *>(B.data()), B.size()};
}

bool isOurs(const GlobalValue &G) { return G.getName().starts_with(Prefix); }

void link(Module &M, StringRef Name, ArrayRef<unsigned char> Bitcode) {
  auto Runtime = getLazyBitcodeModule(MemoryBufferRef(bytes(Bitcode), Name),
                                      M.getContext());
  if (!Runtime)
    report_fatal_error(Runtime.takeError());
  bool Wanted = any_of(**Runtime, [&](Function &F) {
    Function *Use = M.getFunction(F.getName());
    return isOurs(F) && Use && Use->isDeclaration() && !F.isDeclaration();
  });
  if (!Wanted)
    return;
  (*Runtime)->setTargetTriple(M.getTargetTriple());
  (*Runtime)->setDataLayout(M.getDataLayout());
  Linker::linkModules(M, std::move(*Runtime), Linker::LinkOnlyNeeded);
}

} // namespace

void linkRuntimes(Module &M) {
  link(M, "plan_check", PlanCheck);
  link(M, "openmp", OpenMP);
  // The state is the program's, whichever module brings it.
  AttributeMask Processor;
  for (StringRef A : {"target-cpu", "target-features", "tune-cpu"})
    Processor.addAttribute(A);
  for (GlobalValue &G : M.global_values())
    if (isOurs(G) && !G.isDeclaration() && !G.hasLocalLinkage())
      G.setLinkage(GlobalValue::LinkOnceODRLinkage);
  for (Function &F : M)
    if (isOurs(F))
      F.removeFnAttrs(Processor);
}

} // namespace retro
