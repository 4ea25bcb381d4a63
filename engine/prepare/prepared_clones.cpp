// Input: a function of which the unit has several clones. Output: the first
// one, as its stages left it, is what the others are made of: what the stages
// do follows from the function alone, not from who calls it. Without this a
// unit with a hundred clones of one function would simplify it a hundred times.
// Members of Preparer (preparer.h).
#include "prepare/preparer.h"

#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {

/// Gives UF what the stages made of another clone of its source. Returns
/// whether there is one. The root is entered from outside, and is like no other
/// clone.
bool Preparer::copyPrepared(UnitFunction &UF) {
  Function *From = PreparedClones.lookup(UF.Source);
  if (!From || &UF == &U.root())
    return false;
  Function &To = *UF.F;
  U.FAM.clear(To, To.getName());
  To.deleteBody();
  To.setLinkage(GlobalValue::InternalLinkage);
  ValueToValueMapTy VM;
  for (auto [Old, New] : zip_equal(From->args(), To.args()))
    VM[&Old] = &New;
  SmallVector<ReturnInst *> Returns;
  CloneFunctionInto(&To, From, VM, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  return true;
}

void Preparer::keepPrepared(const UnitFunction &UF) {
  if (&UF == &U.root() || R.failed())
    return;
  ValueToValueMapTy VM;
  Function *Kept = CloneFunction(UF.F, VM);
  Kept->setName(UF.Source->getName() + ".prepared");
  PreparedClones.insert({UF.Source, Kept});
}

void Preparer::dropPrepared() {
  for (auto [Source, Kept] : PreparedClones)
    Kept->dropAllReferences();
  for (auto [Source, Kept] : PreparedClones)
    Kept->eraseFromParent();
  PreparedClones.clear();
}

} // namespace retro
