// What is asked of the shape of memory; shape_builder.h says how it is found.
// Without these answers activity and emission would take a word for anything.
#include "facts/memory/shape_builder.h"

#include "base/assert.h"
#include "facts/types/named_types.h"
#include "front/known/known_functions.h"
#include "front/names/foreign.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;

namespace retro {

MemoryShape::MemoryShape(Unit &U) : U(U), DL(U.M.getDataLayout()) {}

/// That something is an integer is no more than room, where another says that
/// it is a number or pointer.
void MemoryClass::noteExact(int64_t Offset, CellKind K, Type *T, By Says) {
  const bool Is =
      (Says == By::Index ? Indexed : Exact).try_emplace(Offset, K, T).second;
  if (Says == By::Access)
    Passed.erase(Offset);
  else if (Says == By::Copy && Is)
    Passed.insert(Offset);
  if (K == CellKind::Int)
    return;
  for (const Evidence *E : {&Exact, &Indexed})
    if (auto It = E->find(Offset); It != E->end()) {
      auto &[Kind, Of] = It->second;
      if (Kind != CellKind::Int &&
          (K != Kind || T->getScalarType() != Of->getScalarType()))
        Disputed.insert(Offset);
    }
}

void MemoryShape::run(ArrayRef<Activity> Args) {
  ShapeBuilder Builder(U);
  Builder.build(Args);
  ShapeTables &Made = Builder.tables();
  static_cast<ShapeTables &>(*this) = std::move(Made);
}
unsigned MemoryShape::findContent(unsigned C) const {
  while (Contents[C].Parent != C)
    C = Contents[C].Parent;
  return C;
}

/// Integers narrow as a byte carry neither pointers nor floats.
bool MemoryShape::tracked(Type *T) const {
  T = T->getScalarType();
  return T->isPointerTy() ||
         (T->isIntegerTy() && T->getIntegerBitWidth() >= 16);
}

int64_t MemoryShape::wrap(const MemoryClass &C, int64_t Offset) const {
  if (C.Stride == 0)
    return Offset;
  int64_t R = Offset % C.Stride;
  return R < 0 ? R + C.Stride : R;
}

Address MemoryShape::find(Address A) const {
  while (ClassParent[A.Class].Class != A.Class) {
    Address P = ClassParent[A.Class];
    A.Offset += P.Offset;
    A.Class = P.Class;
  }
  return A;
}
const Cell *MemoryShape::findCell(const MemoryClass &C, int64_t Offset,
                                  CellKind K, Type *FloatTy, unsigned Size,
                                  bool Declared) const {
  Offset = wrap(C, Offset);
  for (const Cell &X : C.Cells)
    if (X.Offset == Offset && X.Kind == K && X.FloatTy == FloatTy &&
        (K != CellKind::Int || (X.Size == Size && X.Declared == Declared)))
      return &X;
  return nullptr;
}
const MemoryShape::Content *MemoryShape::contentSeen(const Value *V,
                                                     unsigned Leaf) const {
  auto It = ValueContent.find({V, Leaf});
  return It == ValueContent.end() ? nullptr
                                  : &Contents[findContent(It->second)];
}

/// Of a value that the analysis has not seen nothing is known, least of all
/// that what it points to is apart from other memory.
Address MemoryShape::addressOf(const Value *Ptr, unsigned Leaf) const {
  const Content *C = contentSeen(Ptr, Leaf);
  if (C && C->Target.Class != ~0u)
    return find(C->Target);
  const bool LeadsNowhere = C || isa<ConstantData>(Ptr);
  retroAssert(LeadsNowhere, "shape", U.root().F,
              "each value of the unit has a class");
  return {LeadsNowhere ? Nowhere : Anywhere, 0};
}

int MemoryShape::classOfLeaf(const Value *V, unsigned Leaf) const {
  return isa<ConstantData>(V) ? -1 : static_cast<int>(addressOf(V, Leaf).Class);
}

unsigned MemoryShape::targetOf(const Cell &C) const {
  const Address A = Contents[findContent(C.Content)].Target;
  return A.Class == ~0u ? Nowhere : find(A).Class;
}

Type *MemoryShape::floatCarriedBy(const Value *V) const {
  return floatCarriedAt(V, V->getType(), 0);
}

Type *MemoryShape::floatCarriedAt(const Value *V, Type *T,
                                  unsigned Leaf) const {
  T = T->getScalarType();
  if (!T->isIntegerTy() || T->getIntegerBitWidth() < 16 || isa<Constant>(V))
    return nullptr;
  const Content *C = contentSeen(V, Leaf);
  Type *F = C ? C->Float : nullptr;
  if (F && C->Pointer && !V->getType()->isAggregateType())
    if (auto K = declaredKind(V))
      F = K->second;
  if (!F)
    return nullptr;
  unsigned Bits =
      static_cast<unsigned>(DL.getTypeSizeInBits(F).getFixedValue());
  return T->getIntegerBitWidth() % Bits == 0 ? F : nullptr;
}

/// T, a part of V's type that begins with leaf Leaf, as numbersOf says.
Type *MemoryShape::numbersAt(const Value *V, Type *T, unsigned &Leaf) const {
  if (!T->isAggregateType()) {
    Type *F = floatCarriedAt(V, T, Leaf++);
    if (!F)
      return T;
    auto Lanes =
        static_cast<unsigned>(T->getPrimitiveSizeInBits().getFixedValue() /
                              F->getPrimitiveSizeInBits().getFixedValue());
    return Lanes == 1 ? F : FixedVectorType::get(F, Lanes);
  }
  auto *A = dyn_cast<ArrayType>(T);
  SmallVector<Type *> Parts;
  const unsigned N = A ? static_cast<unsigned>(A->getNumElements())
                       : T->getStructNumElements();
  for (unsigned I = 0; I < N; ++I)
    Parts.push_back(numbersAt(
        V, A ? A->getElementType() : T->getStructElementType(I), Leaf));
  if (!A)
    return equal(Parts, T->subtypes())
               ? T
               : StructType::get(T->getContext(), Parts,
                                 cast<StructType>(T)->isPacked());
  if (!all_equal(Parts))
    return StructType::get(T->getContext(), Parts);
  return Parts.empty() ? T : ArrayType::get(Parts.front(), N);
}

static bool hasIntegers(Type *T) {
  return T->isIntOrIntVectorTy() || any_of(T->subtypes(), hasIntegers);
}

Type *MemoryShape::numbersOf(const Value *V) const {
  Type *T = V->getType();
  unsigned Leaf = 0;
  return isa<Constant>(V) || !hasIntegers(T) ? T : numbersAt(V, T, Leaf);
}

bool MemoryShape::carriesPointer(const Value *V) const {
  if (V->getType()->isPtrOrPtrVectorTy())
    return true;
  if (!V->getType()->isIntegerTy(64) || isa<Constant>(V))
    return false;
  const Content *C = contentSeen(V);
  if (!C || !C->Pointer || !C->Float)
    return C && C->Pointer;
  auto K = declaredKind(V);
  return K && K->first == CellKind::Pointer;
}

bool MemoryShape::isTouched(const MemoryClass &C, const Cell &X, Address A,
                            Type *T) const {
  const auto Size = static_cast<int64_t>(DL.getTypeStoreSize(T));
  Type *S = T->getScalarType();
  // The distance from the access to the cell, in a folded class the smallest
  // that is not negative.
  int64_t D = X.Offset - A.Offset;
  if (C.Stride)
    D = wrap(C, D);
  if (D < 0 || D >= Size)
    return false;
  if (S->isFloatingPointTy() && X.FloatTy != S)
    return false;
  if (S->isPointerTy() && X.Kind != CellKind::Pointer)
    return false;
  // A narrow integer at the place of a wider number is another field that
  // folding put there, unless nothing is folded.
  return !(S->isIntegerTy() && X.Kind == CellKind::Float && X.Size > Size &&
           C.Stride);
}

/// Of a class that may be changed, or of one that may not.
template <typename Found, typename Class>
static Found cellsWhere(Class &C, function_ref<bool(const Cell &)> Is) {
  Found Out;
  for (auto &X : C.Cells)
    if (Is(X))
      Out.push_back(&X);
  return Out;
}

SmallVector<Cell *, 4> MemoryShape::cellsOf(const Value *Ptr, Type *T) {
  MemoryClass &C = classOf(Ptr);
  return cellsWhere<SmallVector<Cell *, 4>>(
      C, [&](const Cell &X) { return isTouched(C, X, addressOf(Ptr), T); });
}

SmallVector<const Cell *, 4> MemoryShape::cellsOf(const Value *Ptr,
                                                  Type *T) const {
  const MemoryClass &C = classOf(Ptr);
  return cellsWhere<SmallVector<const Cell *, 4>>(
      C, [&](const Cell &X) { return isTouched(C, X, addressOf(Ptr), T); });
}

SmallVector<const Cell *, 4> MemoryShape::cellsOverlapping(const Value *Ptr,
                                                           Type *T) const {
  const Address A = addressOf(Ptr);
  const auto Size = static_cast<int64_t>(DL.getTypeStoreSize(T));
  const MemoryClass &C = classOf(Ptr);
  return cellsWhere<SmallVector<const Cell *, 4>>(C, [&](const Cell &X) {
    int64_t D = A.Offset - X.Offset; // the access begins in the cell, or
    int64_t E = X.Offset - A.Offset; // the cell in the access
    if (C.Stride) {
      D = wrap(C, D);
      E = wrap(C, E);
    }
    return (D >= 0 && D < int64_t(X.Size)) || (E >= 0 && E < Size);
  });
}

bool MemoryShape::beginsIn(const MemoryClass &C, const Cell &X, Address A,
                           int64_t Size) const {
  int64_t D = X.Offset - A.Offset;
  if (C.Stride)
    D = wrap(C, D);
  return Size < 0 ? (D >= 0 || C.Stride) : (D >= 0 && D < Size);
}

SmallVector<Cell *, 8> MemoryShape::cellsIn(const Value *Ptr, int64_t Size) {
  MemoryClass &C = classOf(Ptr);
  return cellsWhere<SmallVector<Cell *, 8>>(
      C, [&](const Cell &X) { return beginsIn(C, X, addressOf(Ptr), Size); });
}

SmallVector<const Cell *, 8> MemoryShape::cellsIn(const Value *Ptr,
                                                  int64_t Size) const {
  const MemoryClass &C = classOf(Ptr);
  return cellsWhere<SmallVector<const Cell *, 8>>(
      C, [&](const Cell &X) { return beginsIn(C, X, addressOf(Ptr), Size); });
}

bool MemoryShape::placedExactly(const Value *Ptr, const MemoryClass &C) const {
  if (C.Stride == 0)
    return true;
  // Indexed byte by byte: objects of all kinds, wherever they begin.
  if (C.Stride < static_cast<int64_t>(DL.getPointerSize()))
    return false;
  int64_t Modulus = 0;
  while (auto *G = dyn_cast<GEPOperator>(Ptr)) {
    SmallMapVector<Value *, APInt, 4> Variable;
    APInt Constant(64, 0);
    if (!G->collectOffset(DL, 64, Variable, Constant))
      return false;
    for (auto &[Index, Scale] : Variable)
      Modulus = std::gcd(Modulus, Scale.getSExtValue());
    Ptr = G->getPointerOperand();
  }
  bool Root = isa<AllocaInst, GlobalVariable>(Ptr);
  if (auto *Call = dyn_cast<CallBase>(Ptr))
    Root = knownCall(*Call).isAllocation();
  if (auto *A = dyn_cast<Argument>(Ptr))
    Root = A->getParent() == U.root().F;
  return Root && (Modulus == 0 || Modulus > C.Stride);
}

/// Is there a cell such as X at an offset, for all that is known? In memory
/// with a stride narrower than the cell, folding does not say where one begins,
/// but the others of its type do: they are aligned alike.
bool MemoryShape::mayBeAt(const MemoryClass &C, const Cell &X, int64_t At) {
  int64_t Size = X.Size;
  if (C.Stride == 0 || C.Stride >= Size)
    return true;
  bool Seen = false;
  for (auto &[Offset, What] : C.Exact) {
    if (What.first != X.Kind || (X.FloatTy && What.second != X.FloatTy))
      continue;
    if ((At - Offset) % Size == 0)
      return true;
    Seen = true;
  }
  return !Seen;
}

bool MemoryShape::layoutAt(const Value *Ptr, int64_t Offset,
                           const Cell *&Out) const {
  Out = nullptr;
  Address A = addressOf(Ptr);
  const MemoryClass &C = Classes[A.Class];
  int64_t At = A.Offset + Offset;
  auto It = C.Exact.find(At);
  bool Known =
      It != C.Exact.end() && !C.Disputed.count(At) && placedExactly(Ptr, C);
  const Cell *Float = nullptr, *Pointer = nullptr;
  bool Mixed = false; // numbers of two types that folding put there
  for (const Cell &X : C.Cells) {
    if (X.Offset != wrap(C, At) || !mayBeAt(C, X, At))
      continue;
    if (X.Kind == CellKind::Pointer)
      Pointer = &X;
    if (X.Kind != CellKind::Float)
      continue;
    Mixed |= Float && Float->active() && X.active();
    if (!Float || X.active())
      Float = &X;
  }
  if (Mixed && Known && It->second.first == CellKind::Float)
    for (const Cell &X : C.Cells)
      if (X.Offset == wrap(C, At) && X.FloatTy == It->second.second)
        Float = &X;
  if (Mixed || (Float && Pointer)) {
    // An integer there is another field only where folding put them together,
    // and if it is none that types give as room for words.
    if (!Known || (Float && Pointer && C.Passed.count(At)) ||
        (It->second.first == CellKind::Int &&
         (!C.Stride ||
          DL.getTypeStoreSize(It->second.second) >= DL.getPointerSize())))
      return false;
    Out = It->second.first == CellKind::Float     ? Float
          : It->second.first == CellKind::Pointer ? Pointer
                                                  : nullptr;
    return true;
  }
  Out = Float ? Float : Pointer;
  // An integer field that only folding put there. As a number it would carry
  // its adjoint, which is zero, but for a pointer beside it.
  if (Out &&
      !(Out->Kind == CellKind::Float && Out->active() &&
        !holdsAt(Ptr, Offset, CellKind::Pointer)) &&
      Known && It->second.first == CellKind::Int && C.Stride &&
      any_of(C.Cells, [&](const Cell &X) {
        return X.Offset == wrap(C, At) && isOwnInteger(X);
      }))
    Out = nullptr;
  return true;
}

bool MemoryShape::layoutOfPeriod(const Value *Ptr, int64_t Offset,
                                 const Cell *&Out) const {
  Out = nullptr;
  Address A = addressOf(Ptr);
  const MemoryClass &C = Classes[A.Class];
  bool Pointer = false;
  for (const Cell &X : C.Cells) {
    if (X.Offset != wrap(C, A.Offset + Offset) || X.Kind == CellKind::Int)
      continue;
    Pointer |= X.Kind == CellKind::Pointer;
    if (Out && (Pointer || (Out->active() && X.active())))
      return false;
    if (!Out || X.active())
      Out = &X;
  }
  return true;
}

/// Does the cell have a byte of the word at offset At?
bool MemoryShape::overlapsWord(const MemoryClass &C, const Cell &X,
                               int64_t At) const {
  const auto Word = static_cast<int64_t>(DL.getPointerSize());
  const auto Size = static_cast<int64_t>(X.Size);
  const int64_t D = C.Stride ? wrap(C, X.Offset - At) : X.Offset - At;
  return (D >= 0 && D < Word) || (D < 0 && D + Size > 0) ||
         (C.Stride && D > 0 && D - C.Stride + Size > 0);
}

bool MemoryShape::holdsAt(const Value *Ptr, int64_t Offset, CellKind K) const {
  Address A = addressOf(Ptr);
  const MemoryClass &C = Classes[A.Class];
  return any_of(C.Cells, [&](const Cell &X) {
    return X.Kind == K && (K != CellKind::Float || X.active()) &&
           overlapsWord(C, X, A.Offset + Offset);
  });
}

bool MemoryShape::holdsHalf(const Value *Ptr) const {
  const Address A = addressOf(Ptr);
  const MemoryClass &C = Classes[A.Class];
  return (C.Stride == 0 || C.Stride > 8) && any_of(C.Cells, [&](const Cell &X) {
           return X.Kind == CellKind::Int && X.Size == 4 &&
                  X.Offset == wrap(C, A.Offset);
         });
}

bool MemoryShape::isReachable(const MemoryClass &C) {
  return (C.Origins & (FromDup | FromConst | FromUnknown | FromNumber)) ||
         any_of(C.Globals, [](const GlobalVariable *G) {
           return !G->isConstant() &&
                  !isA(G->getName(), NameKind::VirtualTable);
         });
}

/// May a word hold pointers and numbers of half its size? What it is, its
/// shadow says: the upper half of an address is no number that matters. That
/// holds where no address is so low that its upper half is zero, and where it
/// is known where words begin. The shadow of a pointer is taken away with it,
/// which a caller could see.
bool MemoryShape::settlesHalves(const MemoryClass &C, Align Known) const {
  return (C.Stride % 8 == 0 || (C.Stride == 4 && Known >= Align(8))) &&
         !isReachable(C) && !isGpu(U.M) && DL.getPointerSize() == 8 &&
         U.M.getPICLevel() != PICLevel::NotPIC;
}

std::optional<MemoryShape::Either>
MemoryShape::wordAt(const Value *Ptr, int64_t Offset, Align Known) const {
  Address A = addressOf(Ptr);
  const MemoryClass &C = Classes[A.Class];
  const int64_t At = A.Offset + Offset;
  Either Word;
  for (const Cell &X : C.Cells) {
    if (X.Kind == CellKind::Int || !overlapsWord(C, X, At) ||
        (X.Kind == CellKind::Float && !X.active()))
      continue;
    const int64_t D = C.Stride ? wrap(C, X.Offset - At) : X.Offset - At;
    const bool Half = X.Kind == CellKind::Float && X.FloatTy->isFloatTy();
    Type *T = Half ? FixedVectorType::get(X.FloatTy, 2) : X.FloatTy;
    if (Half ? D < 0 || D % 4 != 0 || !settlesHalves(C, Known)
             : D != 0 || X.Size != DL.getPointerSize())
      return std::nullopt;
    if (T && Word.Number && T != Word.Number)
      return std::nullopt;
    Word.Pointer |= X.Kind == CellKind::Pointer;
    if (T)
      Word.Number = T;
  }
  // Two numbers in a word that is no pointer are told one by one.
  if (Word.Number && Word.Number->isVectorTy() && !Word.Pointer)
    return std::nullopt;
  return Word;
}

bool MemoryShape::mayMove(const Cell &X, const LoadInst &L) const {
  const auto Size = static_cast<int64_t>(DL.getTypeStoreSize(L.getType()));
  if (int64_t(X.Size) <= Size)
    return true;
  const MemoryClass &C = Classes[addressOf(L.getPointerOperand()).Class];
  // In the upper half lie the exponent, and what tells addresses apart.
  return any_of(C.Cells, [&](const Cell &Y) {
    return Y.Kind == CellKind::Int && Y.Size < X.Size &&
           (C.Stride ? wrap(C, Y.Offset - X.Offset) : Y.Offset - X.Offset) >
               0 &&
           overlapsWord(C, Y, X.Offset);
  });
}

bool MemoryShape::pointerBeginsAt(const Value *Ptr, int64_t Offset) const {
  const Address A = addressOf(Ptr);
  const MemoryClass &C = Classes[A.Class];
  return any_of(C.Cells, [&](const Cell &X) {
    return X.Kind == CellKind::Pointer &&
           X.Offset == wrap(C, A.Offset + Offset);
  });
}

bool MemoryShape::isWithinNumber(const Value *Ptr, bool Cell::*Matters) const {
  const Address A = addressOf(Ptr);
  const MemoryClass &C = Classes[A.Class];
  auto Before = [&](const Cell &X) {
    return C.Stride ? wrap(C, A.Offset - X.Offset) : A.Offset - X.Offset;
  };
  return none_of(C.Cells, [&](const Cell &X) { return Before(X) == 0; }) &&
         any_of(C.Cells, [&](const Cell &X) {
           return X.Kind == CellKind::Float && X.*Matters && Before(X) > 0 &&
                  Before(X) < int64_t(X.Size);
         });
}

bool MemoryShape::hasHalves(const Value *Ptr, int64_t Size) const {
  Address A = addressOf(Ptr);
  const MemoryClass &C = Classes[A.Class];
  if (!settlesHalves(C, Align(8)))
    return false;
  auto Meets = [&](const Cell &Number, const Cell &Pointer) {
    return Pointer.Kind == CellKind::Pointer &&
           overlapsWord(C, Number, Pointer.Offset);
  };
  return any_of(C.Cells, [&](const Cell &X) {
    const int64_t From = X.Offset - A.Offset;
    return X.Kind == CellKind::Float && X.FloatTy->isFloatTy() && X.active() &&
           (C.Stride || (From > -8 && (Size < 0 || From < Size + 4))) &&
           any_of(C.Cells, [&](const Cell &Y) { return Meets(X, Y); });
  });
}

/// Indexed in steps narrower than a number, which is accessed or moved where no
/// array of such would have one: what is only moved may lie anywhere. Or
/// numbers lie across each other, those of one time and those of another.
bool MemoryShape::isLoose(const MemoryClass &C) const {
  auto IsNumber = [](const Cell &X) {
    return X.Kind == CellKind::Float && X.active();
  };
  auto MeetsOther = [&](const Cell &X) {
    return any_of(C.Cells, [&](const Cell &Y) {
      const int64_t D =
          C.Stride ? wrap(C, Y.Offset - X.Offset) : Y.Offset - X.Offset;
      return IsNumber(Y) && D > 0 && D < int64_t(X.Size);
    });
  };
  if (any_of(C.Cells,
             [](const Cell &X) { return X.Kind == CellKind::Pointer; }))
    return false;
  return any_of(C.Cells, [&](const Cell &X) {
    if (!IsNumber(X))
      return false;
    const unsigned Least =
        std::min({X.Aligned, C.PartAlign, X.Declared ? 16 : C.MoveAlign});
    return (C.Stride && C.Stride < int64_t(X.Size) &&
            Least < std::min(X.Size, 8u)) ||
           MeetsOther(X);
  });
}

bool MemoryShape::isTyped(const Value *Ptr, int64_t Offset) const {
  APInt At(DL.getIndexTypeSizeInBits(Ptr->getType()), 0);
  const Value *Root =
      Ptr->stripAndAccumulateConstantOffsets(DL, At, /*AllowNonInbounds=*/true);
  auto *A = dyn_cast<AllocaInst>(Root);
  auto *G = dyn_cast<GlobalVariable>(Root);
  SmallVector<NamedField> Fields;
  if ((!A && !G) ||
      !fieldsOf(A ? A->getAllocatedType() : G->getValueType(), DL, 0, Fields))
    return false;
  return any_of(Fields, [&](const NamedField &F) {
    return F.Offset == At.getSExtValue() + Offset &&
           (F.T->isFloatingPointTy() || F.T->isPointerTy());
  });
}

bool MemoryShape::isDeclaredOnly(const Value *Ptr, int64_t Offset) const {
  Address A = addressOf(Ptr);
  const MemoryClass &C = Classes[A.Class];
  auto It = C.Exact.find(A.Offset + Offset);
  return C.Stride == 0 && It != C.Exact.end() &&
         It->second.first == CellKind::Float &&
         none_of(C.Cells, [&](const Cell &X) { return X.Offset == It->first; });
}

bool MemoryShape::isDeclared(const Value *Ptr, Type *T) const {
  Address A = addressOf(Ptr);
  const MemoryClass &C = Classes[A.Class];
  auto It = C.Exact.find(A.Offset);
  return It != C.Exact.end() && It->second.second == T &&
         !C.Disputed.count(A.Offset) && placedExactly(Ptr, C);
}

bool MemoryShape::mayCoincide(unsigned A, unsigned B) const {
  A = find(A).Class;
  B = find(B).Class;
  if (A == B || SameMemory.isEquivalent(A, B))
    return true;
  const MemoryClass &X = Classes[A], &Y = Classes[B];
  auto Known = [](const MemoryClass &C) {
    return !C.fromOutside() && !C.Linked;
  };
  if (Known(X) || Known(Y))
    return false;
  auto OnlyLed = [](const MemoryClass &C) {
    return C.LedBy && !C.isOthers() && !C.Linked;
  };
  if (OnlyLed(X) || OnlyLed(Y))
    return X.LedBy == MemoryClass::LedAnywhere ||
           Y.LedBy == MemoryClass::LedAnywhere || X.LedBy == Y.LedBy ||
           (X.LedBy && Y.LedBy &&
            (X.LedBy == MemoryClass::LedDirectly ||
             Y.LedBy == MemoryClass::LedDirectly) &&
            !((X.LedBy | Y.LedBy) & MemoryClass::LedAlone));
  // Two globals are two objects; another pointer may point to either.
  if (X.Origins == FromGlobal && Y.Origins == FromGlobal)
    return false;
  return !X.Exclusive && !Y.Exclusive;
}

int64_t MemoryShape::constantSize(const Value *N) {
  auto *C = dyn_cast<ConstantInt>(N);
  return C ? static_cast<int64_t>(C->getZExtValue()) : -1;
}

} // namespace retro
