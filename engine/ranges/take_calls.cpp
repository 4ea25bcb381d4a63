// Input: a copy of a unit's root. Output: the same with all that it calls
// inlined, so that one analysis sees every access. It is only looked at, so it
// need not run.
#include "ranges/take_calls.h"
#include "ir/inline_call.h"

#include "ranges/share_bounds.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace retro {
namespace {

constexpr unsigned MostCalls = 32;
constexpr size_t MostInstructions = 20000;

/// A copy of F with names for shares. Variables of its own are promoted before
/// it is inlined, while they still are a thread's own; a caller's are shared by
/// the team.
Function *copyToTake(Function &F) {
  ValueToValueMapTy VM;
  Function *Copy = CloneFunction(&F, VM);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  stripDebugInfo(*Copy);
  nameShares(*Copy);
  SmallVector<AllocaInst *> Variables;
  for (Instruction &I : Copy->getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I); A && isAllocaPromotable(A))
      Variables.push_back(A);
  if (!Variables.empty()) {
    DominatorTree DT(*Copy);
    PromoteMemToReg(Variables, DT);
  }
  joinClamps(*Copy);
  return Copy;
}

CallBase *firstCallOf(Function &Q, const Unit &U) {
  for (Instruction &I : instructions(Q))
    if (auto *C = dyn_cast<CallBase>(&I); C && U.callee(*C))
      return C;
  return nullptr;
}

} // namespace

bool takeCallsInto(Function &Q, const Unit &U) {
  for (unsigned Calls = 0; CallBase *C = firstCallOf(Q, U); ++Calls) {
    Function &F = *U.callee(*C)->F;
    if (Calls == MostCalls || U.callee(*C)->Recursive ||
        Q.getInstructionCount() + F.getInstructionCount() > MostInstructions)
      return false;
    Function *Copy = copyToTake(F);
    C->setCalledFunction(Copy);
    const bool Done = inlineCall(*C);
    if (!Done)
      C->setCalledFunction(&F);
    Copy->eraseFromParent();
    if (!Done)
      return false;
  }
  return true;
}

} // namespace retro
