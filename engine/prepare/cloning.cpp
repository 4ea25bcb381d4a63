// Input: a function of the program. Output: its clone for the unit, with what a
// derivative has no form for lowered: computed gotos, parameters by value,
// exceptions, tail calls. Without it the program's own function would be
// changed. Members of Preparer (preparer.h).
#include "prepare/preparer.h"

#include "front/known/exceptions.h"
#include "front/known/stand_in_links.h"
#include "prepare/exceptions/exceptions.h"
#include "prepare/threads/locals_aside.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace retro {

/// A derivative goes on behind a call that was the last of the primal's, as
/// where one coroutine transfers to another. What passes '...' on has to stay.
static void dropTailCalls(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallInst>(&I); C && C->isMustTailCall())
      if (!F.isVarArg())
        C->setTailCallKind(CallInst::TCK_None);
}

Function *Preparer::cloneOf(Function &Source) {
  ValueToValueMapTy VM;
  Function *C = CloneFunction(&Source, VM);
  C->setName(Source.getName() + ".primal");
  Function *Region = U.Hoisted.lookup(&Source);
  R.setSource(*C, Region ? *Region : Source);
  C->setLinkage(GlobalValue::InternalLinkage);
  C->setComdat(nullptr);
  C->setVisibility(GlobalValue::DefaultVisibility);
  C->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  for (auto A : {Attribute::OptimizeNone, Attribute::NoInline,
                 Attribute::AlwaysInline, Attribute::OptimizeForSize,
                 Attribute::MinSize, Attribute::NoReturn, Attribute::Memory})
    C->removeFnAttr(A);
  C->removeFnAttr(RegisteredAttribute);
  lowerIndirectBranches(*C, Source, VM);
  handlersOf(*C);
  lowerByValue(*C);
  setLocalsAside(*C);
  dropTailCalls(*C);
  return C;
}

/// Leaves P one of its values for From, from which several edges came.
static void keepOneFrom(PHINode &P, const BasicBlock &From) {
  bool IsKept = false;
  for (unsigned N = P.getNumIncomingValues(); N-- > 0;) {
    if (P.getIncomingBlock(N) != &From)
      continue;
    if (IsKept)
      P.removeIncomingValue(N, false);
    IsKept = true;
  }
}

/// Turns a computed goto into a chain of comparisons of its address with the
/// labels that the user's function has in its tables.
void Preparer::lowerIndirectBranches(Function &F, Function &Source,
                                     const ValueToValueMapTy &VM) {
  DenseMap<BasicBlock *, BasicBlock *> SourceOf;
  for (BasicBlock &B : Source)
    SourceOf[cast<BasicBlock>(VM.lookup(&B))] = &B;
  for (auto [Clone, Original] : SourceOf)
    if (Clone->hasAddressTaken())
      BlockAddress::get(Clone)->replaceAllUsesWith(BlockAddress::get(Original));
  SmallVector<IndirectBrInst *> Branches;
  for (BasicBlock &B : F)
    if (auto *I = dyn_cast<IndirectBrInst>(B.getTerminator()))
      Branches.push_back(I);
  // The labels of a deleted function would all have the same address.
  if (!Branches.empty())
    appendToCompilerUsed(*F.getParent(), &Source);
  for (IndirectBrInst *I : Branches) {
    BasicBlock *From = I->getParent();
    SmallVector<BasicBlock *> Dests;
    for (unsigned D = 0; D < I->getNumDestinations(); ++D)
      if (!is_contained(Dests, I->getDestination(D)))
        Dests.push_back(I->getDestination(D));
    Value *Addr = I->getAddress();
    DebugLoc Loc = I->getDebugLoc();
    // Each destination had one edge from From. It keeps one edge, from a block
    // of the chain.
    BasicBlock *Chain = From;
    I->eraseFromParent();
    for (size_t D = 0; D < Dests.size(); ++D) {
      for (PHINode &P : Dests[D]->phis())
        keepOneFrom(P, *From);
      Dests[D]->replacePhiUsesWith(From, Chain);
      IRBuilder<> B(Chain);
      B.SetCurrentDebugLocation(Loc);
      if (D + 1 == Dests.size()) {
        B.CreateBr(Dests[D]);
        break;
      }
      BasicBlock *Next =
          BasicBlock::Create(F.getContext(), "label", &F, Chain->getNextNode());
      Value *Label = BlockAddress::get(SourceOf[Dests[D]]);
      B.CreateCondBr(B.CreateICmpEQ(Addr, Label), Dests[D], Next);
      Chain = Next;
    }
  }
}

/// Turns a parameter passed by value into a local variable of the clone, so
/// that callers pass the address of the original.
void Preparer::lowerByValue(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  for (Argument &A : F.args()) {
    if (A.hasByValAttr()) {
      Type *Ty = A.getParamByValType();
      AllocaInst *Copy = B.CreateAlloca(Ty, nullptr, A.getName() + ".value");
      Align Al = A.getParamAlign().value_or(DL.getPrefTypeAlign(Ty));
      Copy->setAlignment(Al);
      A.replaceAllUsesWith(Copy);
      B.CreateMemCpy(Copy, Al, &A, Al, DL.getTypeAllocSize(Ty).getFixedValue());
    }
    for (auto K : {Attribute::ByVal, Attribute::StructRet, Attribute::InReg,
                   Attribute::Nest, Attribute::Returned})
      A.removeAttr(K);
  }
}

/// Turns exceptions into control flow.
void Preparer::handlersOf(Function &F) {
  if (keepsHandlers(F) && goesOnInHandlers(F))
    U.CatchesExceptions = true;
  lowerExceptions(F);
}

} // namespace retro
