// Emits barriers, atomic additions and zeroed shared memory in the form that
// NVIDIA's and AMD's devices have for them. A barrier in the wrong form would
// let a thread read a sum that another one has not added yet.
#include "ir/device_code.h"

#include "base/toggles.h"
#include "facts/parallel/device.h"
#include "front/names/runtime.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace retro {
namespace {

/// On amdgcn, the barrier itself only orders threads; the fences around it
/// order memory.
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

/// The number of a thread in its block, and how many threads the block has.
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
      // The size of the block, where code objects since version 5 have it.
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

/// Makes void clear(ptr addrspace(3) memory, i32 words).
Function *clearFunction(Module &M) {
  constexpr StringLiteral Name = nameOf(Named::clear_in_block);
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

} // namespace

void emitBlockBarrier(IRBuilder<> &B, CallBase &Like) {
  emitBarrier(B, *Like.getModule());
}

void emitBlockBarrier(IRBuilder<> &B, Module &M) { emitBarrier(B, M); }

/// On amdgcn, says of the addition what clang says of the source's atomicAdd:
/// it is between threads of one device, in its own memory, and subnormal
/// numbers may become 0.
void fitAtomic(AtomicRMWInst &Add) {
  LLVMContext &C = Add.getContext();
  if (!Add.getModule()->getTargetTriple().isAMDGPU() ||
      !isOn(Toggle::fast_atomics))
    return;
  Add.setSyncScopeID(C.getOrInsertSyncScopeID("agent"));
  for (const char *Promise :
       {"amdgpu.no.fine.grained.memory", "amdgpu.no.remote.memory",
        "amdgpu.ignore.denormal.mode"})
    Add.setMetadata(Promise, MDNode::get(C, {}));
  ++counters().fast_atomics;
}

void clearInBlock(IRBuilder<> &B, GlobalVariable &G, Value *Bytes) {
  B.CreateCall(clearFunction(*G.getParent()), {&G, B.CreateLShr(Bytes, 1)});
}

} // namespace retro
