// Loops of which each iteration is run forward and backward at a time
// (analyses/fusion.h): the forward pass goes past the loop, and the reverse
// pass goes through its copy of the iteration before it reverses that.
#include "transforms/emit.h"

#include "llvm/IR/CFG.h"

using namespace llvm;

namespace retro {

/// The forward pass does not run the loop. What comes of it nobody reads.
void ForwardSweep::passBy(const BasicBlock &Header) {
  const Loop *L = UF.LI.getLoopFor(&Header);
  auto *Exit = cast<BasicBlock>(VM.lookup(L->getUniqueExitBlock()));
  BasicBlock *Latch = endOf(*L->getLoopLatch()),
             *Before = endOf(*L->getLoopPreheader());
  Before->getTerminator()->setSuccessor(0, Exit);
  for (PHINode &X : Exit->phis()) {
    auto N = static_cast<unsigned>(X.getBasicBlockIndex(Latch));
    X.setIncomingBlock(N, Before);
    X.setIncomingValue(N, Constant::getNullValue(X.getType()));
  }
}

/// What the loop from Start to End reads of the forward pass around it goes
/// through variables: where the reverse pass stands, it need not have come by.
static void takeAlong(BasicBlock *Start, BasicBlock *End, IRBuilder<> &B,
                      Instruction *EntryPoint) {
  SmallSetVector<BasicBlock *, 16> Body;
  Body.insert(Start);
  for (size_t N = 0; N < Body.size(); ++N)
    if (Body[N] != End)
      Body.insert(succ_begin(Body[N]), succ_end(Body[N]));
  DenseMap<Instruction *, Value *> Taken;
  IRBuilder<> EB(EntryPoint);
  for (BasicBlock *X : Body)
    for (Instruction &I : *X)
      for (Use &U : I.operands()) {
        auto *V = dyn_cast<Instruction>(U.get());
        if (!V || Body.contains(V->getParent()) ||
            V->getParent() == EntryPoint->getParent())
          continue;
        Value *&Load = Taken[V];
        if (!Load) {
          AllocaInst *Slot = EB.CreateAlloca(V->getType(), nullptr, "along");
          IRBuilder<> After(V->getParent(), *V->getInsertionPointAfterDef());
          After.CreateStore(V, Slot);
          Load = B.CreateLoad(V->getType(), Slot);
        }
        U.set(Load);
      }
}

/// From the end of what reverses From to what reverses Next, through the
/// iteration itself if Next is the end of a fused one.
void ReverseSweep::goTo(const BasicBlock &Next, const BasicBlock &From) {
  const Loop *L = UF.LI.getLoopFor(&Next);
  while (L && L->getParentLoop())
    L = L->getParentLoop();
  const BasicBlock *H = L ? L->getHeader() : nullptr;
  const bool Inside = L && L->contains(&From);
  if (!H || !P.Fused.contains(H) || (Inside && &From != H)) {
    B.CreateBr(Blocks[&Next]);
    return;
  }
  auto *Start = cast<BasicBlock>(Fwd->VM.lookup(H));
  BasicBlock *End = Fwd->endOf(*L->getLoopLatch());
  if (!Inside) {
    for (unsigned N = 0; N < End->getTerminator()->getNumSuccessors(); ++N)
      End->getTerminator()->setSuccessor(N, Blocks[&Next]);
    takeAlong(Start, End, B, EntryPoint);
  }
  for (PHINode &X : Start->phis())
    X.replaceIncomingBlockWith(
        Inside ? End : Fwd->endOf(*L->getLoopPreheader()), B.GetInsertBlock());
  B.CreateBr(Start);
}

} // namespace retro
