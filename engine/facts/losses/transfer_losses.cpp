// Input: the copies of a unit. Output: an error at each that moves bytes of
// which nothing says what they are, if numbers with a derivative may be among
// them.
#include "facts/losses/transfer_losses.h"

#include "facts/activity/needs.h"
#include "facts/activity/transfer_layout.h"
#include "facts/types/declared_types.h"
#include "facts/types/type_tags.h"
#include "front/registered/registrations.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// The reverse pass moves adjoints number by number: are they known?
bool movesUnknownNumbers(const ActivityAnalysis &Act, CallBase &C) {
  KnownCall K = knownCall(C);
  if (!K.isCopy() || !transferIsActive(Act, C))
    return false;
  return !transferLayout(Act, C) || copiesBesideNumbers(Act, C);
}

/// May numbers be among what is moved, or overwritten, that matter? In memory
/// from outside, and in what is given to a function with a derivative of the
/// user's own and read by nobody else.
bool mayLose(const ActivityAnalysis &Act, const MemoryShape::UntypedMove &M) {
  const MemoryClass &To = Act.shape().classAt(M.To);
  const MemoryClass &From = Act.shape().classAt(M.From);
  if (To.Origins & (FromDup | FromNumber))
    return true;
  bool Constant =
      From.Origins == FromConst ||
      (From.Origins == FromGlobal &&
       all_of(From.Globals, [&](const GlobalVariable *G) {
         return G->isConstant() || Act.unit().Registered.isInactive(*G);
       }));
  return To.Foreign && !Constant &&
         (To.UnseenUseful || any_of(To.Cells, [](const Cell &X) {
            return X.Kind == CellKind::Float && X.Useful;
          }));
}

/// Is a wider number known to be at the place, or around it, and not only
/// because folding put it there?
bool isDisputed(const MemoryShape &Shape, const Value *Ptr,
                const DataLayout &DL) {
  const MemoryClass &C = Shape.classOf(Ptr);
  const int64_t At = Shape.addressOf(Ptr).Offset;
  auto IsAround =
      [&](const std::pair<const int64_t, MemoryShape::WordKind> &E) {
        return E.second.first == CellKind::Float && E.first < At &&
               At < E.first + int64_t(DL.getTypeStoreSize(E.second.second));
      };
  return C.Disputed.count(At) || any_of(C.Exact, IsAround) ||
         any_of(C.Indexed, IsAround);
}

/// Does the program not say what I loads or stores, so that it may be LLVM's
/// way to move words of any kind: a vector of numbers, or a part of what a
/// union holds?
bool mayBeAny(const Instruction &I) {
  if (I.hasMetadata(NotedNumbers) || !isa<LoadInst, StoreInst>(I))
    return false;
  Type *T = getLoadStoreType(&I);
  if (auto *V = dyn_cast<FixedVectorType>(T))
    return V->getElementType()->isFloatingPointTy();
  auto IsNamed = [&](const Instruction &X) {
    return floatNamed(accessName(X), X.getContext()) == T;
  };
  auto *L = dyn_cast<LoadInst>(&I);
  return L && T->isFloatTy() && !L->hasMetadata(NotedField) && !IsNamed(*L) &&
         any_of(L->users(), [&](const User *U) {
           auto *S = dyn_cast<StoreInst>(U);
           return S && S->getValueOperand() == L && !IsNamed(*S) &&
                  !S->hasMetadata(NotedField);
         });
}

/// Does such a load or store meet a number of another type that matters?
/// Nothing says which of the two it moves.
bool movesOtherNumber(const ActivityAnalysis &Act, const Instruction &I) {
  if (!mayBeAny(I))
    return false;
  Type *T = getLoadStoreType(&I);
  const bool Loads = isa<LoadInst>(I);
  const Value *V = Loads ? &I : I.getOperand(0);
  if (T->isFloatTy() && !isDisputed(Act.shape(), getLoadStorePointerOperand(&I),
                                    I.getDataLayout()))
    return false;
  return !isa<Constant>(V) && (Loads ? Act.useful(V) : Act.varied(V)) &&
         any_of(Act.shape().cellsOverlapping(getLoadStorePointerOperand(&I), T),
                [&](const Cell *X) {
                  return X->Kind == CellKind::Float && X->Declared &&
                         (Loads ? X->Varied : X->Useful) &&
                         X->FloatTy != T->getScalarType() &&
                         X->Size >= I.getDataLayout().getTypeStoreSize(T);
                });
}

/// Are narrower numbers at Ptr, in words of type T, that matter?
bool holdsNarrower(const ActivityAnalysis &Act, const Value *Ptr, Type *T,
                   bool Cell::*Matters) {
  return any_of(Act.shape().cellsOverlapping(Ptr, T), [&](const Cell *X) {
    return X->Kind == CellKind::Float && X->*Matters &&
           X->Size < T->getScalarSizeInBits() / 8;
  });
}

/// Does LLVM move words as doubles from where there may be two narrower numbers
/// in one to where such are read? These have no adjoint that is a double.
bool movesNarrower(const ActivityAnalysis &Act, const Instruction &I) {
  auto *L = dyn_cast<LoadInst>(&I);
  Type *T = L ? L->getType() : nullptr;
  if (!L || !T->getScalarType()->isDoubleTy() || L->hasMetadata(NotedWord) ||
      L->hasMetadata(NotedNumbers) ||
      !holdsNarrower(Act, L->getPointerOperand(), T, &Cell::Varied))
    return false;
  SmallSetVector<const Value *, 8> Moved;
  Moved.insert(L);
  for (size_t N = 0; N < Moved.size(); ++N)
    for (const User *U : Moved[N]->users()) {
      auto *S = dyn_cast<StoreInst>(U);
      if (S && S->getValueOperand() == Moved[N] &&
          holdsNarrower(Act, S->getPointerOperand(),
                        S->getValueOperand()->getType(), &Cell::Useful))
        return true;
      if (isa<PHINode, SelectInst, FreezeInst, CastInst, ExtractElementInst,
              InsertElementInst, ShuffleVectorInst, ExtractValueInst,
              InsertValueInst>(U))
        Moved.insert(U);
    }
  return false;
}

/// Does a copy begin inside of a number, on both sides, so that the number is
/// copied in pieces? No copy of a piece moves a derivative.
bool movesPiece(const ActivityAnalysis &Act, const CallBase &C) {
  const KnownCall K = knownCall(C);
  auto Arg = [&](int N) { return C.getArgOperand(static_cast<unsigned>(N)); };
  return K.isCopy() && !Act.movesNoted(C) &&
         Act.shape().isWithinNumber(Arg(K.Row->B), &Cell::Varied) &&
         Act.shape().isWithinNumber(Arg(K.Row->A), &Cell::Useful);
}

} // namespace

void reportTransferLosses(const ActivityAnalysis &Act, Reporter &R) {
  if (Act.unit().DerivMode == Mode::Reverse)
    for (auto &UF : Act.unit().Functions)
      for (Instruction &I : instructions(*UF->F))
        if (auto *C = dyn_cast<CallBase>(&I); C && movesUnknownNumbers(Act, *C))
          return R.error(Diag::UnknownType, C);
  for (auto &UF : Act.unit().Functions)
    for (Instruction &I : instructions(*UF->F))
      if (auto *C = dyn_cast<CallBase>(&I); C && movesPiece(Act, *C))
        return R.error(Diag::ByteCopy, C);
      else if (movesOtherNumber(Act, I) || movesNarrower(Act, I))
        return R.error(Diag::OtherNumber, &I);
  for (auto &M : Act.shape().untypedMoves())
    if (mayLose(Act, M))
      return R.error(Diag::UnknownType, M.At);
}

} // namespace retro
