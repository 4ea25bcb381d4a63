// Input: a value in a nest of loops. Output: the loops in whose iterations it
// may differ. One too few, and an iteration would overwrite what another one
// kept.
#include "plan/loop_levels.h"

#include "plan/planner.h"

using namespace llvm;

namespace retro {

/// Does P count the iterations of a loop inside L? It takes the same values in
/// every iteration of L. (It is not read behind that loop: there, in canonical
/// form, a phi of the exit is.)
bool LoopLevels::isInnerCounter(const PHINode &P, const Loop *L) const {
  auto It = UF.Loops.find(P.getParent());
  return It != UF.Loops.end() && It->second.Counter == &P &&
         L->getHeader() != P.getParent();
}

/// Does I give the same wherever its operands and the memory that it reads are
/// the same? Expensive functions do, too, which are kept and not repeated.
bool LoopLevels::dependsOnOperands(const Instruction &I) const {
  auto *C = dyn_cast<CallBase>(&I);
  const KnownCall Known = C ? knownCall(*C) : KnownCall();
  return isRepeatable(I, U) ||
         (Known.Kind == KnownKind::Math && Known.isPure());
}

/// Is V the same in all iterations of L in which the counters of the loops
/// inside L are the same?
bool LoopLevels::isSame(const Value *V, const Loop *L, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L->contains(I))
    return true;
  if (auto *Phi = dyn_cast<PHINode>(I))
    return isInnerCounter(*Phi, L);
  if (Depth > 8 || !dependsOnOperands(*I))
    return false;
  if (!all_of(I->operands(),
              [&](const Value *O) { return isSame(O, L, Depth + 1); }))
    return false;
  auto *Load = dyn_cast<LoadInst>(I);
  return !Load || Overwrite.isUnchangedIn(*Load, *L);
}

ArrayRef<const Loop *> LoopLevels::around(const BasicBlock &B) {
  auto [It, New] = Around.try_emplace(&B);
  if (New)
    for (const Loop *L = UF.LI.getLoopFor(&B); L; L = L->getParentLoop())
      It->second.push_back(L);
  return It->second;
}

ArrayRef<const Loop *> LoopLevels::of(const Instruction &I) {
  auto [It, New] = Known.try_emplace(&I);
  if (New)
    for (const Loop *L : around(*I.getParent()))
      if (!isSame(&I, L))
        It->second.push_back(L);
  return It->second;
}

} // namespace retro
