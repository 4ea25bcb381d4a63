// Copies a loop, and puts a loop over blocks of iterations around the copy.
// Checkpointing runs the copy where the tape would be large, and the loop
// itself elsewhere.
#include "loops/strip_loop.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {
namespace {

/// Makes the header of the loop over blocks. Each block begins where the last
/// one ended.
BasicBlock *makeBlocks(const LoopCopy &X, Value *Trips, Value *Block) {
  LLVMContext &C = Trips->getContext();
  Function &F = *X.Header->getParent();
  Type *I64 = Trips->getType();
  BasicBlock *Head = BasicBlock::Create(C, "block", &F, X.Header);
  BasicBlock *Tail = BasicBlock::Create(C, "block.end", &F, X.After);
  IRBuilder<> B(Head);
  PHINode *Done = B.CreatePHI(I64, 2, "done");
  Done->addIncoming(B.getInt64(0), X.Before);
  for (PHINode &P : X.Header->phis()) {
    PHINode *First = B.CreatePHI(P.getType(), 2, P.getName());
    PHINode *Last = PHINode::Create(P.getType(), 1, P.getName(), Tail);
    Last->addIncoming(P.getIncomingValueForBlock(X.Latch), X.Latch);
    First->addIncoming(P.getIncomingValueForBlock(X.Before), X.Before);
    First->addIncoming(Last, Tail);
    P.setIncomingValueForBlock(X.Before, First);
  }
  X.Header->replacePhiUsesWith(X.Before, Head);
  X.Before->getTerminator()->replaceSuccessorWith(X.Header, Head);
  Value *Length = B.CreateBinaryIntrinsic(
      Intrinsic::umin, Block, B.CreateSub(Trips, Done), nullptr, "length");
  B.CreateBr(X.Header);
  // Counts the iterations of a block.
  B.SetInsertPoint(X.Header, X.Header->begin());
  PHINode *Count = B.CreatePHI(I64, 2, "count");
  Instruction *T = X.Latch->getTerminator();
  DebugLoc Loc = T->getDebugLoc();
  B.SetInsertPoint(T);
  Value *Next = B.CreateAdd(Count, B.getInt64(1), "", true);
  Count->addIncoming(B.getInt64(0), Head);
  Count->addIncoming(Next, X.Latch);
  B.CreateCondBr(B.CreateICmpULT(Next, Length), X.Header, Tail)
      ->setDebugLoc(Loc);
  T->eraseFromParent();
  for (PHINode &P : X.After->phis()) {
    PHINode *Last = PHINode::Create(P.getType(), 1, P.getName(), Tail);
    Last->addIncoming(P.getIncomingValueForBlock(X.Latch), X.Latch);
    P.setIncomingValueForBlock(X.Latch, Last);
    P.setIncomingBlock(0, Tail);
  }
  B.SetInsertPoint(Tail);
  Value *Now = B.CreateAdd(Done, Length, "", true);
  Done->addIncoming(Now, Tail);
  B.CreateCondBr(B.CreateICmpULT(Now, Trips), Head, X.After);
  return Head;
}

} // namespace

LoopCopy copyLoop(Loop &L, Value *If) {
  BasicBlock *From = L.getLoopPreheader(), *Exit = L.getExitBlock();
  Function &F = *From->getParent();
  LLVMContext &C = F.getContext();
  BasicBlock *Header = L.getHeader();
  ValueToValueMapTy VM;
  SmallVector<BasicBlock *> New;
  BasicBlock *Before = BasicBlock::Create(C, "copy", &F, Exit);
  VM[From] = Before;
  for (BasicBlock *B : L.blocks()) {
    New.push_back(CloneBasicBlock(B, VM, ".copy", &F));
    VM[B] = New.back();
  }
  BasicBlock *After = CloneBasicBlock(Exit, VM, ".copy", &F);
  VM[Exit] = After;
  while (!After->empty() && !isa<PHINode>(After->back()))
    After->back().eraseFromParent();
  New.push_back(After);
  remapInstructionsInBlocks(New, VM);
  BranchInst::Create(cast<BasicBlock>(VM[Header]), Before);
  // The results are those of the version that ran.
  BasicBlock *Join = SplitBlock(Exit, Exit->getFirstNonPHIIt());
  BranchInst::Create(Join, After);
  for (PHINode &P : Exit->phis()) {
    auto *Either = PHINode::Create(P.getType(), 2, P.getName());
    Either->insertBefore(Join->getFirstNonPHIIt());
    Either->addIncoming(VM[&P], After); // before the map follows the uses
    P.replaceAllUsesWith(Either);
    Either->addIncoming(&P, Exit);
  }
  BasicBlock *AsItIs = BasicBlock::Create(C, "as.it.is", &F, Header);
  BranchInst::Create(Header, AsItIs);
  Header->replacePhiUsesWith(From, AsItIs);
  ReplaceInstWithInst(From->getTerminator(),
                      BranchInst::Create(Before, AsItIs, If));
  return {Before, cast<BasicBlock>(VM[Header]),
          cast<BasicBlock>(VM[L.getLoopLatch()]), After};
}

BasicBlock *stripCopy(Loop &L, Value *If, Value *Trips, Value *Block) {
  return makeBlocks(copyLoop(L, If), Trips, Block);
}

} // namespace retro
