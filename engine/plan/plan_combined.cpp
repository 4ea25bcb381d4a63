// Which called functions run forward and backward at a time, when the reverse
// pass comes to them: those whose forward pass has no effect of its own.
// Without it each call of such a function would keep its tape until the reverse
// pass comes to it. Members of UnitPlan (planner.h).
#include "base/toggles.h"
#include "facts/parallel/forks.h"
#include "facts/reversal/early_adjoints.h"
#include "front/known/exceptions.h"
#include "front/requests/traits.h"
#include "plan/planner.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {

static bool isOwn(const Value *Ptr) {
  return isa<AllocaInst>(getUnderlyingObject(Ptr));
}

/// May I of a function's forward pass run as late as the reverse pass does?
static bool mayWait(Instruction &I, const ActivityAnalysis &Act,
                    function_ref<bool(LoadInst &)> IsStable) {
  if (auto *S = dyn_cast<StoreInst>(&I))
    return S->isSimple() &&
           (Act.storesUnneeded(*S) || isOwn(S->getPointerOperand()));
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->isSimple() && (Act.readsUnneeded(*L) ||
                             isOwn(L->getPointerOperand()) || IsStable(*L));
  if (auto *Set = dyn_cast<MemSetInst>(&I))
    return !Set->isVolatile() && isOwn(Set->getDest());
  if (auto *Copy = dyn_cast<MemTransferInst>(&I))
    return !Copy->isVolatile() && isOwn(Copy->getDest()) &&
           isOwn(Copy->getSource());
  if (isAssumeLikeIntrinsic(&I))
    return true;
  if (auto *C = dyn_cast<CallBase>(&I); C && knownCall(*C).isPure())
    return true; // but for errno
  return !I.mayReadOrWriteMemory() && !I.mayHaveSideEffects();
}

/// May the forward pass of UF run as late as the reverse pass does?
bool UnitPlan::canBeCombined(UnitFunction &UF) const {
  Unit &U = Act.unit();
  Type *Ret = UF.F->getReturnType();
  if (UF.Root || UF.Seeded || UF.Concurrent || UF.F->isVarArg() ||
      !(Ret->isVoidTy() || Ret->isFloatingPointTy()) || !N.functionHasWork(UF))
    return false;
  std::optional<OverwriteAnalysis> Overwrite;
  auto IsStable = [&](LoadInst &L) {
    if (!Overwrite)
      Overwrite.emplace(UF, Act, Writes, U.FAM);
    return Overwrite->stabilityOf(L).Stable; // no late stores: not the root
  };
  return all_of(instructions(*UF.F), [&](Instruction &I) {
    auto *C = dyn_cast<CallBase>(&I);
    return C && U.callee(*C) ? !isFork(*C) && !isSpawn(*C)
                             : mayWait(I, Act, IsStable);
  });
}

/// Is UF called by the root and combined functions alone, so that these may
/// have a call of it in their reverse pass, and does it call no other ones?
bool UnitPlan::staysCombined(const UnitFunction &UF) const {
  const Unit &U = Act.unit();
  auto Fits = [&](const Use &X) {
    const CallBase *C = plainCall(X);
    const UnitFunction *By = C ? U.find(C->getFunction()) : nullptr;
    return By && (By->Root || Combined.contains(By)) &&
           (!Act.isNeeded(*C) || AtOnce.contains(C)) && !threwMark(*C);
  };
  return all_of(UF.F->uses(), Fits) &&
         all_of(instructions(*UF.F), [&](const Instruction &I) {
           auto *C = dyn_cast<CallBase>(&I);
           const UnitFunction *G = C ? U.callee(*C) : nullptr;
           return !G || Combined.contains(G);
         });
}

/// Calls whose result is needed, but not to know its adjoint.
void UnitPlan::findAtOnce() {
  Unit &U = Act.unit();
  AtOnce.clear();
  if (!applies(Toggle::fusion, traitsOf(U)))
    return;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto *C = dyn_cast<CallBase>(&I);
      UnitFunction *G = C ? U.callee(*C) : nullptr;
      if (!G || Unfused.contains(C) || !Act.active(C) || !Act.isNeeded(*C) ||
          !writesOnlyOwn(*G, U))
        continue;
      if (auto Adjoint = adjointBefore(*C, *UF, Act))
        AtOnce[C] = std::move(*Adjoint);
    }
}

bool UnitPlan::givesResult(const UnitFunction &F) const {
  return any_of(AtOnce, [&](auto &X) {
    return Act.unit().callee(*X.first) == &F && isCombined(F);
  });
}

/// Calls that were to run in fused loops, and whose loops are not: they, and
/// what depends on them, are planned again without that.
bool UnitPlan::forgetUnfused() {
  const size_t Before = Unfused.size();
  for (auto &UF : Act.unit().Functions) {
    const FunctionPlan &P = of(*UF);
    for (auto &[C, Adjoint] : P.AtOnce)
      if (Adjoint.Of &&
          !P.Fused.contains(UF->LI.getLoopFor(C->getParent())->getHeader()))
        Unfused.insert(C);
  }
  return Unfused.size() > Before;
}

/// Of the functions with a reverse pass, those called by the root or by each
/// other alone, and only so: there the tape of the whole is at hand. What the
/// callers pass is theirs to keep.
void UnitPlan::findCombined() {
  Unit &U = Act.unit();
  if (!applies(Toggle::combine, traitsOf(U)))
    return;
  findAtOnce();
  for (auto &UF : U.Functions)
    if (canBeCombined(*UF))
      Combined.insert(UF.get());
  for (bool Again = true; Again;) {
    Again = false;
    for (auto &UF : U.Functions)
      if (Combined.contains(UF.get()) && !staysCombined(*UF))
        Again |= Combined.erase(UF.get());
  }
  AtOnce.remove_if([&](auto &X) {
    return !Combined.contains(U.callee(*X.first)); // has a tape
  });
  findCombinedForks();
  counters().combine += static_cast<unsigned>(Combined.size());
}

} // namespace retro
