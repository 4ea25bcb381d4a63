// Input: the loads and stores of each block. Output: the pairs of one
// place with nothing between that touches it. With something between, what
// that adds to the adjoint would be lost.
#include "facts/reversal/updates.h"

#include "facts/loops/iteration_places.h"

#include "base/toggles.h"

#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace retro {
namespace {

/// More accesses between the two are not looked at.
constexpr unsigned MostBetween = 40;
/// More adjoints would not stay in registers.
constexpr unsigned MostEarly = 8;

class UpdateFinder {
public:
  UpdateFinder(UnitFunction &UF, const ActivityAnalysis &Act, const Needs &N,
               const FunctionPlan &P)
      : UF(UF), Act(Act), N(N), P(P), Places(*UF.F, Act.unit().FAM) {}

  UpdatesInPlace run();

private:
  const LoadInst *readBefore(const StoreInst &S);
  bool isPlain(const Instruction &I) const;
  bool isLast(const StoreInst &S);
  void readEarly(const BasicBlock &B);

  UnitFunction &UF;
  const ActivityAnalysis &Act;
  const Needs &N;
  const FunctionPlan &P;
  IterationPlaces Places;
  UpdatesInPlace Found;
};

/// Does nobody else add to the shadow meanwhile?
bool UpdateFinder::isPlain(const Instruction &I) const {
  return !P.Shared.count(&I) && !P.Settled.contains(&I);
}

/// Is no memory read or written that has an adjoint?
static bool touchesNothing(const Instruction &I) {
  auto *C = dyn_cast<CallBase>(&I);
  return !I.mayReadOrWriteMemory() || I.isLifetimeStartOrEnd() ||
         (C && knownCall(*C).isPure());
}

/// The load of the place that S stores to, if its adjoint finds the shadow as
/// that of S has left it.
const LoadInst *UpdateFinder::readBefore(const StoreInst &S) {
  SmallVector<const Instruction *> Between;
  for (const Instruction *I = S.getPrevNode(); I; I = I->getPrevNode()) {
    if (touchesNothing(*I))
      continue;
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

/// Does nothing that follows S in its block touch the place?
bool UpdateFinder::isLast(const StoreInst &S) {
  unsigned Behind = 0;
  for (const Instruction *I = S.getNextNode(); I; I = I->getNextNode()) {
    if (touchesNothing(*I))
      continue;
    if (!isa<LoadInst, StoreInst>(I) || ++Behind > MostBetween)
      return false;
    if (N.hasWork(*I) &&
        !Places.apartWithin(UF.LI.getLoopFor(S.getParent()), *I, S))
      return false;
  }
  return true;
}

/// Pairs of numbers are read as pairs where none is written between. LLVM does
/// not know the halves apart that the program compared.
void UpdateFinder::readEarly(const BasicBlock &B) {
  SmallVector<const StoreInst *> Stores;
  for (const Instruction &I : B)
    if (auto *S = dyn_cast<StoreInst>(&I); S && Found.Updates.contains(S))
      Stores.push_back(S);
  if (Stores.size() > 1 && Stores.size() <= MostEarly &&
      all_of(Stores, [&](const StoreInst *S) { return isLast(*S); }))
    Found.ReadEarly.insert(Stores.begin(), Stores.end());
}

UpdatesInPlace UpdateFinder::run() {
  for (auto &[B, V] : P.Blocks)
    if (V.Works)
      for (const Instruction &I : *B)
        if (auto *S = dyn_cast<StoreInst>(&I);
            S && S->isSimple() && N.hasWork(*S) && isPlain(*S) &&
            !Act.notesPlaces(S->getPointerOperand()))
          if (const LoadInst *L = readBefore(*S)) {
            Found.Updates.insert(L);
            Found.Updates.insert(S);
            ++counters().updates;
          }
  for (auto &[B, V] : P.Blocks)
    if (V.Works)
      readEarly(*B);
  return Found;
}

} // namespace

UpdatesInPlace findUpdates(UnitFunction &UF, const ActivityAnalysis &Act,
                           const Needs &N, const FunctionPlan &P) {
  return UpdateFinder(UF, Act, N, P).run();
}

} // namespace retro
