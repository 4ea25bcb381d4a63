// Puts a call before every access, which checks that it is inside an object and
// not in a race. Without the calls a wrong address or a race would go unnoticed
// on the CPU, where threads run one after the other. Members of Emulation
// (emulate.h).
#include "../abi.h"
#include "emulate.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace retro::gpu;

void Emulation::checkAccesses() {
  struct AccessOf {
    Instruction *I;
    Value *Address;
    Value *Bytes;
    unsigned Access;
  };
  SmallVector<AccessOf> All;
  const DataLayout &DL = M.getDataLayout();
  Type *Length = Type::getInt64Ty(C);
  auto bytesOf = [&](Type *T) {
    return ConstantInt::get(Length, DL.getTypeStoreSize(T));
  };
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      if (auto *L = dyn_cast<LoadInst>(&I)) {
        if (L != Contexts.lookup(&F))
          All.push_back({&I, L->getPointerOperand(), bytesOf(L->getType()),
                         L->isAtomic() ? Read | Atomic : Read});
      } else if (auto *S = dyn_cast<StoreInst>(&I)) {
        All.push_back({&I, S->getPointerOperand(),
                       bytesOf(S->getValueOperand()->getType()),
                       S->isAtomic() ? Write | Atomic : Write});
      } else if (auto *A = dyn_cast<AtomicRMWInst>(&I)) {
        All.push_back({&I, A->getPointerOperand(), bytesOf(A->getType()),
                       Read | Write | Atomic});
      } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
        All.push_back({&I, X->getPointerOperand(),
                       bytesOf(X->getNewValOperand()->getType()),
                       Read | Write | Atomic | Swap});
      } else if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I)) {
        All.push_back({&I, Copy->getRawDest(), Copy->getLength(), Write});
        if (auto *T = dyn_cast<AnyMemTransferInst>(Copy))
          All.push_back({&I, T->getRawSource(), T->getLength(), Read});
      }
    }
  for (const AccessOf &A : All)
    checkAccess(*A.I, A.Address, A.Bytes, A.Access);
}

/// Checks an access against the bounds of its object, if that is known. Else
/// the library looks the address up.
void Emulation::checkAccess(Instruction &I, Value *Address, Value *Bytes,
                            unsigned Access) {
  const DataLayout &DL = M.getDataLayout();
  Value *Object = getUnderlyingObject(Address, 0);
  if (Object == Contexts.lookup(I.getFunction()))
    return;
  std::optional<uint64_t> Size;
  if (auto *A = dyn_cast<AllocaInst>(Object)) {
    if (std::optional<TypeSize> S = A->getAllocationSize(DL))
      Size = S->getFixedValue();
  } else if (auto *G = dyn_cast<GlobalVariable>(Object)) {
    if (!G->isDeclaration())
      Size = DL.getTypeAllocSize(G->getValueType());
  }
  APInt Offset(DL.getIndexTypeSizeInBits(Address->getType()), 0);
  auto *Fixed = dyn_cast<ConstantInt>(Bytes);
  if (Size && Fixed && isa<AllocaInst>(Object) &&
      Address->stripAndAccumulateConstantOffsets(DL, Offset, true) == Object &&
      Offset.sge(0) && Offset.getZExtValue() + Fixed->getZExtValue() <= *Size)
    return;
  IRBuilder<> B(&I);
  Value *From = B.CreateAddrSpaceCast(Address, B.getPtrTy());
  Value *Length = B.CreateZExtOrTrunc(Bytes, B.getInt64Ty());
  if (Size) {
    FunctionCallee Check = M.getOrInsertFunction(
        "retro_gpu_access_object", B.getVoidTy(), B.getPtrTy(), B.getInt64Ty(),
        B.getPtrTy(), B.getPtrTy(), B.getInt64Ty(), B.getPtrTy());
    Value *Base = B.CreateAddrSpaceCast(Object, B.getPtrTy());
    B.CreateCall(Check, {From, Length, site(I, Access), Base, B.getInt64(*Size),
                         text(Object->getName())});
    // No other thread writes it.
    auto *G = dyn_cast<GlobalVariable>(Object);
    if (!G || G->isConstant())
      return;
  }
  FunctionCallee Check =
      M.getOrInsertFunction("retro_gpu_access", B.getVoidTy(), B.getPtrTy(),
                            B.getInt64Ty(), B.getPtrTy());
  B.CreateCall(Check, {From, Length, site(I, Access)});
}
