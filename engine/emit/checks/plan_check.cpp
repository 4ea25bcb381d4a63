// Calls of the runtime that compare what a plan supposed with what happens:
// that a load gives again what it gave, and that no other thread adds to a
// shadow. Without them only a wrong gradient would tell.
#include "emit/checks/plan_check.h"

#include "front/names/runtime.h"

using namespace llvm;

namespace retro {
namespace {

/// The bits of a value as one integer.
Value *bitsOf(IRBuilder<> &B, Value *V) {
  Type *T = V->getType();
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  if (T->isPtrOrPtrVectorTy())
    V = B.CreatePtrToInt(V, DL.getIntPtrType(T));
  auto Bits = static_cast<unsigned>(DL.getTypeSizeInBits(V->getType()));
  return B.CreateBitCast(V, B.getIntNTy(Bits));
}

} // namespace

void checkReload(IRBuilder<> &B, const Instruction &Load, Value *Again,
                 Value *Given, const Reporter &R) {
  Value *Old = bitsOf(B, Given), *New = bitsOf(B, Again);
  Type *I64 = B.getInt64Ty();
  callRuntime(B, Rt::check_reload,
              {B.CreateGlobalString(R.placeText(Load)),
               B.CreateZExt(B.CreateICmpNE(Old, New), B.getInt32Ty()),
               B.CreateZExtOrTrunc(Old, I64), B.CreateZExtOrTrunc(New, I64)});
}

void checkExclusive(IRBuilder<> &B, const Instruction &Load, Value *Shadow,
                    bool Plain, const Reporter &R) {
  uint64_t Bytes = B.GetInsertBlock()
                       ->getDataLayout()
                       .getTypeStoreSize(Load.getType())
                       .getFixedValue();
  callRuntime(B, Rt::check_exclusive,
              {B.CreateGlobalString(R.placeText(Load)),
               B.CreateAddrSpaceCast(Shadow, B.getPtrTy()), B.getInt64(Bytes),
               B.getInt32(Plain)});
}

} // namespace retro
