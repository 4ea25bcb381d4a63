// Makes functions of kernels that the library can call, and the module's table.
// Without the table the library would not find a kernel by the name that a
// launch gives. Members of Emulation (emulate.h).
#include "../abi.h"
#include "emulate.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace retro::gpu;

/// Can a thread that runs F wait for others? Unknown callees may.
bool Emulation::waits(Function &F, SmallPtrSetImpl<Function *> &Seen) {
  if (!Seen.insert(&F).second)
    return false;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      Function *Callee = Call->getCalledFunction();
      if (!Callee || Waiting.contains(Callee) ||
          (!Callee->isDeclaration() && waits(*Callee, Seen)))
        return true;
    }
  return false;
}

/// Makes void thunk(void **Arguments), which calls the kernel with what the
/// addresses in the launch's array point to.
Function *Emulation::thunk(Function &Kernel) {
  IRBuilder<> B(C);
  Function *T = Function::Create(
      FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false),
      GlobalValue::InternalLinkage, Kernel.getName() + ".thunk", M);
  B.SetInsertPoint(BasicBlock::Create(C, "", T));
  SmallVector<Value *> Args;
  for (Argument &A : Kernel.args()) {
    Value *From = B.CreateLoad(
        B.getPtrTy(),
        B.CreateConstInBoundsGEP1_64(B.getPtrTy(), T->getArg(0), A.getArgNo()));
    if (Type *ByCopy = A.getParamByValType() ? A.getParamByValType()
                                             : A.getParamByRefType()) {
      AllocaInst *Copy = B.CreateAlloca(ByCopy);
      Copy->setAlignment(A.getParamAlign().value_or(Align(16)));
      B.CreateMemCpy(Copy, Copy->getAlign(), From, Align(1),
                     M.getDataLayout().getTypeAllocSize(ByCopy));
      Args.push_back(B.CreateAddrSpaceCast(Copy, A.getType()));
    } else if (A.getType()->isPointerTy()) {
      Args.push_back(
          B.CreateAddrSpaceCast(B.CreateLoad(B.getPtrTy(), From), A.getType()));
    } else if (A.getType()->isIntegerTy(1)) {
      Args.push_back(
          B.CreateTrunc(B.CreateLoad(B.getInt8Ty(), From), A.getType()));
    } else {
      Args.push_back(B.CreateAlignedLoad(A.getType(), From, Align(1)));
    }
    for (Attribute::AttrKind K : {Attribute::ByVal, Attribute::ByRef})
      A.removeAttr(K);
  }
  B.CreateCall(&Kernel, Args)->setCallingConv(Kernel.getCallingConv());
  B.CreateRetVoid();
  return T;
}

/// Makes definitions internal, as they are in code objects of a GPU: two
/// translation units may define the same name.
void Emulation::adoptKernels() {
  for (GlobalVariable &G : M.globals()) {
    G.setVisibility(GlobalValue::DefaultVisibility);
    if (G.isDeclaration()) {
      G.setDSOLocal(false);
    } else {
      if (G.isExternallyInitialized())
        G.setConstant(false);
      G.setComdat(nullptr);
      if (!G.hasAppendingLinkage() && !G.hasPrivateLinkage())
        G.setLinkage(GlobalValue::InternalLinkage);
    }
  }
  for (Function &F : M) {
    if (F.isIntrinsic())
      continue;
    F.setComdat(nullptr);
    F.setVisibility(GlobalValue::DefaultVisibility);
    if (F.isDeclaration())
      F.setDSOLocal(false);
    else
      F.setLinkage(GlobalValue::InternalLinkage);
    CallingConv::ID CC = F.getCallingConv();
    bool IsPlain = CC == CallingConv::C || CC == CallingConv::Fast;
    if (!IsPlain)
      F.setCallingConv(CallingConv::C);
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Call->getCalledOperand() == &F)
        Call->setCallingConv(F.getCallingConv());
  }
}

void Emulation::registerModule() {
  IntegerType *Word = Type::getInt32Ty(C);
  PointerType *Pointer = PointerType::getUnqual(C);
  IntegerType *Long = Type::getInt64Ty(C);
  SmallVector<Constant *> Entries, Rows;
  for (Function *K : Kernels) {
    if (K->isDeclaration())
      continue;
    SmallPtrSet<Function *, 16> Seen;
    bool Waits = waits(*K, Seen);
    Entries.push_back(ConstantStruct::getAnon(
        {text(K->getName()), thunk(*K), ConstantInt::get(Word, SharedBytes),
         ConstantInt::get(Word, Waits)}));
  }
  for (GlobalVariable *G : Variables)
    Rows.push_back(ConstantStruct::getAnon(
        {text(G->getName()),
         ConstantExpr::getPointerBitCastOrAddrSpaceCast(G, Pointer),
         ConstantInt::get(
             Long, M.getDataLayout().getTypeAllocSize(G->getValueType()))}));
  auto table = [&](ArrayRef<Constant *> Rows) -> Constant * {
    if (Rows.empty())
      return ConstantPointerNull::get(Pointer);
    auto *T = ArrayType::get(Rows[0]->getType(), Rows.size());
    return new GlobalVariable(M, T, true, GlobalValue::PrivateLinkage,
                              ConstantArray::get(T, Rows));
  };
  Constant *Row = ConstantStruct::getAnon(
      {ConstantInt::get(Word, IsAMD ? 64 : 32),
       ConstantInt::get(Word, Entries.size()), table(Entries),
       ConstantInt::get(Long, Rows.size()), table(Rows)});
  auto *Module = new GlobalVariable(M, Row->getType(), true,
                                    GlobalValue::PrivateLinkage, Row);
  IRBuilder<> B(C);
  Function *Register = Function::Create(FunctionType::get(B.getVoidTy(), false),
                                        GlobalValue::InternalLinkage,
                                        "retro_gpu_register_module", M);
  B.SetInsertPoint(BasicBlock::Create(C, "", Register));
  B.CreateCall(
      M.getOrInsertFunction("retro_gpu_register", B.getVoidTy(), B.getPtrTy()),
      Module);
  B.CreateRetVoid();
  appendToGlobalCtors(M, Register, 0);
}
