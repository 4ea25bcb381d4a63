// Input: atomic operations that prepare/threads has marked. Output: which are
// maxima or minima of numbers, and who shares their places. The adjoint of an
// operation that is taken for one of these would go to the wrong thread.
#include "facts/parallel/atomic_choices.h"

#include "facts/parallel/device.h"
#include "front/known/known_functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

bool isChoice(AtomicRMWInst::BinOp Op) {
  return is_contained({AtomicRMWInst::Max, AtomicRMWInst::Min,
                       AtomicRMWInst::UMax, AtomicRMWInst::UMin,
                       AtomicRMWInst::FMax, AtomicRMWInst::FMin},
                      Op);
}

} // namespace

bool isMarkedNumber(const Instruction &I) { return I.hasMetadata(NumberMark); }

Type *operandType(const AtomicRMWInst &A) {
  LLVMContext &C = A.getContext();
  Type *T = A.getType();
  if (!isMarkedNumber(A) || !T->isIntegerTy())
    return T;
  switch (T->getIntegerBitWidth()) {
  case 64:
    return Type::getDoubleTy(C);
  case 32:
    return Type::getFloatTy(C);
  default:
    return T;
  }
}

bool isCommutingChoice(const AtomicRMWInst &A) {
  return isMarkedNumber(A) && isChoice(A.getOperation()) && A.use_empty() &&
         isGpu(*A.getModule());
}

bool isPlaceOfBlock(const Value &Place) {
  auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(&Place));
  return G && isOfBlock(*G);
}

/// Is all that F does with the address to access what is there?
static bool staysKnown(const Value &Address, const Function &F) {
  return all_of(Address.uses(), [&](const Use &X) {
    const User *V = X.getUser();
    auto *I = dyn_cast<Instruction>(V);
    if (I && I->getFunction() != &F)
      return true;
    if (isa<ConstantExpr, GetElementPtrInst, AddrSpaceCastInst>(V))
      return staysKnown(*V, F);
    if (isa<LoadInst>(V))
      return true;
    if (auto *S = dyn_cast<StoreInst>(V))
      return X.getOperandNo() == S->getPointerOperandIndex();
    return isa<AtomicRMWInst, AtomicCmpXchgInst>(V) && X.getOperandNo() == 0;
  });
}

bool isApartInBlock(const AtomicRMWInst &A, const Value &Other) {
  auto *G =
      dyn_cast<GlobalVariable>(getUnderlyingObject(A.getPointerOperand()));
  if (!G || !isOfBlock(*G) || !G->hasLocalLinkage() ||
      !staysKnown(*G, *A.getFunction()))
    return false;
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(&Other, Objects);
  return all_of(Objects, [&](const Value *O) {
    return O != G && isa<Argument, GlobalVariable, LoadInst, AllocaInst>(O);
  });
}

} // namespace retro
