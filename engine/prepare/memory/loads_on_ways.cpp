// Input: a function in which a phi chooses the address that a pointer is loaded
// from, or memory that is given back. Output: the pointer is loaded, the memory
// given back on each way, and a phi chooses between what was loaded. Else the
// places that the addresses lead to would be one class of memory, and a pointer
// in it could lead to either object: LLVM lets containers of a program share
// the end of what destroys them.
#include "prepare/memory/loads_on_ways.h"
#include "base/unit.h"
#include "front/known/known_functions.h"

#include "llvm/ADT/SetVector.h"
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

/// What gives back memory, with what it computes of its block's phis alone.
struct Release {
  CallBase *Call;
  SmallVector<Instruction *, 4> Computed; ///< in their order
};

/// What C, which gives back memory, reads that is computed in its block, if C
/// can be where the block is entered from and nothing else reads it.
std::optional<Release> releaseOf(CallBase &C) {
  BasicBlock &Block = *C.getParent();
  Release Out{&C, {}};
  SmallSetVector<Instruction *, 8> Read; // of the block; C and phis, too
  Read.insert(&C);
  for (unsigned N = 0; N < Read.size(); ++N)
    if (!isa<PHINode>(Read[N]))
      for (Value *V : Read[N]->operands())
        if (auto *I = dyn_cast<Instruction>(V); I && I->getParent() == &Block)
          Read.insert(I);
  // What goes on to a next iteration is read there, too.
  for (Instruction *I : Read)
    if (I != &C && any_of(I->users(), [&](User *U) {
          return isa<PHINode>(U) || !Read.contains(cast<Instruction>(U));
        }))
      return std::nullopt;
  for (Instruction &I : make_range(Block.getFirstNonPHIIt(), C.getIterator())) {
    if (I.mayReadOrWriteMemory() || I.mayHaveSideEffects())
      return std::nullopt;
    if (Read.contains(&I))
      Out.Computed.push_back(&I);
  }
  return Out;
}

/// The release of memory that depends on how its block is reached.
std::optional<Release> sharedRelease(BasicBlock &Block) {
  for (Instruction &I : Block) {
    auto *C = dyn_cast<CallInst>(&I);
    if (!C || knownCall(*C).Kind != KnownKind::Free || C->arg_empty())
      continue;
    auto *P = dyn_cast<PHINode>(C->getArgOperand(0));
    return P && P->getParent() == &Block && haveOwnWays(*P) ? releaseOf(*C)
                                                            : std::nullopt;
  }
  return std::nullopt;
}

void releaseBefore(Instruction &End, const Release &R) {
  const BasicBlock *Block = R.Call->getParent();
  DenseMap<Value *, Value *> CopyOf;
  auto Copy = [&](Instruction &I) {
    Instruction *C = I.clone();
    for (Use &U : C->operands()) {
      auto *P = dyn_cast<PHINode>(U.get());
      if (P && P->getParent() == Block)
        U.set(P->getIncomingValueForBlock(End.getParent()));
      else if (Value *V = CopyOf.lookup(U.get()))
        U.set(V);
    }
    C->insertBefore(End.getIterator());
    CopyOf[&I] = C;
  };
  for (Instruction *I : R.Computed)
    Copy(*I);
  Copy(*R.Call);
}

} // namespace

void releaseOnEachWay(UnitFunction &UF) {
  for (BasicBlock &Block : make_early_inc_range(*UF.F))
    while (std::optional<Release> R = sharedRelease(Block)) {
      for (BasicBlock *From : to_vector(predecessors(&Block))) {
        if (!From->getSingleSuccessor())
          From = SplitEdge(From, &Block, &UF.DT, &UF.LI);
        releaseBefore(*From->getTerminator(), *R);
      }
      R->Call->eraseFromParent();
      for (Instruction *I : reverse(R->Computed))
        I->eraseFromParent();
      for (PHINode &P : make_early_inc_range(Block.phis()))
        if (P.use_empty())
          P.eraseFromParent();
    }
}

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
