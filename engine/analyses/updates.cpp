#include "analyses/updates.h"

#include "analyses/iteration_places.h"

#include "toggles.h"

#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace retro {
namespace {

/// More accesses between the two are not looked at.
constexpr unsigned MostBetween = 40;

class UpdateFinder {
public:
  UpdateFinder(UnitFunction &UF, const ActivityAnalysis &Act, const Needs &N,
               FunctionPlan &P)
      : UF(UF), Act(Act), N(N), P(P), Places(*UF.F, Act.unit().FAM) {}

  void run();

private:
  const LoadInst *readBefore(StoreInst &S);
  bool isPlain(const Instruction &I) const;

  UnitFunction &UF;
  const ActivityAnalysis &Act;
  const Needs &N;
  FunctionPlan &P;
  IterationPlaces Places;
};

/// Does nobody else add to the shadow meanwhile?
bool UpdateFinder::isPlain(const Instruction &I) const {
  return !P.Shared.count(&I) && !P.Settled.contains(&I);
}

/// The load of the place that S stores to, if its adjoint finds the shadow as
/// that of S has left it.
const LoadInst *UpdateFinder::readBefore(StoreInst &S) {
  SmallVector<const Instruction *> Between;
  for (Instruction *I = S.getPrevNode(); I; I = I->getPrevNode()) {
    if (!I->mayReadOrWriteMemory() || I->isLifetimeStartOrEnd())
      continue;
    if (auto *C = dyn_cast<CallBase>(I)) {
      if (!knownCall(*C).isPure())
        return nullptr;
      continue;
    }
    auto *L = dyn_cast<LoadInst>(I);
    if (!(L && L->isSimple()) &&
        !(isa<StoreInst>(I) && cast<StoreInst>(I)->isSimple()))
      return nullptr;
    if (!N.hasWork(*I))
      continue;
    if (!L || L->getPointerOperand() != S.getPointerOperand()) {
      Between.push_back(I);
      if (Between.size() > MostBetween)
        return nullptr;
      continue;
    }
    const bool Is =
        isPlain(*L) && Act.adjointType(L) == storedAdjointType(Act, S) &&
        all_of(Between, [&](const Instruction *X) {
          return Places.apartWithin(UF.LI.getLoopFor(S.getParent()), *X, S);
        });
    return Is ? L : nullptr;
  }
  return nullptr;
}

void UpdateFinder::run() {
  for (auto &[B, V] : P.Blocks)
    if (V.Works)
      for (Instruction &I : const_cast<BasicBlock &>(*B))
        if (auto *S = dyn_cast<StoreInst>(&I);
            S && S->isSimple() && N.hasWork(*S) && isPlain(*S))
          if (const LoadInst *L = readBefore(*S)) {
            P.Updates.insert(L);
            P.Updates.insert(S);
            ++counters().updates;
          }
}

} // namespace

void findUpdates(UnitFunction &UF, const ActivityAnalysis &Act, const Needs &N,
                 FunctionPlan &P) {
  // The shadow of constant memory is that memory.
  if (!Act.unit().RuntimeActivity && !Act.unit().KeepAccumulations)
    UpdateFinder(UF, Act, N, P).run();
}

} // namespace retro
