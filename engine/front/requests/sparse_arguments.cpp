// Input: calls that make sparse shadows, whose results are kept in variables,
// returned, or given to functions that make requests. Output: the calls are
// where the requests are, and nothing is between. Such a shadow is no memory,
// so a request can be answered only if it is known there which functions it
// stands for.
#include "front/requests/sparse_arguments.h"

#include "front/known/entry_points.h"
#include "front/known/replaceable.h"
#include "front/requests/wrappers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {
namespace {

/// Functions call each other to some depth, of which one is done in a round.
constexpr unsigned CallDepth = 32;

SmallVector<CallBase *> sparseShadowsIn(Function &F) {
  SmallVector<CallBase *> Out;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I); C && isSparseShadow(*C))
      Out.push_back(C);
  return Out;
}

class Bringer {
public:
  Bringer(Module &M, FunctionAnalysisManager &FAM) : M(M), FAM(FAM) {}
  void run();

private:
  bool bring(Function &F);
  bool inlineHere(CallBase &C);

  Module &M;
  FunctionAnalysisManager &FAM;
};

bool Bringer::inlineHere(CallBase &C) {
  Function *Caller = C.getFunction(), *Callee = C.getCalledFunction();
  if (!Callee || Callee == Caller || Callee->isDeclaration() ||
      isReplaceable(*Callee))
    return false;
  InlineFunctionInfo Info;
  if (!InlineFunction(C, Info).isSuccess())
    return false;
  FAM.invalidate(*Caller, PreservedAnalyses::none());
  return true;
}

/// One step for the shadows of F; false if there is none.
bool Bringer::bring(Function &F) {
  // A variable's value is seen where it is none, also without optimization.
  FAM.invalidate(F, SROAPass(SROAOptions::PreserveCFG).run(F, FAM));
  SetVector<CallBase *> Calls;
  bool Returned = false;
  for (CallBase *C : sparseShadowsIn(F))
    for (User *U : C->users()) {
      Returned |= isa<ReturnInst>(U);
      auto *To = dyn_cast<CallBase>(U);
      if (To && entryOf(*To) == Entry::None)
        Calls.insert(To);
    }
  if (Returned)
    for (User *U : F.users())
      if (auto *C = dyn_cast<CallBase>(U); C && C->getCalledFunction() == &F)
        Calls.insert(C);
  bool Changed = false;
  for (CallBase *C : Calls)
    Changed |= inlineHere(*C);
  return Changed;
}

void Bringer::run() {
  for (unsigned Round = 0; Round < CallDepth; ++Round) {
    SmallVector<Function *> With;
    for (Function &F : M)
      if (!F.isDeclaration() && !sparseShadowsIn(F).empty())
        With.push_back(&F);
    bool Changed = false;
    for (Function *F : With)
      Changed |= bring(*F);
    if (!Changed)
      break;
  }
}

} // namespace

void bringSparseShadows(Module &M, FunctionAnalysisManager &FAM) {
  Bringer(M, FAM).run();
  // What returned one for others to use is used no more.
  dropUnused(M, FAM, [](Function &F) { return !sparseShadowsIn(F).empty(); });
}

} // namespace retro
