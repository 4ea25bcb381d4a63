// Input: a plan that tapes a[i * n + k], which has got its last value, or which
// an inner loop does not change: the columns of a factorization behind the one
// that is computed, say, or, where later rows are exchanged, its pivot's row.
// Output: which arguments, here n, must be numbers within bounds for that to be
// known. The program is asked for them before the derivative that relies on it.
// Without this file a factorization would keep as many numbers as it
// multiplies.
#include "ranges/finished_loads.h"

#include "facts/writes/later_places.h"
#include "plan/planner.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// What writes to one array of a function.
class ArrayStores {
public:
  ArrayStores(Function &F, const Value *Array) {
    for (Instruction &I : instructions(F))
      if (auto *At = writtenPlace(I); At && arrayOf(*At) == Array)
        All.push_back(&I);
  }
  static const Value *arrayOf(const Value &At) {
    return getUnderlyingObject(&At, 0);
  }
  bool all(function_ref<bool(Instruction &)> Holds) const {
    return all_of(All, [&](Instruction *S) { return Holds(*S); });
  }
  bool anyIn(const Loop &In) const {
    return any_of(All, [&](Instruction *S) { return In.contains(S); });
  }

private:
  static const Value *writtenPlace(const Instruction &I) {
    if (auto *M = dyn_cast<MemIntrinsic>(&I))
      return M->getRawDest();
    auto *S = dyn_cast<StoreInst>(&I);
    return S ? S->getPointerOperand() : nullptr;
  }

  SmallVector<Instruction *> All;
};

/// What is known of the loads that the plan tapes if arguments are so large at
/// most.
class FinishedLoads {
public:
  FinishedLoads(const Unit &U, const UnitPlan &Plan, int64_t Most);

  const NumberBounds &bounds() const { return Bounds; }
  /// How much less is taped: 0 is nothing, and a load that need not be taped at
  /// all counts twice.
  unsigned weight() const { return Weight; }

private:
  unsigned weightOf(const LoadInst &L);

  Function &F;
  LoopInfo &LI;
  DominatorTree &DT;
  LaterPlaces Places;
  NumberBounds Bounds;
  unsigned Weight = 0;
};

FinishedLoads::FinishedLoads(const Unit &U, const UnitPlan &Plan, int64_t Most)
    : F(*U.Functions.front()->F), LI(U.FAM.getResult<LoopAnalysis>(F)),
      DT(U.FAM.getResult<DominatorTreeAnalysis>(F)),
      Places(F, U.FAM, {LaterPlaces::possiblyBounded(F), Most}) {
  for (Instruction &I : instructions(F))
    if (auto *L = dyn_cast<LoadInst>(&I); L && !Plan.isStable(*L))
      Weight += weightOf(*L);
  Bounds = {{Places.argumentsMet().begin(), Places.argumentsMet().end()}, Most};
}

unsigned FinishedLoads::weightOf(const LoadInst &L) {
  const Loop *Around = LI.getLoopFor(L.getParent());
  // Other arrays are taken to be apart: of arguments that is asked as well, and
  // where it is not known the second plan is no lighter.
  const Value *Array = ArrayStores::arrayOf(*L.getPointerOperand());
  if (!Around || isa<Constant>(Array))
    return 0;
  const ArrayStores Stores(F, Array);
  if (Stores.all([&](Instruction &S) {
        return !isPotentiallyReachable(&L, &S, nullptr, &DT, &LI) ||
               Places.areApart(L, S);
      }))
    return 2;
  auto IsUnchangedIn = [&](const Loop *In) {
    return In && Stores.anyIn(*In) && Stores.all([&](Instruction &S) {
      return !In->contains(&S) || Places.areApartIn(*In->getHeader(), L, S);
    });
  };
  return IsUnchangedIn(Around) || IsUnchangedIn(Around->getParentLoop());
}

} // namespace

NumberBounds boundsOfFinished(const Unit &U, const UnitPlan &Plan) {
  const FinishedLoads IfLong(U, Plan, NumberBounds::Long),
      IfShort(U, Plan, NumberBounds::Short);
  if (IfShort.weight() > IfLong.weight())
    return IfShort.bounds();
  return IfLong.weight() ? IfLong.bounds() : NumberBounds();
}

} // namespace retro
