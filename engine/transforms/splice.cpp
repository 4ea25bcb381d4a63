#include "transforms/splice.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {

void dropRequest(CallBase &Call) {
  if (auto *I = dyn_cast<InvokeInst>(&Call))
    changeToCall(I)->replaceAllUsesWith(PoisonValue::get(I->getType()));
  else {
    Call.replaceAllUsesWith(PoisonValue::get(Call.getType()));
    Call.eraseFromParent();
  }
}

void spliceRequest(const Request &Req, Function &Derivative, Reporter &R) {
  CallBase *Call = Req.Call;
  if (auto *I = dyn_cast<InvokeInst>(Call))
    Call = changeToCall(I);
  IRBuilder<> B(Call);
  SmallVector<Value *> Args;
  for (const BoundArgument &A : Req.Args)
    Args.push_back(A.Primal);
  for (const BoundArgument &A : Req.Args)
    if (A.Shadow)
      Args.push_back(A.Shadow);
  CallInst *New = B.CreateCall(&Derivative, Args);
  auto *ResultTy = cast<StructType>(Derivative.getReturnType());
  const DataLayout &DL = Derivative.getDataLayout();
  Type *Want = Call->getType();
  // The results as the C struct {a, b, …}, of which the caller's type is the
  // image that the ABI passes.
  if (Req.Sret) {
    for (unsigned I = 0; I < ResultTy->getNumElements(); ++I)
      B.CreateStore(B.CreateExtractValue(New, I),
                    B.CreateStructGEP(ResultTy, Req.Sret, I));
  } else if (!Want->isVoidTy()) {
    Value *V = nullptr;
    unsigned N = ResultTy->getNumElements();
    if (N == 1 && ResultTy->getElementType(0) == Want) {
      V = B.CreateExtractValue(New, 0);
    } else if (N == 1 && Want->isFloatingPointTy() &&
               ResultTy->getElementType(0)->isFloatingPointTy()) {
      V = B.CreateFPCast(B.CreateExtractValue(New, 0), Want);
    } else if (static_cast<Type *>(ResultTy) == Want) {
      V = New;
    } else if (N == 0) {
      V = Constant::getNullValue(Want);
    } else if (DL.getTypeAllocSize(Want) >= DL.getTypeStoreSize(ResultTy) ||
               DL.getTypeAllocSize(Want) == DL.getTypeAllocSize(ResultTy)) {
      IRBuilder<> EB(&*Call->getFunction()->getEntryBlock().begin());
      bool Bigger = DL.getTypeAllocSize(Want) > DL.getTypeAllocSize(ResultTy);
      AllocaInst *Slot =
          EB.CreateAlloca(Bigger ? Want : static_cast<Type *>(ResultTy));
      Slot->setAlignment(
          std::max(DL.getPrefTypeAlign(Want), DL.getPrefTypeAlign(ResultTy)));
      for (unsigned I = 0; I < N; ++I)
        B.CreateStore(B.CreateExtractValue(New, I),
                      B.CreateStructGEP(ResultTy, Slot, I));
      V = B.CreateLoad(Want, Slot);
    } else {
      R.error(Diag::BadReturn, Call,
              {Req.Target->getName().str(),
               "there are " + std::to_string(N) + " derivatives to return"});
      V = PoisonValue::get(Want);
    }
    Call->replaceAllUsesWith(V);
  }
  Call->eraseFromParent();
}

} // namespace retro
