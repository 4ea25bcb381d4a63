// Which parallel regions run forward and backward at a time, when the reverse
// pass comes to them: those after which the primal does nothing that shows
// whether they have run. Without it each thread's tape would have to stay until
// the reverse pass starts the threads again. Members of UnitPlan (planner.h).
#include "facts/parallel/forks.h"
#include "facts/threads/independence.h"
#include "plan/function_planner.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

/// May I, that the primal runs after the region's call C, do so before?
static bool mayComeBefore(Instruction &I, const CallBase &C,
                          const ActivityAnalysis &Act, AAResults &AA) {
  if (!I.mayReadOrWriteMemory() || isAssumeLikeIntrinsic(&I))
    return true;
  if (auto *S = dyn_cast<StoreInst>(&I); S && S->isSimple())
    if (Act.storesUnneeded(*S))
      return true;
  if (auto *L = dyn_cast<LoadInst>(&I); L && L->isSimple())
    if (!Act.isNeeded(*L))
      return true;
  auto *Call = dyn_cast<CallBase>(&I);
  KnownCall K = Call ? knownCall(*Call) : KnownCall();
  if (K.isPure() || K.isOfThread())
    return true;
  if (K.Kind == KnownKind::Free &&
      Act.isFreedLate(Call->getArgOperand(static_cast<unsigned>(K.Row->A))))
    return true;
  return isNoModRef(AA.getModRefInfo(&I, &C));
}

/// Regions of the root. One in a loop comes after itself. What the root passes
/// is its own to keep, as for other combined functions.
void UnitPlan::findCombinedForks() {
  Unit &U = Act.unit();
  UnitFunction &Root = U.root();
  auto SaysHow = [](const Instruction &I) {
    auto *C = dyn_cast<CallBase>(&I);
    KnownCall K = C ? knownCall(*C) : KnownCall();
    return K.Kind == KnownKind::Inactive && K.Row->says(Concern::NextTeam);
  };
  if (!Root.Root || Root.Concurrent || any_of(instructions(*Root.F), SaysHow))
    return;
  AAResults &AA = U.FAM.getResult<AAManager>(*Root.F);
  auto Behind = [](CallBase &C) {
    SmallSetVector<BasicBlock *, 16> Blocks;
    Blocks.insert_range(successors(C.getParent()));
    for (size_t N = 0; N < Blocks.size(); ++N)
      Blocks.insert_range(successors(Blocks[N]));
    return Blocks;
  };
  auto IsLast = [&](CallBase &C) {
    auto May = [&](Instruction &I) { return mayComeBefore(I, C, Act, AA); };
    return all_of(make_range(std::next(C.getIterator()), C.getParent()->end()),
                  May) &&
           all_of(Behind(C), [&](BasicBlock *B) { return all_of(*B, May); });
  };
  for (Instruction &I : instructions(*Root.F)) {
    auto *C = dyn_cast<CallBase>(&I);
    UnitFunction *G = C ? U.callee(*C) : nullptr;
    if (!G || !isFork(*C) || !G->F->hasOneUse() || !N.functionHasWork(*G))
      continue;
    if (threadsAreIndependent(*G->F, U) && IsLast(*C))
      Combined.insert(G);
  }
}

/// A region that would keep nothing in its loops is better in two parts: what
/// its forward pass computes for itself alone is not in the way of the other.
std::unique_ptr<FunctionPlan> UnitPlan::planFork(UnitFunction &UF) {
  const ToggleCounters Before = counters();
  Combined.erase(&UF);
  auto Plan = std::make_unique<FunctionPlan>();
  Planner(*this, UF, *Plan, Writes).run();
  if (Plan->Tapes.empty()) {
    --counters().combine;
    return Plan;
  }
  counters() = Before;
  Combined.insert(&UF);
  Plan = std::make_unique<FunctionPlan>();
  Planner(*this, UF, *Plan, Writes).run();
  return Plan;
}

} // namespace retro
