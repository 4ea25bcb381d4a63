// Words that are moved as integers and may be numbers: which number each is has
// to be known, or nothing moves with it. Each for which that is not so is
// refused at the user's line. Members of LossCheck (loss_check.h).
#include "facts/activity/blas_calls.h"
#include "facts/activity/custom_calls.h"
#include "facts/activity/mpi_calls.h"
#include "facts/losses/loss_check.h"
#include "facts/losses/losses.h"
#include "facts/types/declared_types.h"
#include "front/known/entry_points.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {

/// Are the words that a call is given numbers of bytes or of elements?
static bool takesSizes(const CallBase &C) {
  const KnownCall K = knownCall(C);
  return K.isPlainMemory() || K.Kind == KnownKind::AllocStore ||
         K.Kind == KnownKind::Realloc;
}

/// Is the word itself, not what is computed from it, stored or passed on?
static bool isMoved(const LoadInst &L) {
  SmallSetVector<const Value *, 8> Seen;
  Seen.insert(&L);
  for (size_t N = 0; N < Seen.size(); ++N)
    for (const User *U : Seen[N]->users()) {
      auto *C = dyn_cast<CallBase>(U);
      if (C ? knownCall(*C).Kind != KnownKind::Inactive && !takesSizes(*C)
            : isa<StoreInst, ReturnInst, InsertValueInst, InsertElementInst,
                  CastInst>(U) &&
                  !isa<TruncInst, SIToFPInst, UIToFPInst>(U))
        return true;
      if (isa<PHINode, SelectInst, FreezeInst, TruncInst>(U))
        Seen.insert(U);
    }
  return false;
}

/// Is a word that is moved aligned as one number on both sides, where it is
/// taken for narrower ones, because such are somewhere in memory that is
/// indexed?
bool LossCheck::wholeNumber(Instruction &I, Type *F) {
  auto *S = dyn_cast<StoreInst>(&I);
  if (!S || Shape.declaredKind(S->getValueOperand()))
    return false;
  const Value *To = S->getPointerOperand(), *From = nullptr;
  Align Known = S->getAlign();
  if (auto *L = dyn_cast<LoadInst>(S->getValueOperand())) {
    From = L->getPointerOperand();
    Known = std::min(Known, L->getAlign());
  }
  const DataLayout &DL = S->getDataLayout();
  const uint64_t Size = DL.getTypeStoreSize(S->getValueOperand()->getType());
  auto Indexed = [&](const Value *P) {
    int64_t Stride = P ? Shape.classOf(P).Stride : 0;
    return Stride && Stride < static_cast<int64_t>(Size);
  };
  auto Declared = [&](const Value *P) { return P && Shape.isDeclared(P, F); };
  return DL.getTypeStoreSize(F) < Size && Known >= Align(Size) &&
         (Indexed(To) || Indexed(From)) && !Declared(To) && !Declared(From);
}

/// A word that is moved as an integer, taken for a number for whose type it is
/// not aligned: two narrower ones, in memory that nothing accesses as a number.
void LossCheck::misalignedWord(Instruction &I) {
  const Value *V = isa<LoadInst>(I) ? &I : I.getOperand(0);
  const Value *P = getLoadStorePointerOperand(&I);
  Type *F = V->getType()->isIntegerTy() && Act.varied(V)
                ? Shape.floatCarriedBy(V)
                : nullptr;
  // Of bytes no alignment is known, which says nothing.
  Align Known = getLoadStoreAlignment(&I);
  if (!F)
    return;
  if (wholeNumber(I, F))
    return R.error(Diag::UnknownType, &I);
  if (Known == Align(1) ||
      Known >= Act.unit().M.getDataLayout().getABITypeAlign(F))
    return;
  auto Cells = Shape.cellsOf(P, V->getType());
  if (none_of(Cells, [](const Cell *C) { return C->Declared; }) &&
      any_of(Cells, [](const Cell *C) {
        return C->Kind == CellKind::Float && C->active();
      }))
    R.error(Diag::UnknownType, &I);
}

bool isAmbiguous(const ActivityAnalysis &Act, const LoadInst &L) {
  const MemoryShape &Shape = Act.shape();
  if (!L.getType()->isIntegerTy() || !Act.varied(&L) ||
      Shape.declaredKind(&L) || L.hasMetadata(NotedInteger))
    return false;
  SmallPtrSet<Type *, 2> Numbers;
  bool Pointer = false;
  for (const Cell *C : Shape.cellsOf(L.getPointerOperand(), L.getType())) {
    if (!Shape.mayMove(*C, L))
      continue;
    if (C->Kind == CellKind::Float && C->active())
      Numbers.insert(C->FloatTy);
    Pointer |= C->Kind == CellKind::Pointer && C->Declared &&
               Shape.classAt(Shape.targetOf(*C)).Shadowed;
  }
  return Numbers.size() + Pointer > 1;
}

/// Is the value, or one that it is chosen for, stored?
static bool isStored(const LoadInst &L) {
  SmallSetVector<const Value *, 8> Seen;
  Seen.insert(&L);
  for (size_t N = 0; N < Seen.size(); ++N)
    for (const User *U : Seen[N]->users()) {
      if (auto *S = dyn_cast<StoreInst>(U);
          S && S->getValueOperand() == Seen[N])
        return true;
      if (isa<PHINode, SelectInst, FreezeInst>(U))
        Seen.insert(U);
    }
  return false;
}

/// May a pointer that LLVM moves be a number, of which no running program could
/// tell: a narrow one?
bool LossCheck::movesAsPointer(const LoadInst &L) const {
  const Value *Ptr = L.getPointerOperand();
  return L.getType()->isPointerTy() && !isDeclaredWord(L) &&
         Shape.holdsAt(Ptr, 0, CellKind::Float) &&
         Shape.holdsAt(Ptr, 0, CellKind::Pointer) &&
         !Shape.wordAt(Ptr, 0, L.getAlign()) && isStored(L);
}

void LossCheck::ambiguousWord(LoadInst &L) {
  if ((isAmbiguous(Act, L) && isMoved(L)) || movesAsPointer(L))
    R.error(Diag::UnknownType, &L);
}

bool LossCheck::keepsBits() {
  if (!KeepsBits)
    KeepsBits = keepsBitsInIntegers(Act.unit());
  return *KeepsBits;
}

/// Does it copy from where the program accesses numbers and nothing else?
static bool copiesNumbers(const MemoryShape &Shape, const CallBase &C) {
  KnownCall K = knownCall(C);
  if (!K.isCopy())
    return false;
  const Value *From = C.getArgOperand(static_cast<unsigned>(K.Row->B));
  const MemoryClass &Of = Shape.classOf(From);
  return any_of(Of.Cells,
                [](const Cell &X) {
                  return X.Kind == CellKind::Float && X.Declared;
                }) &&
         none_of(Of.Cells, [](const Cell &X) {
           return X.Kind == CellKind::Int && X.Declared;
         });
}

/// LLVM moves and chooses integers of unions as the numbers beside them, too.
static bool isSurelyNumber(const MemoryShape &Shape, const Value *V) {
  auto *L = dyn_cast<LoadInst>(V);
  return V->getType()->isFPOrFPVectorTy() &&
         !isa<PHINode, SelectInst, FreezeInst, BitCastInst>(V) &&
         (!L || isDeclaredWord(*L) ||
          all_of(Shape.cellsOverlapping(L->getPointerOperand(), L->getType()),
                 [](const Cell *X) { return X->Kind == CellKind::Float; }));
}

/// Is nothing stored or copied to where L loads an integer but numbers? In
/// memory from outside there may be anything.
bool LossCheck::holdsOnlyNumbers(const LoadInst &L) const {
  const Address A = Shape.addressOf(L.getPointerOperand());
  const MemoryClass &C = Shape.classAt(A.Class);
  if (C.fromOutside() ||
      none_of(Shape.cellsOf(L.getPointerOperand(), L.getType()),
              [](const Cell *X) {
                return X->Kind == CellKind::Float && X->Varied;
              }))
    return false;
  for (auto &UF : Act.unit().Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto *S = dyn_cast<StoreInst>(&I);
      auto *B = dyn_cast<CallBase>(&I);
      if (S && Shape.addressOf(S->getPointerOperand()).Class == A.Class &&
          !isSurelyNumber(Shape, S->getValueOperand()))
        return false;
      if (B && !Act.unit().callee(*B) && !B->onlyReadsMemory() &&
          any_of(B->args(),
                 [&](const Use &P) {
                   return P->getType()->isPointerTy() &&
                          Shape.addressOf(P).Class == A.Class;
                 }) &&
          !copiesNumbers(Shape, *B) && !isAssumeLikeIntrinsic(B) &&
          !knownCall(*B).isAllocation() &&
          knownCall(*B).Kind != KnownKind::Free)
        return false;
    }
  return true;
}

/// The bits of an integer that may be of the mantissa of an active number. The
/// exponent alone is a step function, whose derivative is zero.
APInt LossCheck::mantissaIn(const Value *V, unsigned Depth) const {
  const unsigned Bits = V->getType()->getScalarSizeInBits();
  const APInt None(Bits, 0);
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Depth)
    return None;
  auto Of = [&](const Value *O) { return mantissaIn(O, Depth - 1); };
  auto MantissaOf = [&](unsigned Size) {
    return APInt::getLowBitsSet(Bits, Size == 64 ? 52 : Size == 32 ? 23 : 10);
  };
  if (auto *L = dyn_cast<LoadInst>(I))
    return L->getType()->isIntegerTy() && Bits >= 16 && holdsOnlyNumbers(*L)
               ? MantissaOf(Bits)
               : None;
  const Value *X = I->getNumOperands() ? I->getOperand(0) : nullptr;
  if (isa<BitCastInst>(I))
    return Act.varied(X) && isSurelyNumber(Shape, X) &&
                   X->getType()->getScalarSizeInBits() == Bits
               ? MantissaOf(Bits)
               : None;
  if (isa<TruncInst, ZExtInst, SExtInst>(I))
    return Of(X).zextOrTrunc(Bits);
  if (isa<FreezeInst>(I))
    return Of(X);
  // What is chosen from a number and an integer is either.
  if (auto *S = dyn_cast<SelectInst>(I))
    return Of(S->getTrueValue()) & Of(S->getFalseValue());
  if (!isa<BinaryOperator>(I))
    return None;
  const Value *Y = I->getOperand(1);
  const APInt *By;
  const APInt A = Of(X);
  if (match(Y, m_APInt(By)) && By->ult(Bits) && I->isShift())
    return I->getOpcode() == Instruction::Shl ? A.shl(*By) : A.lshr(*By);
  if (I->getOpcode() == Instruction::And && match(Y, m_APInt(By)))
    return A & *By;
  return A | Of(Y);
}

/// May V be the integer of 4 bytes that lies At bytes behind the beginning of
/// such a word?
bool LossCheck::takesHalf(const Value *V, int64_t At,
                          function_ref<bool(const Cell &)> Of) const {
  SmallSetVector<const Value *, 8> Seen;
  Seen.insert(V);
  for (size_t N = 0; N < Seen.size(); ++N) {
    if (isa<PHINode, SelectInst, FreezeInst>(Seen[N]))
      for (const Use &O : cast<User>(Seen[N])->operands())
        if (O->getType() == V->getType())
          Seen.insert(O.get());
    auto *L = dyn_cast<LoadInst>(Seen[N]);
    if (!L || !L->getType()->isIntegerTy(32) || isIntegerByItself(*L))
      continue;
    const Address A = Shape.addressOf(L->getPointerOperand());
    const MemoryClass &C = Shape.classAt(A.Class);
    if (any_of(C.Cells, [&](const Cell &X) {
          int64_t Within = A.Offset - X.Offset;
          if (C.Stride)
            Within = (Within % C.Stride + C.Stride) % C.Stride;
          return X.Size == 8 && Within == At && Of(X);
        }))
      return true;
  }
  return false;
}

/// Is it the upper half of a word, taken from where an active number of 8 bytes
/// may lie? That narrower numbers lie there, too, does not make it one of them:
/// those are not put together.
bool LossCheck::joinsNumber(const Instruction &I) const {
  return isa<ZExtInst>(I) && I.getType()->isIntegerTy(64) &&
         any_of(I.users(),
                [](const User *U) {
                  return match(U, m_Shl(m_Value(), m_SpecificInt(32)));
                }) &&
         takesHalf(I.getOperand(0), 4, [](const Cell &X) {
           return X.Kind == CellKind::Float && X.Varied;
         });
}

/// Is it put together of two halves that may both be of pointers to active
/// memory? The shadow of such a pointer has no halves.
bool LossCheck::joinsPointer(const Value &Word) const {
  Value *Low, *High;
  // What nobody else reads of the target is not known to be useful.
  auto IsPointer = [&](const Cell &X) {
    if (X.Kind != CellKind::Pointer || !X.Declared)
      return false;
    const MemoryClass &To = Shape.classAt(Shape.targetOf(X));
    return To.Shadowed || (To.Origins & FromDup) ||
           any_of(To.Cells, [](const Cell &C) {
             return C.Kind == CellKind::Float && C.Varied;
           });
  };
  return match(&Word, m_c_Or(m_ZExt(m_Value(Low)), m_Shl(m_ZExt(m_Value(High)),
                                                         m_SpecificInt(32)))) &&
         takesHalf(Low, 0, IsPointer) && takesHalf(High, 4, IsPointer);
}

/// A word that is moved, and that the program declares to be an integer, where
/// other objects have an active number: it may be a number that is kept in one.
void LossCheck::hiddenNumber(LoadInst &L) {
  if (!L.getType()->isIntegerTy() || !Shape.accessesOwnInteger(L) ||
      !isMoved(L) || !keepsBits())
    return;
  const uint64_t Bytes = L.getDataLayout().getTypeStoreSize(L.getType());
  if (any_of(Shape.cellsOf(L.getPointerOperand(), L.getType()),
             [&](const Cell *C) {
               return C->Kind == CellKind::Float && C->Size == Bytes &&
                      C->active();
             }))
    R.error(Diag::UnknownType, &L);
}

} // namespace retro
