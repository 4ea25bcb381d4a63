// Input: a function in which a phi chooses the address that a pointer is loaded
// from. Output: the pointer is loaded on each way, and the phi chooses between
// what was loaded. Else the places that the addresses lead to would be one
// class of memory, and a pointer in it could lead to either object.
#include "prepare/memory/loads_on_ways.h"
#include "base/unit.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace retro {
namespace {

/// The load that reads a pointer at address P, if it is the first in P's block
/// to touch memory and the only one to read P.
LoadInst *onlyLoadFrom(PHINode &P) {
  auto *L = P.hasOneUse() ? dyn_cast<LoadInst>(*P.user_begin()) : nullptr;
  if (!L || L->getParent() != P.getParent() || !L->isSimple() ||
      !L->getType()->isPointerTy())
    return nullptr;
  for (const Instruction &I :
       make_range(P.getParent()->begin(), L->getIterator()))
    if (I.mayWriteToMemory() || !isGuaranteedToTransferExecutionToSuccessor(&I))
      return nullptr;
  return L;
}

/// Can each way to P's block get an instruction of its own?
bool haveOwnWays(const PHINode &P) {
  SmallPtrSet<const BasicBlock *, 4> Seen;
  return !P.hasConstantValue() && all_of(P.blocks(), [&](const BasicBlock *B) {
    return Seen.insert(B).second &&
           isa<BranchInst, SwitchInst>(B->getTerminator());
  });
}

} // namespace

void loadOnEachWay(UnitFunction &UF) {
  SmallVector<std::pair<PHINode *, LoadInst *>> Found;
  for (BasicBlock &B : *UF.F)
    for (PHINode &P : B.phis())
      if (LoadInst *L = onlyLoadFrom(P); L && haveOwnWays(P))
        Found.push_back({&P, L});
  for (auto [P, L] : Found) {
    for (BasicBlock *From : to_vector(P->blocks()))
      if (!From->getSingleSuccessor())
        SplitEdge(From, P->getParent(), &UF.DT, &UF.LI);
    // The phi now chooses between the loaded values.
    for (unsigned N = 0; N < P->getNumIncomingValues(); ++N) {
      Instruction *WayLoad = L->clone();
      WayLoad->setOperand(0, P->getIncomingValue(N));
      WayLoad->insertBefore(
          P->getIncomingBlock(N)->getTerminator()->getIterator());
      P->setIncomingValue(N, WayLoad);
    }
    P->takeName(L);
    L->replaceAllUsesWith(P);
    L->eraseFromParent();
  }
}

} // namespace retro
