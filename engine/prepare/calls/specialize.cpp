// Input: models of library functions that were inlined, which are general.
// Output: code for what is known of this call: the rank of an array, the type
// of its elements, the components of a derived type. Without it, branches that
// never run would put their conditions on the tape.
#include "prepare/calls/specialize.h"
#include "front/registered/models.h"
#include "prepare/calls/descriptors.h"

#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace retro {
namespace {

/// Variables are promoted first. InstCombine makes one access at a variable
/// place of several at constant ones, and memory that is accessed like this
/// stays memory.
FunctionPassManager specialization(bool Combine) {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(true));
  FPM.addPass(SCCPPass());
  FPM.addPass(SimplifyCFGPass());
  if (Combine)
    FPM.addPass(InstCombinePass());
  FPM.addPass(GVNPass());
  LoopPassManager LPM;
  LPM.addPass(LoopRotatePass());
  LPM.addPass(IndVarSimplifyPass());
  LPM.addPass(LoopFullUnrollPass(2, false, true));
  FPM.addPass(createFunctionToLoopPassAdaptor(std::move(LPM)));
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(InstSimplifyPass());
  FPM.addPass(SimplifyCFGPass());
  return FPM;
}

/// Repeats the passes until nothing changes. Is F smaller then?
bool repeat(Function &F, FunctionAnalysisManager &FAM, bool Combine) {
  FunctionPassManager FPM = specialization(Combine);
  unsigned First = F.getInstructionCount(), Size = First;
  for (unsigned Round = 0; Round < 8; ++Round) {
    foldDescriptors(F);
    answerModels(F, false);
    FAM.invalidate(F, PreservedAnalyses::none());
    FAM.invalidate(F, FPM.run(F, FAM));
    unsigned Now = F.getInstructionCount();
    if (Now == Size)
      break;
    Size = Now;
  }
  return Size < First;
}

} // namespace

bool specializeModels(Function &F, FunctionAnalysisManager &FAM) {
  if (!asksAnything(F))
    return false;
  for (unsigned Round = 0; Round < 4; ++Round) {
    repeat(F, FAM, false);
    if (!asksAnything(F) || !repeat(F, FAM, true))
      break;
  }
  return answerModels(F, true);
}

} // namespace retro
