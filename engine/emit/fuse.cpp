// Loops of which each iteration is run forward and backward at a time
// (facts/reversal/fusion.h): the forward pass goes past the loop, and the
// reverse pass goes through its copy of the iteration before it reverses that.
// Without it such a loop would keep a tape of all iterations for what one needs
// at a time. Members of ForwardSweep and ReverseSweep (emit/common/).
#include "emit/common/forward_sweep.h"
#include "emit/common/reverse_sweep.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

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

/// From the end of what reverses From to what reverses Next, through the
/// iteration itself if Next is the end of a fused one.
void ReverseSweep::goTo(const BasicBlock &Next, const BasicBlock &From) {
  const Loop *L = UF.LI.getLoopFor(&Next);
  const BasicBlock *H = L ? L->getHeader() : nullptr;
  const bool Again = &From == H; // from the iteration before
  if (!H || !P.Fused.contains(H) || &Next != L->getLoopLatch() ||
      (L->contains(&From) && !Again)) {
    B.CreateBr(Blocks[&Next]);
    return;
  }
  BasicBlock *Start = Fwd->clonedBlock(*H);
  BasicBlock *End = Fwd->endOf(*L->getLoopLatch());
  if (!Again)
    for (unsigned N = 0; N < End->getTerminator()->getNumSuccessors(); ++N)
      End->getTerminator()->setSuccessor(N, Blocks[&Next]);
  for (PHINode &X : Start->phis())
    X.replaceIncomingBlockWith(Again ? End : Fwd->endOf(*L->getLoopPreheader()),
                               B.GetInsertBlock());
  B.CreateBr(Start);
}

/// Where the forward pass comes to the loop with header H, it goes to what
/// reverses all behind it, which begins with Start. When the loop has run, the
/// forward pass goes on to End, where it would have gone to Start, and from
/// there to what reverses all before the loop.
void ReverseSweep::await(const BasicBlock &H, BasicBlock *Start,
                         BasicBlock *End) {
  const Loop *L = UF.LI.getLoopFor(&H), *Around = L->getParentLoop();
  BasicBlock *Exit = Fwd->clonedBlock(*L->getUniqueExitBlock());
  Fwd->endOf(*L->getLoopPreheader())->getTerminator()->setSuccessor(0, Start);
  // The way past the loop, if there is one, does not come back to it.
  IRBuilder<> IR(EntryPoint);
  AllocaInst *Reached = IR.CreateAlloca(IR.getInt1Ty(), nullptr, "awaited");
  if (Around) {
    BasicBlock *First = Fwd->clonedBlock(*Around->getHeader());
    IR.SetInsertPoint(First, First->getFirstInsertionPt());
  }
  IR.CreateStore(IR.getFalse(), Reached);
  Instruction *Out = Left.lookup(&H);
  IR.SetInsertPoint(Out);
  IR.CreateStore(IR.getTrue(), Reached);
  Out->setSuccessor(0, Exit);
  Exit->replacePhiUsesWith(Fwd->endOf(*L->getLoopLatch()), Out->getParent());
  IR.SetInsertPoint(BasicBlock::Create(T.getContext(), "awaited", &T));
  IR.CreateCondBr(IR.CreateLoad(IR.getInt1Ty(), Reached),
                  Blocks[L->getLoopPreheader()],
                  End->getTerminator()->getSuccessor(0));
  for (unsigned N = 0; N < End->getTerminator()->getNumSuccessors(); ++N)
    End->getTerminator()->setSuccessor(N, IR.GetInsertBlock());
}

/// The passes are complete; Start is where the reverse pass begins, and End
/// where the forward pass goes there.
void ReverseSweep::weave(BasicBlock *Start, BasicBlock *End) {
  if (P.Fused.empty() && P.AtOnce.empty())
    return;
  for (const BasicBlock *H : P.Awaited) {
    const Loop *Around = UF.LI.getLoopFor(H)->getParentLoop();
    if (Around)
      await(*H, Blocks[Around->getLoopLatch()],
            Fwd->endOf(*Around->getLoopLatch()));
    else
      await(*H, Start, End);
  }
  // Where a fused loop stands now, and what is behind it, the forward pass need
  // not have come by what it reads, nor by a call that has run both passes:
  // that goes through variables.
  DominatorTree DT(T);
  SmallVector<Instruction *> Along;
  for (Instruction &I : instructions(T))
    if (any_of(I.uses(), [&](const Use &U) { return !DT.dominates(&I, U); }))
      Along.push_back(&I);
  for (Instruction *I : Along)
    DemoteRegToStack(*I, /*VolatileLoads=*/false, EntryPoint->getIterator());
}

} // namespace retro
