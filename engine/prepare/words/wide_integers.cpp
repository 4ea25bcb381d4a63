// Input: numbers that lie beside each other, which optimization loads as one
// wide integer, takes apart by shifts, and also stores as that integer. Output:
// each part is loaded and stored by itself, so that its type shows; in the wide
// integer it would have no adjoint.
#include "prepare/words/wide_integers.h"
#include "prepare/words/numbers.h"

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

/// Collects the truncations that take all used parts of V, and the stores that
/// move all of V, if V is used for nothing else.
bool taken(Instruction &V, Parts &Out, SmallVectorImpl<StoreInst *> &Moves) {
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
    if (auto *S = dyn_cast<StoreInst>(U);
        S && S->isSimple() && S->getValueOperand() == &V) {
      Moves.push_back(S);
      continue;
    }
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

/// Does the program use P as a number, or store it as one?
bool isUsedAsNumber(const Part &P) {
  return any_of(P.V->users(), [&](const User *U) {
    auto *S = dyn_cast<StoreInst>(U);
    return S ? S->getValueOperand() == P.V && accessesNumber(*S)
             : isa<BitCastInst>(U) && U->getType()->isFloatingPointTy();
  });
}

/// Does F load or store a number of this width in the Bytes bytes at Ptr?
bool holdsNumber(const Function &F, const Value *Ptr, unsigned Bytes,
                 unsigned Width) {
  const DataLayout &DL = F.getDataLayout();
  auto Split = [&](const Value *P) {
    APInt Offset(DL.getIndexTypeSizeInBits(P->getType()), 0);
    const Value *Base = P->stripAndAccumulateConstantOffsets(DL, Offset, true);
    return std::pair(Base, Offset.getSExtValue());
  };
  auto [Base, Offset] = Split(Ptr);
  return any_of(instructions(F), [&](const Instruction &I) {
    const Value *P = getLoadStorePointerOperand(&I);
    Type *T = P ? getLoadStoreType(&I) : nullptr;
    if (!T || !T->isFPOrFPVectorTy() || T->getScalarSizeInBits() != Width)
      return false;
    auto [OfNumber, At] = Split(P);
    return OfNumber == Base && At >= Offset && At < Offset + Bytes &&
           (At - Offset) * 8 % Width == 0;
  });
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
  bool consistsOfNumbers(const LoadInst &L, ArrayRef<Part> All,
                         ArrayRef<StoreInst *> Moves) const;
  Value *loadPart(LoadInst &L, Type *T, unsigned Bytes);
  void storePart(StoreInst &S, Value *V, unsigned Bytes);
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

/// Is what L loads two narrower numbers or more, as what is taken of it says,
/// or what else is loaded and stored where it comes from and goes to? All parts
/// are of one width then.
bool Splitter::consistsOfNumbers(const LoadInst &L, ArrayRef<Part> All,
                                 ArrayRef<StoreInst *> Moves) const {
  const unsigned Width = All.front().width(),
                 Bits = L.getType()->getIntegerBitWidth();
  auto Holds = [&](const Value *Ptr) {
    return holdsNumber(F, Ptr, Bits / 8, Width);
  };
  return all_of(All,
                [&](const Part &P) {
                  return P.width() == Width && P.Shift % Width == 0;
                }) &&
         Bits % Width == 0 &&
         (any_of(All, isUsedAsNumber) || Holds(L.getPointerOperand()) ||
          any_of(Moves, [&](const StoreInst *S) {
            return Holds(S->getPointerOperand());
          }));
}

Value *Splitter::loadPart(LoadInst &L, Type *T, unsigned Bytes) {
  IRBuilder<> B(&L);
  LoadInst *Narrow =
      B.CreateAlignedLoad(T, addressOf(B, L.getPointerOperand(), Bytes),
                          commonAlignment(L.getAlign(), Bytes), L.getName());
  Narrow->setAAMetadata(L.getAAMetadata().adjustForAccess(Bytes, T, DL));
  return Narrow;
}

void Splitter::storePart(StoreInst &S, Value *V, unsigned Bytes) {
  IRBuilder<> B(&S);
  StoreInst *Narrow =
      B.CreateAlignedStore(V, addressOf(B, S.getPointerOperand(), Bytes),
                           commonAlignment(S.getAlign(), Bytes));
  Narrow->setAAMetadata(
      S.getAAMetadata().adjustForAccess(Bytes, V->getType(), DL));
}

bool Splitter::split(LoadInst &L) {
  Parts All;
  SmallVector<StoreInst *, 2> Moves;
  if (!L.isSimple() || !taken(L, All, Moves) ||
      (!Moves.empty() && !consistsOfNumbers(L, All, Moves)))
    return false;
  if (!Moves.empty()) {
    // What is moved is moved part by part, and what is taken is one of these.
    Type *T = All.front().V->getType();
    SmallVector<Value *> Words;
    for (unsigned Bits = 0; Bits < L.getType()->getIntegerBitWidth();
         Bits += All.front().width())
      Words.push_back(loadPart(L, T, Bits / 8));
    for (StoreInst *S : Moves) {
      for (auto [N, Word] : enumerate(Words))
        storePart(*S, Word,
                  static_cast<unsigned>(N) * T->getIntegerBitWidth() / 8);
      S->eraseFromParent();
    }
    for (const Part &P : All)
      replace(P, Words[P.Shift / P.width()]);
    return true;
  }
  for (const Part &P : All)
    replace(P, loadPart(L, P.V->getType(), P.Shift / 8));
  return true;
}

bool Splitter::split(StoreInst &S) {
  Parts All;
  if (!S.isSimple() || !given(S.getValueOperand(), All))
    return false;
  for (const Part &P : All)
    storePart(S, P.V, P.Shift / 8);
  Dead.push_back(S.getValueOperand());
  S.eraseFromParent();
  return true;
}

/// Splits a cast to or from a vector, which takes a wide integer apart or puts
/// it together.
bool Splitter::split(BitCastInst &C) {
  Parts All;
  SmallVector<StoreInst *, 2> Moves;
  IRBuilder<> B(&C);
  if (auto *T = dyn_cast<FixedVectorType>(C.getSrcTy());
      T && C.getType()->isIntegerTy()) {
    if (!taken(C, All, Moves) || !Moves.empty() ||
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
  SmallVector<WeakVH> Wide;
  for (Instruction &I : instructions(F))
    if ((isa<LoadInst>(I) && I.getType()->isIntegerTy()) ||
        (isa<StoreInst>(I) && I.getOperand(0)->getType()->isIntegerTy()) ||
        isa<BitCastInst>(I))
      Wide.push_back(&I);
  bool Changed = false;
  for (WeakVH &V : Wide) {
    auto *I = dyn_cast_or_null<Instruction>(V);
    if (!I)
      continue; // a store that was split with its load
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
