// Emits loops that count from 0 to a number. Many emitters write one; the loops
// have to look alike, so that LLVM finds their counters.
#include "ir/emit_loop.h"

using namespace llvm;

namespace retro {

BasicBlock *splitHere(IRBuilder<> &B, const Twine &Name) {
  BasicBlock *From = B.GetInsertBlock();
  if (B.GetInsertPoint() == From->end())
    return BasicBlock::Create(B.getContext(), Name, From->getParent());
  BasicBlock *Rest = From->splitBasicBlock(B.GetInsertPoint(), Name);
  From->getTerminator()->eraseFromParent();
  B.SetInsertPoint(From);
  return Rest;
}

void emitLoop(IRBuilder<> &B, Value *Count, function_ref<void(Value *)> Body) {
  Function *F = B.GetInsertBlock()->getParent();
  LLVMContext &C = F->getContext();
  BasicBlock *From = B.GetInsertBlock();
  BasicBlock *Loop = BasicBlock::Create(C, "each", F);
  BasicBlock *Done = splitHere(B, "each.done");
  B.CreateCondBr(B.CreateICmpEQ(Count, ConstantInt::get(Count->getType(), 0)),
                 Done, Loop);
  B.SetInsertPoint(Loop);
  PHINode *I = B.CreatePHI(Count->getType(), 2, "i");
  I->addIncoming(ConstantInt::get(Count->getType(), 0), From);
  Body(I);
  Value *Next = B.CreateNUWAdd(I, ConstantInt::get(Count->getType(), 1));
  I->addIncoming(Next, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpEQ(Next, Count), Done, Loop);
  B.SetInsertPoint(Done, Done->begin());
}

void emitIf(IRBuilder<> &B, Value *Condition, function_ref<void()> Body) {
  BasicBlock *From = B.GetInsertBlock();
  BasicBlock *Then =
      BasicBlock::Create(From->getContext(), "then", From->getParent());
  BasicBlock *Done = splitHere(B, "then.done");
  B.CreateCondBr(Condition, Then, Done);
  B.SetInsertPoint(Then);
  Body();
  B.CreateBr(Done);
  B.SetInsertPoint(Done, Done->begin());
}

} // namespace retro
