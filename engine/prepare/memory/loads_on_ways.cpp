// Input: a function in which a phi chooses the address that is loaded from or
// stored to, or memory that is given back. Output: that is done on each way,
// and a phi chooses between what was loaded. Else the places that the addresses
// lead to would be one class of memory, an object's fields among the elements
// of an array, and a pointer in it could lead to either object: LLVM lets
// accesses of a type share one instruction behind a choice, and containers of a
// program the end of what destroys them.
#include "prepare/memory/loads_on_ways.h"
#include "base/assert.h"
#include "base/unit.h"
#include "front/known/known_functions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace retro {
namespace {

/// Can each way to P's block get an instruction of its own?
bool haveOwnWays(const PHINode &P) {
  SmallPtrSet<const BasicBlock *, 4> Seen;
  return !P.hasConstantValue() && all_of(P.blocks(), [&](const BasicBlock *B) {
    return Seen.insert(B).second &&
           isa<BranchInst, SwitchInst>(B->getTerminator());
  });
}

/// Something done to memory, with what it computes of its block's phis alone.
struct Deed {
  Instruction *Done;
  SmallVector<Instruction *, 4> Computed; ///< in their order
};

/// May Done not go before I, which stands in front of it?
bool isBarrier(const Instruction &I, const Instruction &Done) {
  if (isa<LoadInst>(Done))
    return I.mayWriteToMemory() ||
           !isGuaranteedToTransferExecutionToSuccessor(&I);
  return I.mayReadOrWriteMemory() || I.mayHaveSideEffects();
}

/// What Done reads that is computed in its block, if Done can be where the
/// block is entered from and nothing else reads it.
std::optional<Deed> movable(Instruction &Done) {
  BasicBlock &Block = *Done.getParent();
  Deed Out{&Done, {}};
  SmallSetVector<Instruction *, 8> Read; // of the block; Done and phis, too
  Read.insert(&Done);
  for (unsigned N = 0; N < Read.size(); ++N)
    if (!isa<PHINode>(Read[N]))
      for (Value *V : Read[N]->operands())
        if (auto *I = dyn_cast<Instruction>(V); I && I->getParent() == &Block)
          Read.insert(I);
  // What goes on to a next iteration is read there, too.
  for (Instruction *I : Read)
    if (I != &Done && any_of(I->users(), [&](User *U) {
          return isa<PHINode>(U) || !Read.contains(cast<Instruction>(U));
        }))
      return std::nullopt;
  for (Instruction &I :
       make_range(Block.getFirstNonPHIIt(), Done.getIterator())) {
    if (isBarrier(I, Done))
      return std::nullopt;
    if (Read.contains(&I))
      Out.Computed.push_back(&I);
  }
  return Out;
}

/// Does P choose between places in different objects?
bool choosesObject(const PHINode &P) {
  const Value *First = nullptr;
  return any_of(P.incoming_values(), [&](const Value *V) {
    const Value *Object = getUnderlyingObject(V);
    if (!First)
      First = Object;
    return Object != First && !isa<UndefValue>(Object);
  });
}

/// The phi of the block that the address is computed from.
PHINode *choiceBehind(Value *Address, const BasicBlock &Block) {
  while (auto *G = dyn_cast<GetElementPtrInst>(Address)) {
    if (G->getParent() != &Block)
      return nullptr;
    Address = G->getPointerOperand();
  }
  auto *P = dyn_cast<PHINode>(Address);
  return P && P->getParent() == &Block ? P : nullptr;
}

/// Is memory accessed, or given back, that depends on how I's block is reached?
bool isShared(Instruction &I) {
  auto *C = dyn_cast<CallInst>(&I);
  if (C && knownCall(*C).Kind == KnownKind::Free && !C->arg_empty()) {
    auto *P = dyn_cast<PHINode>(C->getArgOperand(0));
    return P && P->getParent() == I.getParent() && haveOwnWays(*P);
  }
  auto *L = dyn_cast<LoadInst>(&I);
  auto *S = dyn_cast<StoreInst>(&I);
  if (!(L && L->isSimple()) && !(S && S->isSimple()))
    return false;
  PHINode *P = choiceBehind(getLoadStorePointerOperand(&I), *I.getParent());
  return P && haveOwnWays(*P) &&
         (choosesObject(*P) || (L && L->getType()->isPointerTy()));
}

std::optional<Deed> sharedDeed(BasicBlock &Block) {
  for (Instruction &I : Block)
    if (isShared(I))
      if (std::optional<Deed> D = movable(I))
        return D;
  return std::nullopt;
}

/// The block that Block is entered from on the way that comes from From and on
/// no other. Loops are simplified behind this: LLVM, if it knew of them here,
/// would join the other ways out of a loop, and what comes from those blocks
/// would enter Block through one more.
BasicBlock *wayFrom(UnitFunction &UF, BasicBlock &From, BasicBlock &Block) {
  if (From.getSingleSuccessor())
    return &From;
  BasicBlock *Way =
      SplitCriticalEdge(&From, &Block, CriticalEdgeSplittingOptions(&UF.DT));
  retroAssert(Way, "prepare", UF.F, "a way into a block gets a block");
  Loop *L = UF.LI.getLoopFor(&Block);
  while (L && !L->contains(&From))
    L = L->getParentLoop();
  if (L)
    L->addBasicBlockToLoop(Way, UF.LI);
  return Way;
}

/// Does it before End, where the deed's block is entered from.
Instruction *doBefore(Instruction &End, const Deed &D) {
  const BasicBlock *Block = D.Done->getParent();
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
    return C;
  };
  for (Instruction *I : D.Computed)
    Copy(*I);
  return Copy(*D.Done);
}

void doOnEachWay(UnitFunction &UF, BasicBlock &Block, const Deed &D) {
  const bool HasResult = isa<LoadInst>(D.Done);
  SmallVector<std::pair<Instruction *, BasicBlock *>> Results;
  for (BasicBlock *From : to_vector(Block.phis().begin()->blocks())) {
    BasicBlock *Way = wayFrom(UF, *From, Block);
    Results.push_back({doBefore(*Way->getTerminator(), D), Way});
  }
  if (HasResult) {
    PHINode *P = PHINode::Create(D.Done->getType(),
                                 static_cast<unsigned>(Results.size()), "",
                                 Block.begin());
    for (auto [Result, From] : Results)
      P->addIncoming(Result, From);
    P->setDebugLoc(D.Done->getDebugLoc());
    P->takeName(D.Done);
    D.Done->replaceAllUsesWith(P);
  }
  D.Done->eraseFromParent();
  for (Instruction *I : reverse(D.Computed))
    I->eraseFromParent();
  for (PHINode &P : make_early_inc_range(Block.phis()))
    if (P.use_empty())
      P.eraseFromParent();
}

} // namespace

void accessOnEachWay(UnitFunction &UF) {
  for (BasicBlock &Block : make_early_inc_range(*UF.F))
    while (std::optional<Deed> D = sharedDeed(Block))
      doOnEachWay(UF, Block, *D);
}

} // namespace retro
