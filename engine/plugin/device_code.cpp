// Input: the module of a device with derivatives. A derivative that one kernel
// calls becomes part of it, so that the address spaces of its memory are known;
// when the optimizer has done its work, accesses of memory are ordered. Without
// it a thread would wait for each of its accesses of memory.
#include "plugin/device_code.h"

#include "base/stages.h"
#include "base/toggles.h"
#include "front/known/known_functions.h"
#include "polish/device_memory.h"
#include "polish/near_use.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace retro {

/// Lets a kernel have the code of a derivative that only it calls: in a
/// function of its own it is not known which memory is whose, and every access
/// asks.
static void inlineIntoKernels(Module &M) {
  for (Function &F : M)
    if (isDerived(F) && F.hasLocalLinkage() && F.hasOneUse() &&
        !F.hasFnAttribute(Attribute::NoInline) && !F.hasOptNone())
      if (auto *C = dyn_cast<CallBase>(*F.user_begin());
          C && C->getCalledFunction() == &F && C->getFunction() != &F)
        F.addFnAttr(Attribute::AlwaysInline);
}

/// Marks what calls a derivative, since it may get the derivative's code by
/// inlining.
static void markCallersOfDerived(Module &M) {
  SmallVector<Function *> Work;
  for (Function &F : M)
    if (isDerived(F))
      Work.push_back(&F);
  while (!Work.empty())
    for (User *U : Work.pop_back_val()->users())
      if (auto *C = dyn_cast<CallBase>(U); C && !isDerived(*C->getFunction())) {
        markDerived(*C->getFunction());
        Work.push_back(C->getFunction());
      }
}

void finishDeviceCode(Module &M) {
  if (!isGpu(M))
    return;
  markCallersOfDerived(M);
  if (isOn(Toggle::inlining))
    inlineIntoKernels(M);
}

PreservedAnalyses OrderDeviceMemory::run(Module &M,
                                         ModuleAnalysisManager &MAM) {
  if (!M.getTargetTriple().isNVPTX())
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  unsigned Sent = 0, Early = 0;
  for (Function &F : M) {
    if (F.isDeclaration() || !isDerived(F) || F.hasOptNone())
      continue;
    if (F.getCallingConv() == CallingConv::PTX_Kernel)
      settleReloads(F);
    const auto May = [&](Toggle T) { return applies(T, {Trait::Gpu}); };
    if (May(Toggle::send_adds))
      runStage("send-adds", "nobody waits for what is added", F,
               [&] { Sent += sendAdditions(F, FAM.getResult<AAManager>(F)); });
    if (May(Toggle::early_loads))
      runStage("early-loads", "a thread waits once for many loads", F,
               [&] { Early += loadEarly(F, FAM.getResult<AAManager>(F)); });
    if (May(Toggle::send_adds))
      runStage("reductions", "the assembler keeps warps together", F,
               [&] { Sent += writeReductions(F); });
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  if (printCountersRequested() && Sent + Early)
    errs() << "retro-counter send-adds " << Sent
           << "\nretro-counter early-loads " << Early << "\n";
  return Sent + Early ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace retro
