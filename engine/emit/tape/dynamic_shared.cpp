// Places of dynamic shared memory, of which a launch gives the bytes: equal
// parts for the primal and each lane of its shadow. A launch that gives too
// little ends with a sentence; it would overwrite memory of the primal.
#include "emit/tape/dynamic_shared.h"

#include "facts/parallel/device.h"
#include "front/names/runtime.h"
#include "ir/end_program.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace retro {
namespace {

Value *bytesOfLaunch(IRBuilder<> &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  if (!M.getTargetTriple().isAMDGPU())
    return B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size,
                             ArrayRef<Value *>());
  Value *Implicit =
      B.CreateIntrinsic(Intrinsic::amdgcn_implicitarg_ptr, ArrayRef<Value *>());
  return B.CreateAlignedLoad(
      B.getInt32Ty(),
      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Implicit, HiddenBytes),
      Align(8));
}

} // namespace

Align partAlign(const GlobalVariable &G) {
  return std::max(Align(16), G.getAlign().valueOrOne());
}

void uniteDynamicShared(Module &M) {
  GlobalVariable *First = nullptr;
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    if (!isDynamicShared(G))
      continue;
    if (!First) {
      First = &G;
      continue;
    }
    First->setAlignment(
        std::max(First->getAlign().valueOrOne(), G.getAlign().valueOrOne()));
    G.replaceAllUsesWith(First);
    G.eraseFromParent();
  }
}

Value *dynamicSharedPart(IRBuilder<> &B, unsigned Parts, Align A) {
  Value *Each = B.CreateUDiv(bytesOfLaunch(B), B.getInt32(Parts));
  return B.CreateAnd(Each, B.getInt32(~(static_cast<uint32_t>(A.value()) - 1)));
}

void placeInPart(GlobalVariable &Shadow, GlobalVariable &Of, unsigned Number,
                 unsigned Parts) {
  convertUsersOfConstantsToInstructions({&Shadow});
  DenseMap<Function *, Value *> Places;
  for (Use &U : make_early_inc_range(Shadow.uses())) {
    Function *F = cast<Instruction>(U.getUser())->getFunction();
    Value *&Place = Places[F];
    if (!Place) {
      IRBuilder<> B(&*F->getEntryBlock().getFirstInsertionPt());
      Value *Offset = B.CreateMul(dynamicSharedPart(B, Parts, partAlign(Of)),
                                  B.getInt32(Number));
      Place = B.CreateGEP(B.getInt8Ty(), &Of, Offset, Shadow.getName());
    }
    U.set(Place);
  }
  Shadow.eraseFromParent();
}

void requireDynamicShared(IRBuilder<> &B, Value *Bytes, unsigned Parts,
                          Align A) {
  Module &M = *B.GetInsertBlock()->getModule();
  LLVMContext &C = M.getContext();
  std::string Name =
      nameOf(Named::require_shared, Twine(Parts) + "." + Twine(A.value()));
  Function *F = M.getFunction(Name);
  if (!F) {
    F = Function::Create(
        FunctionType::get(B.getVoidTy(), {B.getInt64Ty()}, false),
        GlobalValue::InternalLinkage, Name, M);
    IRBuilder<> In(BasicBlock::Create(C, "entry", F));
    BasicBlock *TooFew = BasicBlock::Create(C, "too.few", F);
    BasicBlock *Enough = BasicBlock::Create(C, "enough", F);
    Value *Each =
        In.CreateZExt(dynamicSharedPart(In, Parts, A), In.getInt64Ty());
    In.CreateCondBr(In.CreateICmpULT(Each, F->getArg(0)), TooFew, Enough);
    In.SetInsertPoint(TooFew);
    Value *Whole =
        In.CreateAnd(In.CreateAdd(F->getArg(0), In.getInt64(A.value() - 1)),
                     In.getInt64(~(A.value() - 1)));
    endProgram(In,
               "a launch gives too little shared memory for a shadow: with it "
               "a block needs ",
               In.CreateMul(Whole, In.getInt64(Parts)), " bytes");
    In.CreateUnreachable();
    In.SetInsertPoint(Enough);
    In.CreateRetVoid();
  }
  B.CreateCall(F, Bytes);
}

} // namespace retro
