// Input: a unit, and what carries derivatives in it. Output: an error at each
// place where one would be lost. What is not found here is a wrong gradient
// without a word.
#include "facts/losses/losses.h"
#include "facts/losses/loss_check.h"

#include "base/halves.h"
#include "facts/activity/blas_calls.h"
#include "facts/activity/custom_calls.h"
#include "facts/activity/mpi_calls.h"
#include "facts/losses/atomic_losses.h"
#include "facts/losses/error_losses.h"
#include "facts/losses/exception_losses.h"
#include "facts/losses/library_losses.h"
#include "facts/losses/transfer_losses.h"
#include "facts/threads/thread_order.h"
#include "facts/types/declared_types.h"
#include "facts/types/type_tags.h"
#include "facts/writes/global_shadows.h"
#include "front/known/entry_points.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

/// Does a pointer step through memory byte by byte? What is at a constant
/// place of an element is a field of its own.
bool sweepsBytes(const Value *Ptr, const DataLayout &DL) {
  for (;;) {
    Ptr = Ptr->stripPointerCasts();
    auto *G = dyn_cast<GEPOperator>(Ptr);
    if (!G)
      return isa<PHINode, LoadInst, SelectInst>(Ptr);
    SmallMapVector<Value *, APInt, 4> Variable;
    APInt Constant(64, 0);
    if (!G->collectOffset(DL, 64, Variable, Constant))
      return true;
    for (auto &[Index, Scale] : Variable)
      if (Scale.countr_zero() +
              computeKnownBits(Index, DL).countMinTrailingZeros() <
          2)
        return true;
    Ptr = G->getPointerOperand();
  }
}

} // namespace

bool isUnknownOfDevice(const Value &V) {
  auto *C = dyn_cast<IntrinsicInst>(&V);
  StringRef Name = C ? C->getCalledFunction()->getName() : "";
  return (Name.starts_with("llvm.nvvm.") || Name.starts_with("llvm.amdgcn.")) &&
         knownCall(*C).Kind == KnownKind::None;
}

/// Is a byte taken here that is a part of a number, or of a pointer to such,
/// or that may be one for all that is known?
bool LossCheck::takesByte(const LoadInst &L) {
  const Value *Ptr = L.getPointerOperand();
  const MemoryClass &C = Shape.classOf(Ptr);
  if (!L.getType()->getScalarType()->isIntegerTy(8) || isIntegerByItself(L))
    return false;
  auto Concerns = [&](const Cell &X) {
    if (X.Kind == CellKind::Pointer) {
      const MemoryClass &To = Shape.classAt(Shape.targetOf(X));
      return To.Shadowed || (To.Origins & FromDup);
    }
    return X.Kind == CellKind::Float && X.Varied;
  };
  if ((C.Origins & FromDup) && all_of(C.Cells, [](const Cell &X) {
        return X.Kind == CellKind::Int && X.Size == 1;
      }))
    return true;
  if (!C.Stride || L.getType()->isVectorTy())
    return any_of(Shape.cellsOverlapping(Ptr, L.getType()), [&](const Cell *X) {
      return X->Size > 1 && Concerns(*X) && !isOtherField(L, *X);
    });
  // It is another field, unless the program sweeps over all of the memory.
  return C.Stride % 4 != 0 && sweepsBytes(Ptr, L.getDataLayout()) &&
         any_of(C.Cells, Concerns);
}

/// Is an integer at a constant place no part of the number or pointer that
/// other objects have there, nor loaded beside all the rest of it?
bool LossCheck::isOtherField(const LoadInst &L, const Cell &X) {
  const Address A = Shape.addressOf(L.getPointerOperand());
  const auto Size = static_cast<int64_t>(
      L.getDataLayout().getTypeStoreSize(L.getType()).getFixedValue());
  return L.getType()->isIntegerTy() && Shape.classAt(A.Class).Stride == 0 &&
         MemoryShape::missesExponent(X, A.Offset, Size) &&
         !isInPieces(A.Class, X, false);
}

/// Is a piece of a number taken here, where others take all the rest of it: a
/// loop over its bytes that was unrolled? In memory that is indexed a narrow
/// integer may be another field, but then not all of them.
bool LossCheck::takesPiece(const LoadInst &L) {
  const Address A = Shape.addressOf(L.getPointerOperand());
  const MemoryClass &C = Shape.classAt(A.Class);
  return C.Stride != 0 && (isPiece(L) || isPartOfWord(L)) &&
         any_of(C.Cells, [&](const Cell &X) {
           return X.Kind == CellKind::Float && X.Varied &&
                  isInPieces(A.Class, X, false);
         });
}

/// Does the access take an integer of half a word, in memory that is indexed by
/// words, though nothing says that it is an integer by itself? Where steps are
/// narrower, every place of a number is also one of an integer.
bool LossCheck::mayBePart(const Instruction &Access) const {
  const int64_t Stride =
      Shape.classOf(getLoadStorePointerOperand(&Access)).Stride;
  return Stride != 0 && Stride % 8 == 0 &&
         getLoadStoreType(&Access)->isIntegerTy(32) &&
         !isIntegerByItself(Access);
}

/// Is it the upper half of what is an active number elsewhere, with the
/// exponent? Of a number that depends on nothing active there are no bits to
/// load; that bits are stored there in halves is known from those stores.
bool LossCheck::reachesExponent(const Instruction &Access) const {
  const Address A = Shape.addressOf(getLoadStorePointerOperand(&Access));
  const MemoryClass &C = Shape.classAt(A.Class);
  return mayBePart(Access) && any_of(C.Cells, [&](const Cell &X) {
           const int64_t Within = (A.Offset - X.Offset) % C.Stride;
           return X.Kind == CellKind::Float && X.Size == 8 &&
                  (X.Varied || (isa<StoreInst>(Access) && X.Useful)) &&
                  (Within == 4 || Within == 4 - C.Stride);
         });
}

/// Is each byte of X loaded, or stored, in some piece of it?
bool LossCheck::isInPieces(unsigned Class, const Cell &X, bool IsStored) {
  if (!std::exchange(PiecesFound, true))
    findPieces();
  auto &Pieces = IsStored ? Stored : Loaded;
  auto It = Pieces.find(Class);
  if (It == Pieces.end())
    return false;
  const int64_t Stride = Shape.classAt(Class).Stride;
  for (int64_t At = X.Offset; At < X.Offset + int64_t(X.Size); ++At)
    if (!It->second.contains(Stride ? At % Stride : At))
      return false;
  return true;
}

/// Does it access bytes or pairs of them of which nothing says that they are
/// integers by themselves?
bool LossCheck::isPiece(const Instruction &Access) const {
  Type *T = getLoadStoreType(&Access)->getScalarType();
  return (T->isIntegerTy(8) || T->isIntegerTy(16)) &&
         !isIntegerByItself(Access);
}

/// Is half of what is a whole number elsewhere accessed, and no narrower number
/// or integer of the program?
bool LossCheck::isPartOfWord(const Instruction &Access) const {
  const Address A = Shape.addressOf(getLoadStorePointerOperand(&Access));
  const MemoryClass &C = Shape.classAt(A.Class);
  return mayBePart(Access) && none_of(C.Cells, [&](const Cell &X) {
           return X.Size == 4 && (A.Offset - X.Offset) % C.Stride == 0 &&
                  (X.Kind == CellKind::Float || X.Declared);
         });
}

/// Which bytes of each class are accessed in pieces. Where it is not indexed,
/// halves of words are pieces, too.
void LossCheck::findPieces() {
  for (auto &UF : Act.unit().Functions)
    for (Instruction &I : instructions(*UF->F)) {
      const Value *Ptr = getLoadStorePointerOperand(&I);
      if (!Ptr)
        continue;
      const Address A = Shape.addressOf(Ptr);
      const int64_t Stride = Shape.classAt(A.Class).Stride;
      const bool Half = getLoadStoreType(&I)->isIntegerTy(32) &&
                        !isIntegerByItself(I) &&
                        (Stride == 0 || isPartOfWord(I));
      if (!Half && !isPiece(I))
        continue;
      DenseSet<int64_t> &Bytes = (isa<StoreInst>(I) ? Stored : Loaded)[A.Class];
      const auto Size =
          static_cast<int64_t>(I.getDataLayout()
                                   .getTypeStoreSize(getLoadStoreType(&I))
                                   .getFixedValue());
      for (int64_t At = A.Offset; At < A.Offset + Size; ++At)
        Bytes.insert(Stride ? (At % Stride + Stride) % Stride : At);
    }
}

/// Is the other half of the word stored, too, in the same function?
static bool storesOtherHalf(const StoreInst &S) {
  auto Place = [&](const StoreInst &X) {
    int64_t Offset = 0;
    const Value *Base = GetPointerBaseWithConstantOffset(
        X.getPointerOperand(), Offset, S.getDataLayout());
    return std::pair(Base, Offset);
  };
  const auto [Base, Offset] = Place(S);
  return any_of(instructions(*S.getFunction()), [&](const Instruction &I) {
    auto *X = dyn_cast<StoreInst>(&I);
    if (!X || !X->getValueOperand()->getType()->isIntegerTy(32))
      return false;
    const auto [B, At] = Place(*X);
    return B == Base && (At - Offset == 4 || Offset - At == 4);
  });
}

/// Is a piece of an active number stored, where others store all the rest of
/// it? What is stored alone is a field of another object.
bool LossCheck::givesPiece(const StoreInst &S) {
  const Address A = Shape.addressOf(S.getPointerOperand());
  Type *T = S.getValueOperand()->getType();
  if (isPartOfWord(S) && Bits.contains(S.getValueOperand()))
    return storesOtherHalf(S) &&
           any_of(Shape.cellsOverlapping(S.getPointerOperand(), T),
                  [&](const Cell *X) {
                    return X->Kind == CellKind::Float && X->Useful &&
                           X->Size == 8 && isInPieces(A.Class, *X, true);
                  });
  return T->isIntegerTy() && Shape.classAt(A.Class).Stride == 0 &&
         any_of(Shape.cellsOf(S.getPointerOperand(), T), [&](const Cell *X) {
           return X->Kind == CellKind::Float && X->active() &&
                  X->Size > S.getDataLayout().getTypeStoreSize(T) &&
                  isInPieces(A.Class, *X, true);
         });
}

/// Do the stored bits become a number or pointer, or what may be one?
bool LossCheck::givesByte(const StoreInst &S) const {
  const Value *Ptr = S.getPointerOperand();
  const MemoryClass &C = Shape.classOf(Ptr);
  Type *T = S.getValueOperand()->getType();
  const bool Byte = T->getScalarType()->isIntegerTy(8);
  if (!(Byte || T->getScalarType()->isIntegerTy(16)) || isIntegerByItself(S))
    return false;
  if (Byte && (C.Origins & FromDup) && all_of(C.Cells, [](const Cell &X) {
        return X.Kind == CellKind::Int && X.Size == 1;
      }))
    return true;
  return any_of(Shape.cellsOverlapping(Ptr, T), [](const Cell *X) {
    return (X->Kind == CellKind::Float && X->Useful) ||
           X->Kind == CellKind::Pointer;
  });
}

/// Does a word from arguments go to arguments that is not aligned as an integer
/// of its size: two floats, copied, in memory of which nothing else is known?
bool LossCheck::movesUnaligned(const StoreInst &S) const {
  auto *L = dyn_cast<LoadInst>(S.getValueOperand());
  Type *T = S.getValueOperand()->getType();
  if (!L || !T->isIntegerTy(64))
    return false;
  Align Known = std::min(S.getAlign(), L->getAlign());
  const Value *To = S.getPointerOperand();
  return Known > Align(1) &&
         Known < Act.unit().M.getDataLayout().getABITypeAlign(T) &&
         (Shape.classOf(To).Origins & FromDup) &&
         all_of(
             Shape.cellsOverlapping(To, T),
             [](const Cell *C) {
               return C->Kind == CellKind::Int && !C->Declared;
             });
}

/// Does a part of a word, which is taken out and not computed with, go to
/// arguments? It may be a float beside another one, in memory of which nothing
/// else is known.
bool LossCheck::movesPart(const StoreInst &S) const {
  const Value *V = S.getValueOperand(), *To = S.getPointerOperand();
  const APInt *By;
  if (!V->getType()->isIntegerTy(32) || !isa<TruncInst>(V))
    return false;
  const Value *Word = cast<Instruction>(V)->getOperand(0);
  if (match(Word, m_LShr(m_Value(), m_APInt(By))) && By->urem(32) != 0)
    return false;
  return (Shape.classOf(To).Origins & FromDup) &&
         all_of(Shape.cellsOverlapping(To, V->getType()), [](const Cell *C) {
           return C->Kind == CellKind::Int && !C->Declared;
         });
}

/// Has the result, which is no number, bits of a varied number in it?
bool LossCheck::takesBits(const Instruction &I) {
  // The numbers of an aggregate are known as such; its integers may be bits.
  const bool Several = I.getType()->isAggregateType();
  if (joinsNumber(I))
    return true;
  if (I.getType()->isFPOrFPVectorTy() || !mayBeBits(I))
    return false;
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    if (!(Several || I.getType()->isIntOrIntVectorTy()) ||
        Shape.accessesOwnInteger(I))
      return false;
    if (takesByte(*L) || takesPiece(*L) || reachesExponent(*L))
      return true;
    // What an argument points to may be a number unless something says what
    // it is.
    const Value *Ptr = L->getPointerOperand();
    bool Argument = Shape.classOf(Ptr).Origins & FromDup;
    return any_of(Shape.cellsOf(Ptr, L->getType()), [&](const Cell *C) {
      return C->Kind != CellKind::Pointer && !isOtherField(*L, *C) &&
             !(Several && C->Kind == CellKind::Float) &&
             (C->Varied || BitsInMemory.contains(C) ||
              (Argument && C->Kind == CellKind::Int && C->Size > 1 &&
               !C->Declared));
    });
  }
  if (isa<BitCastInst>(I))
    return Act.varied(I.getOperand(0)) || Bits.contains(I.getOperand(0));
  if (!I.getType()->isIntOrIntVectorTy() && !Several)
    return false;
  // Moved about, or compared and one of them chosen; by GPUs from thread to
  // thread.
  auto *Builtin = dyn_cast<IntrinsicInst>(&I);
  if (Builtin && I.getType() == Builtin->getArgOperand(0)->getType() &&
      (Builtin->doesNotAccessMemory() || Builtin->isConvergent()))
    return any_of(Builtin->args(),
                  [&](const Use &O) { return carriesBits(O); });
  if (isUnknownOfDevice(I))
    return any_of(Builtin->args(), [&](const Use &O) {
      return Bits.contains(O) || Act.varied(O);
    });
  if (!isa<BinaryOperator, PHINode, SelectInst, FreezeInst, TruncInst, ZExtInst,
           SExtInst, InsertElementInst, ExtractElementInst, ShuffleVectorInst,
           InsertValueInst, ExtractValueInst>(I))
    return false;
  return any_of(I.operands(), [&](const Use &O) {
    return Several ? Bits.contains(O) : carriesBits(O);
  });
}

void LossCheck::spread() {
  for (bool Again = true; Again;) {
    Again = false;
    for (auto &UF : Act.unit().Functions)
      for (Instruction &I : instructions(*UF->F)) {
        if (auto *S = dyn_cast<StoreInst>(&I);
            S && Bits.contains(S->getValueOperand()) &&
            !Shape.accessesOwnInteger(I)) {
          for (const Cell *C : Shape.cellsOf(S->getPointerOperand(),
                                             S->getValueOperand()->getType()))
            if (C->Kind == CellKind::Int && !C->Varied)
              Again |= BitsInMemory.insert(C).second;
        }
        if (auto *C = dyn_cast<CallBase>(&I))
          if (UnitFunction *G = Act.unit().callee(*C)) {
            for (Argument &A : G->F->args())
              if (A.getArgNo() < C->arg_size() && mayBeBits(A) &&
                  carriesBits(C->getArgOperand(A.getArgNo())))
                Again |= Bits.insert(&A).second;
            for (BasicBlock &B : *G->F)
              if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator()))
                if (Value *V = Ret->getReturnValue();
                    V && mayBeBits(I) && carriesBits(V))
                  Again |= Bits.insert(&I).second;
          }
        if (!Bits.contains(&I) && takesBits(I))
          Again |= Bits.insert(&I).second;
      }
  }
}

/// Does a function of integers, which has no derivative, make the bits of a
/// number of those of another one?
bool LossCheck::takesApart(const CallBase &C) const {
  KnownCall K = knownCall(C);
  if (C.getType()->isFPOrFPVectorTy() || Act.unit().callee(C) ||
      K.Kind != KnownKind::Inactive)
    return false;
  return any_of(C.args(), [&](const Use &A) {
    return A->getType()->isIntOrIntVectorTy() && carriesBits(A);
  });
}

/// Is it a number of elements in bytes? What LLVM makes of null and an offset:
/// the end of an array without elements, which nobody looks behind. (A narrow
/// number that is made wide may be an address that is kept in short form.)
static bool isSize(const Value *V) {
  while (auto *B = dyn_cast<BinaryOperator>(V)) {
    if (!isa<ConstantInt>(B->getOperand(1)))
      return false;
    V = B->getOperand(0);
    if (is_contained({Instruction::Shl, Instruction::Mul}, B->getOpcode()))
      return V->getType()->isIntegerTy(64) && !isa<ZExtInst>(V);
    if (!is_contained({Instruction::Add, Instruction::Or}, B->getOpcode()))
      return false;
  }
  return false;
}

/// Is it an integer beside what was left in the other half of a word? Neither
/// of the two is a part of a number.
bool LossCheck::isOfIntegers(const Value *Word) const {
  return isOfTwoWords(Word) &&
         none_of(cast<User>(Word)->operands(),
                 [&](const Use &Half) { return carriesBits(Half); });
}

/// Is half of the word that P is taken out of it?
static bool givesHalf(const Value &P) {
  return any_of(P.users(), [](const User *Word) {
    return isa<PtrToIntInst>(Word) && any_of(Word->users(), [](const User *U) {
             return isa<TruncInst>(U) || isHalf(cast<Value>(U));
           });
  });
}

/// Is an integer of half a word moved about as a pointer, as LLVM does with
/// members of a union? Then it is taken out again, or goes to where an integer
/// of that size lies. Else it is an address that the program keeps in short
/// form.
bool LossCheck::isMovedHalf(const IntToPtrInst &I) const {
  if (!isHalf(I.getOperand(0)))
    return false;
  SmallSetVector<const Value *, 8> Seen;
  Seen.insert(&I);
  bool IsTaken = false;
  for (size_t N = 0; N < Seen.size(); ++N) {
    IsTaken |= givesHalf(*Seen[N]);
    for (const User *U : Seen[N]->users())
      if (isa<PHINode, SelectInst>(U))
        Seen.insert(U);
      else if (auto *S = dyn_cast<StoreInst>(U);
               S && S->getValueOperand() == Seen[N])
        IsTaken |= Shape.holdsHalf(S->getPointerOperand());
      else if (N == 0)
        return false;
  }
  return IsTaken;
}

/// A pointer made of a word of which it is not known what it points to.
void LossCheck::lostPointer(IntToPtrInst &I) {
  const Value *Word = I.getOperand(0);
  if (joinsPointer(*Word))
    R.error(Diag::UnknownShadow, &I, {"its address is taken apart"});
  else if (!isa<Constant>(Word) && !isSize(Word) && !isOfIntegers(Word) &&
           !isMovedHalf(I) && Act.shadowed(&I) && !Act.shadowed(Word))
    R.error(Diag::UnknownShadow, &I, {"its address is computed with integers"});
}

/// Is the upper half of the word chosen among others, too?
static bool choosesUpperHalf(const Value &Word) {
  return any_of(Word.users(), [](const User *Shift) {
    return match(Shift, m_Shr(m_Value(), m_SpecificInt(32))) &&
           any_of(Shift->users(), [](const User *Half) {
             return isa<TruncInst>(Half) &&
                    any_of(Half->users(), IsaPred<PHINode, SelectInst>);
           });
  });
}

/// A pointer to active memory whose halves are chosen beside those of other
/// words: nobody could tell where its shadow goes.
void LossCheck::halfOfPointer(Instruction &Choice) {
  if (!isa<PHINode, SelectInst>(Choice) || !Choice.getType()->isIntegerTy(32))
    return;
  for (Value *V : Choice.operands()) {
    Value *Word;
    if (match(V, m_Trunc(m_Value(Word))) && isa<PtrToIntInst>(Word) &&
        Act.shadowed(Word) && choosesUpperHalf(*Word))
      return R.error(Diag::UnknownShadow, &Choice,
                     {"its address is taken apart"});
  }
}

/// A number that the optimizer has loaded as the pointer beside it in a union.
/// What is only moved on may be the pointer; what is computed with is none.
void LossCheck::lostNumber(BitCastInst &I) {
  auto *Word = dyn_cast<PtrToIntInst>(I.getOperand(0));
  auto *L = Word ? dyn_cast<LoadInst>(Word->getPointerOperand()) : nullptr;
  if (L && Act.useful(&I) && !Act.varied(&I) &&
      any_of(
          I.users(),
          [](const User *U) {
            if (auto *C = dyn_cast<CallBase>(U))
              return knownCall(*C).Kind == KnownKind::Math;
            return !isa<PHINode, SelectInst, StoreInst, CastInst, FreezeInst>(
                U);
          }) &&
      any_of(Shape.cellsOverlapping(L->getPointerOperand(), L->getType()),
             [](const Cell *C) {
               return C->Kind == CellKind::Float && C->Varied;
             }))
    R.error(Diag::UnknownType, &I);
}

/// Bits that become a number again, one that a result depends on.
void LossCheck::brokenBits(Instruction &I) {
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    Value *V = S->getValueOperand();
    if (givesPiece(*S))
      return R.error(Diag::UnknownType, &I);
    if (!Bits.contains(V) || Shape.accessesOwnInteger(I))
      return;
    if (givesByte(*S))
      return R.error(Diag::ByteCopy, &I);
    if (movesUnaligned(*S) || movesPart(*S))
      return R.error(Diag::UnknownType, &I);
    // What is only moved may be another field.
    if (isa<BinaryOperator>(V) && reachesExponent(*S))
      return R.error(Diag::BitArithmetic, &I, {"store"});
    for (const Cell *C : Shape.cellsOf(S->getPointerOperand(), V->getType()))
      if (C->Kind == CellKind::Float && C->Useful)
        return R.error(Diag::BitArithmetic, &I, {"store"});
    return;
  }
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    // What the program calls a number of this type was stored as one.
    if (!L->getType()->isFPOrFPVectorTy() || !Act.useful(L) || Act.varied(L) ||
        Shape.classOf(L->getPointerOperand()).Stride ||
        floatNamed(accessName(*L), L->getContext()) == L->getType())
      return;
    for (const Cell *C :
         Shape.cellsOverlapping(L->getPointerOperand(), L->getType()))
      if (C->Kind == CellKind::Float && C->Varied)
        return R.error(Diag::OtherNumber, &I);
    return;
  }
  auto *C = dyn_cast<CallBase>(&I);
  if (!(C && isStringCall(*C)) && !(Act.useful(&I) && Act.adjointType(&I)))
    return;
  if (C && takesApart(*C))
    return R.error(Diag::BitArithmetic, &I,
                   {C->getCalledOperand()->getName().str()});
  // Of calls only those count that move bits about.
  if (C && !(isa<IntrinsicInst>(I) && I.getType()->isIntOrIntVectorTy()))
    return;
  // What is converted is mostly an integer of the program's, or an exponent.
  if (isa<SIToFPInst, UIToFPInst>(I)) {
    if (!mantissaIn(I.getOperand(0)).isZero())
      R.error(Diag::BitArithmetic, &I, {I.getOpcodeName()});
    return;
  }
  for (const Use &O : I.operands())
    if (Bits.contains(O) && !isa<CmpInst>(O) &&
        !O->getType()->isAggregateType() &&
        !(isa<SelectInst>(I) && O.getOperandNo() == 0) &&
        !(isa<ExtractElementInst>(I) && O.getOperandNo() == 1) &&
        !(isa<InsertElementInst>(I) && O.getOperandNo() == 2))
      return R.error(Diag::BitArithmetic, &I, {I.getOpcodeName()});
}

void LossCheck::run() {
  spread();
  for (auto &UF : Act.unit().Functions)
    for (Instruction &I : instructions(*UF->F)) {
      brokenBits(I);
      if (auto *C = dyn_cast<IntToPtrInst>(&I))
        lostPointer(*C);
      if (auto *C = dyn_cast<BitCastInst>(&I))
        lostNumber(*C);
      halfOfPointer(I);
      if (auto *L = dyn_cast<LoadInst>(&I)) {
        ambiguousWord(*L);
        hiddenNumber(*L);
      }
      if (isa<LoadInst, StoreInst>(I))
        misalignedWord(I);
      if (auto *C = dyn_cast<CallBase>(&I)) {
        unknown(*C);
        variadic(*C);
        overwritten(*C);
        inactive(*C);
        ofResource(*C);
        if (isCustom(*C))
          custom(*C);
        if (isMpi(*C))
          checkMpiCall(Act, *C, R);
        if (C->hasFnAttr(Attribute::ReturnsTwice))
          R.error(Diag::ControlFlow, C, {"a call that returns twice"});
      }
    }
  reportAtomicLosses(Act, R);
  reportLibraryLosses(Act, R);
  reportExceptionLosses(Act, BitsInMemory, R);
  reportGlobalShadows(Act, R);
  reportTransferLosses(Act, R);
  reportThreadOrder(Act, R);
  reportErrorLosses(Act, R);
}

void reportLosses(const ActivityAnalysis &Act, Reporter &R) {
  LossCheck(Act, R).run();
}

} // namespace retro
