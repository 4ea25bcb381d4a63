#include "emit/threads/gpu.h"

#include "front/known/known_functions.h"
#include "base/toggles.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace retro {
namespace {

/// Address spaces, the same numbers for both vendors.
enum : unsigned { SharedSpace = 3, ConstantSpace = 4, PrivateSpace = 5 };

/// On amdgcn the barrier orders threads, and fences order memory.
void emitBarrier(IRBuilder<> &B, Module &M) {
  if (!M.getTargetTriple().isAMDGPU()) {
    B.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                      ArrayRef<Value *>(B.getInt32(0)));
    return;
  }
  SyncScope::ID Group = M.getContext().getOrInsertSyncScopeID("workgroup");
  B.CreateFence(AtomicOrdering::Release, Group);
  B.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, ArrayRef<Value *>());
  B.CreateFence(AtomicOrdering::Acquire, Group);
}

/// A thread's number in its block, and how many there are.
std::pair<Value *, Value *> emitThreadNumber(IRBuilder<> &B, Module &M) {
  Value *Index[3], *Size[3];
  if (M.getTargetTriple().isAMDGPU()) {
    const Intrinsic::ID Ids[3] = {Intrinsic::amdgcn_workitem_id_x,
                                  Intrinsic::amdgcn_workitem_id_y,
                                  Intrinsic::amdgcn_workitem_id_z};
    Value *Implicit = B.CreateIntrinsic(Intrinsic::amdgcn_implicitarg_ptr,
                                        ArrayRef<Value *>());
    for (unsigned D = 0; D < 3; ++D) {
      Index[D] = B.CreateIntrinsic(Ids[D], ArrayRef<Value *>());
      // The size of the block, as code objects since version 5 pass it.
      Value *At =
          B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Implicit, 12 + 2 * D);
      Size[D] = B.CreateZExt(B.CreateAlignedLoad(B.getInt16Ty(), At, Align(2)),
                             B.getInt32Ty());
    }
  } else {
    const Intrinsic::ID Ids[3] = {Intrinsic::nvvm_read_ptx_sreg_tid_x,
                                  Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                  Intrinsic::nvvm_read_ptx_sreg_tid_z};
    const Intrinsic::ID Sizes[3] = {Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                                    Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                                    Intrinsic::nvvm_read_ptx_sreg_ntid_z};
    for (unsigned D = 0; D < 3; ++D) {
      Index[D] = B.CreateIntrinsic(Ids[D], ArrayRef<Value *>());
      Size[D] = B.CreateIntrinsic(Sizes[D], ArrayRef<Value *>());
    }
  }
  Value *Number = B.CreateAdd(B.CreateMul(Index[2], Size[1]), Index[1]);
  Number = B.CreateAdd(B.CreateMul(Number, Size[0]), Index[0]);
  return {Number, B.CreateMul(B.CreateMul(Size[0], Size[1]), Size[2])};
}

/// void clear(ptr addrspace(3) memory, i32 words)
Function *clearFunction(Module &M) {
  constexpr const char *Name = "__retro_clear_in_block";
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  IRBuilder<> B(C);
  Function *F = Function::Create(
      FunctionType::get(B.getVoidTy(),
                        {PointerType::get(C, SharedSpace), B.getInt32Ty()},
                        false),
      GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::Convergent);
  F->addFnAttr(Attribute::NoUnwind);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F);
  BasicBlock *Loop = BasicBlock::Create(C, "word", F);
  BasicBlock *Next = BasicBlock::Create(C, "next", F);
  BasicBlock *Done = BasicBlock::Create(C, "done", F);
  B.SetInsertPoint(Entry);
  emitBarrier(B, M);
  auto [First, Step] = emitThreadNumber(B, M);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *I = B.CreatePHI(B.getInt32Ty(), 2);
  I->addIncoming(First, Entry);
  B.CreateCondBr(B.CreateICmpULT(I, F->getArg(1)), Next, Done);
  B.SetInsertPoint(Next);
  B.CreateAlignedStore(B.getInt16(0),
                       B.CreateGEP(B.getInt16Ty(), F->getArg(0), I), Align(2));
  I->addIncoming(B.CreateAdd(I, Step), Next);
  B.CreateBr(Loop);
  B.SetInsertPoint(Done);
  emitBarrier(B, M);
  B.CreateRetVoid();
  return F;
}

/// What is done by Old, a cast of a generic address, is done by that address:
/// the variable may come to lie in memory that the cast could not point to.
void useGeneric(Instruction &Old, Value &Generic) {
  for (Use &U : make_early_inc_range(Old.uses())) {
    auto *I = cast<Instruction>(U.getUser());
    if (auto *G = dyn_cast<GetElementPtrInst>(I)) {
      auto *New = cast<GetElementPtrInst>(G->clone());
      New->setOperand(0, &Generic);
      New->mutateType(Generic.getType());
      New->insertBefore(G->getIterator());
      New->takeName(G);
      useGeneric(*G, *New);
    } else if (isa<LoadInst>(I) ||
               (isa<StoreInst>(I) &&
                U.getOperandNo() == StoreInst::getPointerOperandIndex())) {
      U.set(&Generic);
    } else if (isa<AddrSpaceCastInst>(I) && I->getType() == Generic.getType()) {
      I->replaceAllUsesWith(&Generic);
      I->eraseFromParent();
    } else if (auto *M = dyn_cast<MemIntrinsic>(I)) {
      // Its name tells the address spaces.
      U.set(&Generic);
      SmallVector<Type *, 3> Types{M->getRawDest()->getType()};
      if (auto *T = dyn_cast<MemTransferInst>(M))
        Types.push_back(T->getRawSource()->getType());
      Types.push_back(M->getLength()->getType());
      M->setCalledFunction(Intrinsic::getOrInsertDeclaration(
          M->getModule(), M->getIntrinsicID(), Types));
    }
  }
  if (Old.use_empty())
    Old.eraseFromParent();
}

void move(Function &F, unsigned From, unsigned To) {
  SmallVector<AllocaInst *> Locals;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *A = dyn_cast<AllocaInst>(&I); A && A->getAddressSpace() == From)
      Locals.push_back(A);
    else if (isa<LifetimeIntrinsic>(&I))
      I.eraseFromParent(); // it takes the variable itself, not a cast of it
  }
  for (AllocaInst *A : Locals) {
    auto *New = new AllocaInst(A->getAllocatedType(), To, A->getArraySize(),
                               A->getAlign(), A->getName(), A->getIterator());
    IRBuilder<> B(A);
    auto *Cast = cast<Instruction>(B.CreateAddrSpaceCast(New, A->getType()));
    A->replaceAllUsesWith(Cast);
    A->eraseFromParent();
    if (To == 0)
      useGeneric(*Cast, *New);
  }
}

} // namespace

void emitBlockBarrier(IRBuilder<> &B, CallBase &Like) {
  emitBarrier(B, *Like.getModule());
}

void emitBlockBarrier(IRBuilder<> &B, Module &M) { emitBarrier(B, M); }

bool isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel ||
         F.getCallingConv() == CallingConv::AMDGPU_KERNEL;
}

void giveAllRegisters(Function &Kernel) {
  constexpr const char *Blocks = "nvvm.minctasm";
  if (Kernel.getCallingConv() == CallingConv::PTX_Kernel &&
      !Kernel.hasFnAttribute(Blocks) && !Kernel.hasFnAttribute("nvvm.maxnreg"))
    Kernel.addFnAttr(Blocks, "1");
}

bool isConstantSpace(unsigned AddressSpace) {
  return AddressSpace == ConstantSpace;
}

bool isLaunchSize(Intrinsic::ID Id) {
  switch (Id) {
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
  case Intrinsic::amdgcn_implicitarg_ptr:
  case Intrinsic::amdgcn_dispatch_ptr:
    return true;
  default:
    return false;
  }
}

/// On amdgcn: of threads of one device, in memory of its own, as clang has them
/// for the source's atomicAdd; and numbers too small to be normal may be 0.
void fitAtomic(AtomicRMWInst &Add) {
  LLVMContext &C = Add.getContext();
  if (!Add.getModule()->getTargetTriple().isAMDGPU() ||
      !Toggles::get().fast_atomics)
    return;
  Add.setSyncScopeID(C.getOrInsertSyncScopeID("agent"));
  for (const char *Promise :
       {"amdgpu.no.fine.grained.memory", "amdgpu.no.remote.memory",
        "amdgpu.ignore.denormal.mode"})
    Add.setMetadata(Promise, MDNode::get(C, {}));
  ++counters().fast_atomics;
}

bool isOfBlock(const GlobalVariable &G) {
  return G.getAddressSpace() == SharedSpace && isGpu(*G.getParent());
}

void clearInBlock(IRBuilder<> &B, GlobalVariable &G, Value *Bytes) {
  B.CreateCall(clearFunction(*G.getParent()), {&G, B.CreateLShr(Bytes, 1)});
}

LocalsAside::LocalsAside(Module &M) : M(M) {
  if (!M.getTargetTriple().isAMDGPU())
    return;
  Layout = M.getDataLayoutStr();
  constexpr StringLiteral Locals = "-A5";
  if (size_t At = Layout.find(Locals); At != std::string::npos)
    M.setDataLayout(Layout.substr(0, At) + Layout.substr(At + Locals.size()));
}

LocalsAside::~LocalsAside() {
  if (Layout.empty())
    return;
  M.setDataLayout(Layout);
  for (Function &F : M)
    putLocalsBack(F);
}

void setLocalsAside(Function &F) {
  if (F.getParent()->getTargetTriple().isAMDGPU())
    move(F, PrivateSpace, 0);
}

void putLocalsBack(Function &F) {
  if (F.getParent()->getTargetTriple().isAMDGPU())
    move(F, 0, PrivateSpace);
}

//===----------------------------------------------------------------------===//

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
