// Input: a root. Output: its last stores, behind which nothing looks at what
// they write. A store that waited though something did would be seen as if it
// had not been made.
#include "facts/writes/late_stores.h"

#include "base/toggles.h"
#include "front/requests/traits.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

constexpr size_t MostStores = 16; ///< that wait
constexpr size_t MostBehind = 64; ///< that they are compared with

/// The block that returns, of which a unit's functions have one at most.
const BasicBlock *returningBlock(const Function &F) {
  auto B = find_if(F, [](const BasicBlock &X) {
    return isa<ReturnInst>(X.getTerminator());
  });
  return B == F.end() ? nullptr : &*B;
}

/// From the end of a function to its beginning.
class Backwards {
public:
  Backwards(const ActivityAnalysis &Act, AAResults &AA) : Act(Act), AA(AA) {}

  /// false: what is before I cannot wait.
  bool visit(const Instruction &I);
  SmallVector<const StoreInst *, 4> Late;

private:
  bool canWait(const StoreInst &S) const;

  const ActivityAnalysis &Act;
  AAResults &AA;
  SmallVector<const Instruction *, 16> Behind;
};

bool Backwards::canWait(const StoreInst &S) const {
  const MemoryLocation At = MemoryLocation::get(&S);
  return none_of(Behind, [&](const Instruction *I) {
    return isModOrRefSet(AA.getModRefInfo(I, At));
  });
}

bool Backwards::visit(const Instruction &I) {
  if (isAssumeLikeIntrinsic(&I))
    return true;
  if (I.mayThrow() || !I.willReturn() || isa<FenceInst>(I))
    return false;
  if (!I.mayReadOrWriteMemory())
    return true;
  auto *S = dyn_cast<StoreInst>(&I);
  if (S && S->isSimple() && Act.storesUnneeded(*S))
    return true;
  // Where a pointer is stored its shadow is, too, and both are read again.
  if (S && S->isSimple() &&
      S->getValueOperand()->getType()->isFPOrFPVectorTy() && canWait(*S)) {
    Late.push_back(S);
    return Late.size() < MostStores;
  }
  Behind.push_back(&I);
  return !I.isVolatile() && !I.isAtomic() && Behind.size() < MostBehind;
}

} // namespace

SetVector<const StoreInst *> findLateStores(const UnitFunction &UF,
                                            const ActivityAnalysis &Act,
                                            AAResults &AA) {
  Backwards Walk(Act, AA);
  const BasicBlock *B =
      UF.Root && applies(Toggle::late_stores, traitsOf(Act.unit()))
          ? returningBlock(*UF.F)
          : nullptr;
  // A block that leads to the next one alone, and is the only way to it, runs
  // as often as that.
  for (bool On = B != nullptr; On;) {
    for (const Instruction &I : reverse(*B))
      if (!(On = Walk.visit(I)))
        break;
    const BasicBlock *Before = B->getSinglePredecessor();
    On = On && Before && Before->getSingleSuccessor() == B;
    B = Before;
  }
  SetVector<const StoreInst *> Late;
  for (const StoreInst *S : reverse(Walk.Late))
    Late.insert(S);
  return Late;
}

} // namespace retro
