#include "answer/catch_handler.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {

Handler::Handler(CallBase &Site) : Call(&Site) {
  auto *I = dyn_cast<InvokeInst>(&Site);
  if (!I)
    return;
  // A block for what the request becomes, and for nothing else.
  BasicBlock *Block = I->getParent();
  if (I != &Block->front())
    Block = Block->splitBasicBlock(I);
  Call = createCallMatchingInvoke(I);
  Call->insertBefore(I->getIterator());
  Call->takeName(I);
  I->replaceAllUsesWith(Call);
  Function *Nothing = Intrinsic::getOrInsertDeclaration(Block->getModule(),
                                                        Intrinsic::donothing);
  Way = IRBuilder<>(I).CreateInvoke(Nothing, I->getNormalDest(),
                                    I->getUnwindDest());
  I->eraseFromParent();
}

void Handler::catchFrom(CallInst &C) {
  BasicBlock *Block = C.getParent();
  changeToInvokeAndSplitBasicBlock(&C, Way->getUnwindDest());
  for (PHINode &P : Way->getUnwindDest()->phis())
    P.addIncoming(P.getIncomingValueForBlock(Way->getParent()), Block);
}

Handler::~Handler() {
  if (!Way)
    return;
  SmallVector<CallInst *> Throwing;
  for (Instruction &I : *Way->getParent())
    if (auto *C = dyn_cast<CallInst>(&I); C && !C->doesNotThrow())
      Throwing.push_back(C);
  for (CallInst *C : Throwing)
    catchFrom(*C);
  changeToCall(Way)->eraseFromParent();
}

} // namespace retro
