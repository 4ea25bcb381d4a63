// Clang passes a small struct as its one or two words, and nothing joins them
// but the variable that a function stores them to first. A request that took
// the words for parameters of their own would take the second word for the
// shadow of the first.
#include "front/requests/registers.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

/// The attribute of functions whose halves of structs have been noted, and of
/// each parameter that is a second half.
constexpr const char *Noted = "retro-registers";
constexpr const char *SecondHalf = "retro-second-half";
/// The attribute of a parameter that is an integer some of whose bits are a
/// number.
constexpr const char *Packed = "retro-packed-number";

/// The variable that a parameter is stored to, or null.
const AllocaInst *variableOf(const Argument &A) {
  auto *S = A.hasOneUse() ? dyn_cast<StoreInst>(*A.user_begin()) : nullptr;
  if (!S || S->getValueOperand() != &A)
    return nullptr;
  return dyn_cast<AllocaInst>(
      S->getPointerOperand()->stripInBoundsConstantOffsets());
}

bool isSecondHalf(const Function &F, unsigned I) {
  const AllocaInst *V = I ? variableOf(*F.getArg(I)) : nullptr;
  return V && isa<StructType>(V->getAllocatedType()) &&
         V == variableOf(*F.getArg(I - 1));
}

/// Has a type a number between these bytes?
bool hasNumber(Type *T, uint64_t From, uint64_t To, const DataLayout &DL) {
  if (T->isFPOrFPVectorTy())
    return To > 0 && From < DL.getTypeStoreSize(T);
  auto Within = [&](Type *Part, uint64_t At) {
    return To > At && hasNumber(Part, From > At ? From - At : 0, To - At, DL);
  };
  if (auto *S = dyn_cast<StructType>(T)) {
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      if (Within(S->getElementType(I),
                 DL.getStructLayout(S)->getElementOffset(I)))
        return true;
  } else if (auto *A = dyn_cast<ArrayType>(T)) {
    for (uint64_t I = 0; I < A->getNumElements(); ++I)
      if (Within(A->getElementType(),
                 I * DL.getTypeAllocSize(A->getElementType())))
        return true;
  }
  return false;
}

/// Is it an integer that is stored where a number lies?
bool isPacked(const Argument &A) {
  const AllocaInst *V = A.getType()->isIntegerTy() ? variableOf(A) : nullptr;
  if (!V)
    return false;
  const DataLayout &DL = V->getDataLayout();
  APInt Offset(64, 0);
  cast<StoreInst>(*A.user_begin())
      ->getPointerOperand()
      ->stripAndAccumulateInBoundsConstantOffsets(DL, Offset);
  const uint64_t At = Offset.getZExtValue();
  return hasNumber(V->getAllocatedType(), At,
                   At + DL.getTypeStoreSize(A.getType()), DL);
}

/// May two parameters be words of one struct? Clang says of every scalar that
/// it is defined.
bool mayBeHalves(const Function &F) {
  auto IsWord = [](const Argument &A) {
    Type *T = A.getType();
    return !A.hasAttribute(Attribute::NoUndef) && !A.hasByValAttr() &&
           !A.hasStructRetAttr() &&
           (T->isFPOrFPVectorTy() || T->isIntegerTy() || T->isPointerTy());
  };
  for (unsigned I = 1; I < F.arg_size(); ++I)
    if (IsWord(*F.getArg(I - 1)) && IsWord(*F.getArg(I)))
      return true;
  return false;
}

/// Does debug information say that the source has fewer parameters?
bool isDeclaredOtherwise(const Function &F) {
  const DISubprogram *SP = F.getSubprogram();
  if (!SP || !SP->getType() ||
      (SP->getName() != F.getName() && SP->getLinkageName() != F.getName()))
    return false;
  // The array also has the result's type.
  const unsigned Types = SP->getType()->getTypeArray().size();
  return Types > 1 && Types + F.hasStructRetAttr() <= F.arg_size();
}

} // namespace

void noteRegisters(Function &F) {
  if (F.isDeclaration() || F.hasFnAttribute(Noted))
    return;
  bool Any = mayBeHalves(F);
  for (unsigned I = 1; I < F.arg_size(); ++I)
    if (isSecondHalf(F, I) &&
        !F.getAttributes().hasParamAttr(I - 1, SecondHalf)) {
      F.addParamAttr(I, Attribute::get(F.getContext(), SecondHalf));
      Any = true;
    }
  if (Any)
    F.addFnAttr(Noted);
  for (const Argument &A : F.args())
    if (isPacked(A))
      F.addParamAttr(A.getArgNo(), Attribute::get(F.getContext(), Packed));
}

bool isPackedNumber(const Argument &A) {
  return A.getParent()->getAttributes().hasParamAttr(A.getArgNo(), Packed);
}

std::optional<SmallVector<unsigned>> registersOf(const Function &F) {
  SmallVector<unsigned> Counts;
  for (const Argument &A : F.args()) {
    const bool Second =
        F.getAttributes().hasParamAttr(A.getArgNo(), SecondHalf);
    if (Second)
      ++Counts.back();
    else
      Counts.push_back(1);
  }
  // A file that was compiled without the plugin.
  if (!F.hasFnAttribute(Noted) && mayBeHalves(F) && isDeclaredOtherwise(F))
    return std::nullopt;
  return Counts;
}

} // namespace retro
