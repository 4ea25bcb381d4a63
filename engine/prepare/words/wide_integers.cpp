// Input: numbers that lie beside each other, which optimization loads as one
// wide integer and takes apart by shifts. Output: each part is loaded and
// stored by itself, so that its type shows; in the wide integer it would have
// no adjoint.
#include "prepare/words/wide_integers.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

/// Bits [Shift, Shift + width of Value) of a wide integer.
struct Part {
  Value *V;
  unsigned Shift;
  unsigned width() const { return V->getType()->getIntegerBitWidth(); }
};
using Parts = SmallVector<Part, 4>;

bool isWhole(unsigned Bits) { return Bits % 8 == 0 && isPowerOf2_32(Bits); }

/// Collects the truncations that take all used parts of V, if V is used for
/// nothing else.
bool taken(Instruction &V, Parts &Out) {
  unsigned Width = V.getType()->getIntegerBitWidth();
  auto Take = [&](User *U, unsigned Shift) {
    auto *T = dyn_cast<TruncInst>(U);
    if (!T || !isWhole(T->getType()->getIntegerBitWidth()) ||
        Shift + T->getType()->getIntegerBitWidth() > Width)
      return false;
    Out.push_back({T, Shift});
    return true;
  };
  for (User *U : V.users()) {
    const APInt *C;
    if (Take(U, 0))
      continue;
    if (!match(U, m_Shr(m_Specific(&V), m_APInt(C))) || C->uge(Width) ||
        C->getZExtValue() % 8 != 0)
      return false;
    for (User *T : U->users())
      if (!Take(T, static_cast<unsigned>(C->getZExtValue())))
        return false;
  }
  return !Out.empty();
}

/// Collects what V is put together from. False if that is not all of V, or if
/// parts overlap.
bool given(Value *V, unsigned Shift, unsigned Width, Parts &Out) {
  Value *A, *B;
  const APInt *C;
  if (match(V, m_Or(m_Value(A), m_Value(B))))
    return given(A, Shift, Width, Out) && given(B, Shift, Width, Out);
  if (match(V, m_Shl(m_Value(A), m_APInt(C))) && C->ult(Width))
    return given(A, Shift + static_cast<unsigned>(C->getZExtValue()), Width,
                 Out);
  if (!match(V, m_ZExt(m_Value(A))) || !A->getType()->isIntegerTy())
    return false;
  Out.push_back({A, Shift});
  return isWhole(Out.back().width()) && Shift % 8 == 0;
}

bool given(Value *V, Parts &Out) {
  unsigned Width = V->getType()->getIntegerBitWidth(), Next = 0;
  if (!given(V, 0, Width, Out))
    return false;
  sort(Out, [](const Part &A, const Part &B) { return A.Shift < B.Shift; });
  for (const Part &P : Out) {
    if (P.Shift != Next)
      return false;
    Next += P.width();
  }
  return Next == Width;
}

/// Is P element number P.Shift / width of a vector of type T?
bool isElement(const Part &P, const FixedVectorType &T) {
  unsigned Bits = T.getScalarSizeInBits();
  return P.width() == Bits && P.Shift % Bits == 0;
}

class Splitter {
public:
  explicit Splitter(Function &F) : F(F), DL(F.getDataLayout()) {}
  bool run();

private:
  bool split(LoadInst &L);
  bool split(StoreInst &S);
  bool split(BitCastInst &C);
  void replace(const Part &P, Value *By);
  Value *addressOf(IRBuilder<> &B, Value *Base, unsigned Bytes) const {
    return Bytes ? B.CreateInBoundsGEP(B.getInt8Ty(), Base, B.getInt64(Bytes))
                 : Base;
  }

  Function &F;
  const DataLayout &DL;
  SmallVector<WeakTrackingVH> Dead;
};

void Splitter::replace(const Part &P, Value *By) {
  P.V->replaceAllUsesWith(By);
  Dead.push_back(P.V);
}

bool Splitter::split(LoadInst &L) {
  Parts All;
  if (!L.isSimple() || !taken(L, All))
    return false;
  IRBuilder<> B(&L);
  for (const Part &P : All) {
    unsigned Bytes = P.Shift / 8;
    LoadInst *Narrow = B.CreateAlignedLoad(
        P.V->getType(), addressOf(B, L.getPointerOperand(), Bytes),
        commonAlignment(L.getAlign(), Bytes), L.getName());
    Narrow->setAAMetadata(
        L.getAAMetadata().adjustForAccess(Bytes, P.V->getType(), DL));
    replace(P, Narrow);
  }
  return true;
}

bool Splitter::split(StoreInst &S) {
  Parts All;
  if (!S.isSimple() || !given(S.getValueOperand(), All))
    return false;
  IRBuilder<> B(&S);
  for (const Part &P : All) {
    unsigned Bytes = P.Shift / 8;
    StoreInst *Narrow =
        B.CreateAlignedStore(P.V, addressOf(B, S.getPointerOperand(), Bytes),
                             commonAlignment(S.getAlign(), Bytes));
    Narrow->setAAMetadata(
        S.getAAMetadata().adjustForAccess(Bytes, P.V->getType(), DL));
  }
  Dead.push_back(S.getValueOperand());
  S.eraseFromParent();
  return true;
}

/// Splits a cast to or from a vector, which takes a wide integer apart or puts
/// it together.
bool Splitter::split(BitCastInst &C) {
  Parts All;
  IRBuilder<> B(&C);
  if (auto *T = dyn_cast<FixedVectorType>(C.getSrcTy());
      T && C.getType()->isIntegerTy()) {
    if (!taken(C, All) ||
        !all_of(All, [&](const Part &P) { return isElement(P, *T); }))
      return false;
    for (const Part &P : All)
      replace(P, B.CreateBitCast(B.CreateExtractElement(C.getOperand(0),
                                                        P.Shift / P.width()),
                                 P.V->getType()));
    return true;
  }
  auto *T = dyn_cast<FixedVectorType>(C.getType());
  if (!T || !C.getSrcTy()->isIntegerTy() || !given(C.getOperand(0), All) ||
      !all_of(All, [&](const Part &P) { return isElement(P, *T); }))
    return false;
  Value *V = PoisonValue::get(T);
  for (const Part &P : All)
    V = B.CreateInsertElement(V, B.CreateBitCast(P.V, T->getElementType()),
                              P.Shift / P.width());
  replace({&C, 0}, V);
  return true;
}

bool Splitter::run() {
  if (DL.isBigEndian())
    return false;
  SmallVector<Instruction *> Wide;
  for (Instruction &I : instructions(F))
    if ((isa<LoadInst>(I) && I.getType()->isIntegerTy()) ||
        (isa<StoreInst>(I) && I.getOperand(0)->getType()->isIntegerTy()) ||
        isa<BitCastInst>(I))
      Wide.push_back(&I);
  bool Changed = false;
  for (Instruction *I : Wide) {
    if (auto *L = dyn_cast<LoadInst>(I))
      Changed |= split(*L);
    else if (auto *S = dyn_cast<StoreInst>(I))
      Changed |= split(*S);
    else
      Changed |= split(*cast<BitCastInst>(I));
  }
  for (WeakTrackingVH &V : Dead)
    if (auto *I = dyn_cast_or_null<Instruction>(V))
      RecursivelyDeleteTriviallyDeadInstructions(I);
  return Changed;
}

} // namespace

bool splitWideIntegers(Function &F) { return Splitter(F).run(); }

} // namespace retro
