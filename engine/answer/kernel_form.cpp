// Brings kernels with derivatives to a form that the devices' assemblers take,
// and in which they are fast. Without it ptxas would spill what a derivative
// keeps in registers, or refuse a function whose result is empty.
#include "answer/kernel_form.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {

void giveAllRegisters(Function &Kernel) {
  constexpr const char *Blocks = "nvvm.minctasm";
  if (Kernel.getCallingConv() == CallingConv::PTX_Kernel &&
      !Kernel.hasFnAttribute(Blocks) && !Kernel.hasFnAttribute("nvvm.maxnreg"))
    Kernel.addFnAttr(Blocks, "1");
}

/// Is every use of F a call of it that returns an empty struct?
static bool returnsEmptyStruct(const Function &F) {
  auto *T = dyn_cast<StructType>(F.getReturnType());
  return T && T->getNumElements() == 0 && !F.isDeclaration() &&
         F.hasLocalLinkage() && all_of(F.uses(), [&](const Use &U) {
           auto *C = dyn_cast<CallInst>(U.getUser());
           return C && C->isCallee(&U) && !C->isMustTailCall() &&
                  C->getFunctionType() == F.getFunctionType();
         });
}

static void replaceCall(CallInst &Old, Function &New) {
  SmallVector<Value *> Args(Old.args());
  SmallVector<OperandBundleDef, 1> Bundles;
  Old.getOperandBundlesAsDefs(Bundles);
  CallInst *C = CallInst::Create(&New, Args, Bundles, "", Old.getIterator());
  C->setAttributes(Old.getAttributes());
  C->setCallingConv(Old.getCallingConv());
  C->setTailCallKind(Old.getTailCallKind());
  C->copyMetadata(Old);
  Old.replaceAllUsesWith(PoisonValue::get(Old.getType()));
  Old.eraseFromParent();
}

void dropEmptyResults(Module &M) {
  LLVMContext &C = M.getContext();
  for (Function &F : make_early_inc_range(M)) {
    if (!returnsEmptyStruct(F))
      continue;
    FunctionType *T = FunctionType::get(Type::getVoidTy(C),
                                        F.getFunctionType()->params(), false);
    Function *New = Function::Create(T, F.getLinkage(), F.getAddressSpace());
    M.getFunctionList().insert(F.getIterator(), New);
    New->copyAttributesFrom(&F);
    New->copyMetadata(&F, 0);
    New->takeName(&F);
    F.clearMetadata();
    New->splice(New->begin(), &F);
    for (auto [Old, A] : zip_equal(F.args(), New->args())) {
      A.takeName(&Old);
      Old.replaceAllUsesWith(&A);
    }
    for (BasicBlock &B : *New)
      if (auto *R = dyn_cast<ReturnInst>(B.getTerminator())) {
        ReturnInst::Create(C, nullptr, R->getIterator())
            ->setDebugLoc(R->getDebugLoc());
        R->eraseFromParent();
      }
    for (User *U : make_early_inc_range(F.users()))
      replaceCall(*cast<CallInst>(U), *New);
    F.eraseFromParent();
  }
}

} // namespace retro
