// Input: a request that is an invoke. Output: a plain call while the request is
// answered, and then calls that unwind to the request's handler. Without it an
// exception of the primal would pass the handler by.
#include "answer/catch_handler.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {

Handler::Handler(CallBase &Site) : Call(&Site) {
  auto *I = dyn_cast<InvokeInst>(&Site);
  if (!I)
    return;
  // The request gets a block of its own, for all that it becomes.
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
