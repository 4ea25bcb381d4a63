// Input: functions that the pipeline's own inlining came too early for. Output:
// they are inlined where it pays or must be, and the callers are simplified
// again. A derivative that calls its runtime for each number would be several
// times slower.
#include "ir/late_inline.h"
#include "ir/inline_call.h"

#include "ir/simplify.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {
namespace {

class LateInliner {
public:
  explicit LateInliner(FunctionAnalysisManager &FAM) : FAM(FAM) {}

  /// Inlines calls in F. Returns whether there was one.
  bool inlineCallsOf(Function &F);
  void simplifyCallers();

private:
  bool pays(CallBase &C, Function &F);

  FunctionAnalysisManager &FAM;
  InlineParams Params = getInlineParams();
  SetVector<Function *> Callers;
};

bool LateInliner::pays(CallBase &C, Function &F) {
  Function *Caller = C.getFunction();
  if (Caller == &F || C.getFunctionType() != F.getFunctionType() ||
      (Caller->hasOptNone() && !F.hasFnAttribute(Attribute::AlwaysInline)))
    return false;
  return bool(getInlineCost(
      C, Params, FAM.getResult<TargetIRAnalysis>(F),
      [&](Function &G) -> AssumptionCache & {
        return FAM.getResult<AssumptionAnalysis>(G);
      },
      [&](Function &G) -> const TargetLibraryInfo & {
        return FAM.getResult<TargetLibraryAnalysis>(G);
      }));
}

bool LateInliner::inlineCallsOf(Function &F) {
  if (F.isDeclaration() || F.hasFnAttribute(Attribute::NoInline))
    return false;
  SmallVector<CallBase *> Calls;
  for (Use &U : F.uses())
    if (auto *C = dyn_cast<CallBase>(U.getUser()); C && C->isCallee(&U))
      Calls.push_back(C);
  auto Assumptions = [&](Function &G) -> AssumptionCache & {
    return FAM.getResult<AssumptionAnalysis>(G);
  };
  bool Changed = false;
  for (CallBase *C : Calls) {
    Function *Caller = C->getFunction();
    if (!pays(*C, F))
      continue;
    InlineFunctionInfo Info(Assumptions);
    if (!inlineCall(*C, Info))
      continue;
    Callers.insert(Caller);
    FAM.invalidate(*Caller, PreservedAnalyses::none());
    Changed = true;
  }
  return Changed;
}

void LateInliner::simplifyCallers() {
  for (Function *F : Callers)
    if (!F->hasOptNone())
      simplifyFunction(*F, FAM, false);
}

} // namespace

void inlineLate(ArrayRef<Function *> Functions, FunctionAnalysisManager &FAM) {
  LateInliner L(FAM);
  // Inlined code may call another one of the functions.
  for (bool Again = true; Again;) {
    Again = false;
    for (Function *F : Functions)
      Again |= L.inlineCallsOf(*F);
  }
  L.simplifyCallers();
}

} // namespace retro
