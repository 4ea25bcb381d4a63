// Input: a copy, fill or store, and what memory holds. Output: which words are
// numbers, pointers or either. The derivative of a number that is left out
// here is lost; what is not known is said to be so.
#include "facts/activity/transfer_layout.h"

#include "facts/types/declared_types.h"
#include "facts/types/named_types.h"
#include "front/known/known_functions.h"

#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace retro {
namespace {

/// Unindexed memory is looked at word by word up to this size.
constexpr int64_t LargestObject = 65536;

class LayoutFinder {
public:
  LayoutFinder(const ActivityAnalysis &Act, const Value *Ptr, int64_t Bytes,
               Align Known)
      : Shape(Act.shape()), Ptr(Ptr), Bytes(Bytes), Known(Known),
        DL(Act.unit().M.getDataLayout()) {}
  std::optional<TransferLayout> find();
  /// The layout of an array of numbers in whose class others have been copied.
  std::optional<TransferLayout> findDeclared();
  /// The layout of objects of type T.
  std::optional<TransferLayout> findNamed(Type *T);

private:
  bool words(int64_t Size);
  bool leadsToShadow(int64_t Off) const;
  bool endsInNext(int64_t Off, const Cell &X) const;
  bool pushEither(int64_t Off);
  void pushHalf(int64_t Off, int64_t Size);
  bool hasBoth(int64_t Off) const;
  bool hasWhole(int64_t Off) const;
  bool allWords();
  bool mayHoldBits(int64_t Offset, Type *T) const;
  bool isDisputed(int64_t Off, Type *T) const;
  bool isPartOfWider(int64_t Off, int64_t Step) const;
  Type *onlyNumber();
  std::optional<TransferLayout> arrayOf(Type *F) const;
  void push(SmallVectorImpl<Run> &Runs, int64_t Offset, Type *T);

  const MemoryShape &Shape;
  const Value *Ptr;
  int64_t Bytes; ///< negative: not constant
  Align Known;   ///< of what is written, or of what is read
  const DataLayout &DL;
  /// Are all words settled by the running program that it can tell?
  bool Settle = false;
  TransferLayout Out;
};

void LayoutFinder::push(SmallVectorImpl<Run> &Runs, int64_t Offset, Type *T) {
  if (!Runs.empty() && Runs.back().T == T &&
      Runs.back().Offset + Runs.back().Repeat * stepOf(T, DL) == Offset)
    ++Runs.back().Repeat;
  else
    Runs.push_back({Offset, T});
}

/// Does a pointer that lies at Off lead to memory with a shadow?
bool LayoutFinder::leadsToShadow(int64_t Off) const {
  return any_of(Shape.cellsIn(Ptr, Off + 8), [&](const Cell *X) {
    return X->Kind == CellKind::Pointer &&
           Shape.classAt(Shape.targetOf(*X)).Shadowed;
  });
}

/// The word at Off, where there are pointers as well as numbers. What it is,
/// the running program can tell. False: nobody can.
bool LayoutFinder::pushEither(int64_t Off) {
  auto Word = Shape.wordAt(Ptr, Off, Known);
  if (!Word || !Word->Pointer)
    return false;
  if (!Word->Number) // those that are there have no adjoints
    push(Out.Pointers, Off, PointerType::getUnqual(Ptr->getContext()));
  else // a pointer to memory without a shadow has none itself: it adds 0
    push(leadsToShadow(Off) ? Out.Either : Out.Numbers, Off, Word->Number);
  return true;
}

/// The number in the first half of a word of which no more is moved.
void LayoutFinder::pushHalf(int64_t Off, int64_t Size) {
  auto *Halves =
      dyn_cast_or_null<FixedVectorType>(Shape.wordAt(Ptr, Off, Known)->Number);
  if (Halves && Off + 4 <= Size)
    push(Out.Numbers, Off, Halves->getElementType());
}

/// Are there pointers as well as active numbers at Off?
bool LayoutFinder::hasBoth(int64_t Off) const {
  auto Word = Shape.wordAt(Ptr, Off, Known);
  if (Word)
    return Word->Pointer && Word->Number;
  // Numbers of two types, or narrower ones, where a pointer begins.
  return Shape.holdsAt(Ptr, Off, CellKind::Float) &&
         Shape.pointerBeginsAt(Ptr, Off);
}

/// Is nothing at Off, but for integers, that is narrower than a word?
bool LayoutFinder::hasWhole(int64_t Off) const {
  return Shape.wordAt(Ptr, Off, Known).has_value();
}

/// Does X end in the next period, before anything else is there?
bool LayoutFinder::endsInNext(int64_t Off, const Cell &X) const {
  auto IsBefore = [&](const Run &R) {
    return R.Offset + Out.Period < Off + int64_t(X.Size);
  };
  return X.Kind == CellKind::Float && int64_t(X.Size) <= Out.Period &&
         none_of(Out.Numbers, IsBefore) && none_of(Out.Pointers, IsBefore) &&
         none_of(Out.Either, IsBefore);
}

/// The words of the first Size bytes; false if the layout is not known.
bool LayoutFinder::words(int64_t Size) {
  if (Size > LargestObject)
    return false;
  for (int64_t Off = 0; Off < Size;) {
    const Cell *X;
    // Where numbers and pointers both lie at this place, one access does not
    // settle which it is. The type of a variable does, if folding has put other
    // objects there.
    const bool HoldsBoth =
        hasBoth(Off) &&
        (Settle || Shape.classOf(Ptr).Stride == 0 || !Shape.isTyped(Ptr, Off));
    if (HoldsBoth || !(Out.Period ? Shape.layoutOfPeriod(Ptr, Off, X)
                                  : Shape.layoutAt(Ptr, Off, X))) {
      // A part of a word behind whole words is a narrower field. If it is half
      // of a number, whose other half is moved by itself, the copy is refused.
      if (Off + 8 <= Size ? !pushEither(Off) : Off < 8 || !hasWhole(Off))
        return false;
      if (Off + 8 > Size)
        pushHalf(Off, Size);
      Off += 8;
      continue;
    }
    if (!X && !Out.Period && Shape.isDeclaredOnly(Ptr, Off))
      return false;
    if (X && Out.Period && Off + X->Size > Size && !endsInNext(Off, *X))
      return false;
    if (X && (Out.Period || Off + X->Size <= Size)) {
      if (X->Kind == CellKind::Float)
        push(Out.Numbers, Off, X->FloatTy);
      else if (X->Kind == CellKind::Pointer)
        push(Out.Pointers, Off, PointerType::getUnqual(Ptr->getContext()));
    }
    Off += X ? X->Size : 1;
  }
  return true;
}

/// The type of all cells, if they are numbers of one type at its multiples.
Type *LayoutFinder::onlyNumber() {
  Type *F = nullptr;
  int64_t Start = Shape.addressOf(Ptr).Offset;
  for (const Cell *X : Shape.cellsIn(Ptr, Bytes)) {
    if (X->Kind == CellKind::Int)
      continue;
    if (X->Kind != CellKind::Float || (F && F != X->FloatTy) ||
        (X->Offset - Start) % stepOf(X->FloatTy, DL) != 0)
      return nullptr;
    F = X->FloatTy;
  }
  return F;
}

/// The words of what is copied, or of a period of it.
bool LayoutFinder::allWords() {
  const int64_t Stride = Shape.classOf(Ptr).Stride;
  Out = TransferLayout();
  if (Bytes >= 0 && (Bytes <= 64 || Stride == 0))
    return words(Bytes);
  // Indexed by halves, with pointers among them: words lie at their multiples.
  const auto Word = Shape.wordAt(Ptr, 0, Known);
  const bool Halves =
      Stride == 4 && Word && Word->Number && Word->Number->isVectorTy();
  Out.Period = Halves ? 8 : Stride;
  if (Halves) // there may be one more
    Out.Numbers.push_back({0, Word->Number->getScalarType(), 0});
  return Stride != 0 && words(Out.Period);
}

/// An array of numbers of type F; none if that is null.
std::optional<TransferLayout> LayoutFinder::arrayOf(Type *F) const {
  if (!F)
    return std::nullopt;
  TransferLayout L;
  L.Period = stepOf(F, DL);
  L.Numbers.push_back({0, F});
  return L;
}

std::optional<TransferLayout> LayoutFinder::find() {
  // A layout without the numbers that are known to be here is none.
  bool Active = any_of(Shape.cellsIn(Ptr, Bytes), [](const Cell *X) {
    return X->Kind == CellKind::Float && X->active();
  });
  for (bool All : {false, true}) {
    Settle = All;
    if (allWords() && (!Active || !Out.Numbers.empty() || !Out.Either.empty()))
      return Out;
  }
  return arrayOf(onlyNumber());
}

/// Numbers that nothing accesses here came from bytes that are copied here, or
/// go to such. What is only copied from here has none of them.
std::optional<TransferLayout> LayoutFinder::findDeclared() {
  const MemoryClass &C = Shape.classOf(Ptr);
  const int64_t Start = Shape.addressOf(Ptr).Offset;
  Type *F = nullptr;
  for (const Cell *X : Shape.cellsIn(Ptr, Bytes)) {
    if (X->Kind == CellKind::Int ||
        (X->Kind == CellKind::Float && !X->active()))
      continue;
    if (X->Kind == CellKind::Pointer || (F && X->Declared && F != X->FloatTy) ||
        (X->Declared && (X->Offset - Start) % stepOf(X->FloatTy, DL) != 0) ||
        (!X->Declared && C.CopiedTo))
      return std::nullopt;
    if (X->Declared)
      F = X->FloatTy;
  }
  return arrayOf(F);
}

/// May a field that is declared an integer hold the bits of something else, for
/// all that accesses say?
bool LayoutFinder::mayHoldBits(int64_t Offset, Type *T) const {
  const Cell *X;
  return T->getIntegerBitWidth() >= 16 &&
         (!Shape.layoutAt(Ptr, Offset, X) || X);
}

/// Does the memory have at Off what the type of an object has not: may a
/// program keep a number in a pointer's place, or the other way round?
bool LayoutFinder::isDisputed(int64_t Off, Type *T) const {
  return Shape.holdsAt(Ptr, Off,
                       T->isPointerTy() ? CellKind::Float : CellKind::Pointer);
}

/// Does the program also keep a wider number in objects of that size, a part of
/// which would lie at Off?
bool LayoutFinder::isPartOfWider(int64_t Off, int64_t Step) const {
  const MemoryClass &C = Shape.classOf(Ptr);
  if (C.Stride % Step != 0)
    return false;
  const int64_t At = Shape.addressOf(Ptr).Offset + Off;
  return any_of(C.Cells, [&](const Cell &X) {
    int64_t D = At - X.Offset;
    if (C.Stride)
      D = ((D % C.Stride) + C.Stride) % C.Stride;
    return X.Kind == CellKind::Float && X.active() && X.Declared &&
           X.Size > 4 && D >= 0 && D < int64_t(X.Size);
  });
}

/// What is declared to be a number or a pointer may be room for the other: the
/// memory has to agree, or the word is settled when the program runs.
std::optional<TransferLayout> LayoutFinder::findNamed(Type *T) {
  if (T->isIntegerTy() &&
      Shape.ownsIntegerAt(Ptr, 0, T->getIntegerBitWidth() / 8))
    return TransferLayout();
  SmallVector<NamedField> Fields;
  if (!fieldsOf(T, DL, 0, Fields))
    return std::nullopt;
  const auto Step = static_cast<int64_t>(DL.getTypeAllocSize(T));
  Out = TransferLayout();
  Out.Period = Bytes == Step ? 0 : Step;
  int64_t Settled = -8; // the last word that is settled when the program runs
  int64_t Halved = -8;  // the last one whose first half is a number
  int64_t Covered = 0;  // what lies before it is a part of a number
  for (auto [Offset, F] : Fields) {
    const int64_t Word = Offset / 8 * 8;
    if (Word == Settled || Offset < Covered)
      continue;
    // The integer is no half of an address, as the word's other half is a
    // number, which has been moved. Its adjoint is zero.
    if (Word == Halved && F->isIntegerTy(32)) {
      if (mayHoldBits(Offset, F))
        push(Out.Numbers, Offset, Type::getFloatTy(F->getContext()));
      continue;
    }
    // What the program keeps there is no number of that type, or none by type.
    const Cell *X = nullptr;
    if (!F->isPointerTy() && Shape.classOf(Ptr).Stride % Step == 0 &&
        Shape.layoutAt(Ptr, Offset, X) && X && X->Kind == CellKind::Float &&
        X->active() && X->FloatTy != F && X->Size >= DL.getTypeStoreSize(F) &&
        !Shape.holdsAt(Ptr, Offset, CellKind::Pointer)) {
      Covered = Offset + int64_t(X->Size);
      if (Covered > Step)
        return std::nullopt;
      push(Out.Numbers, Offset, X->FloatTy);
      continue;
    }
    if (F->isFloatTy() && isPartOfWider(Offset, Step))
      return std::nullopt;
    // No pointer is kept in what is narrower than one.
    if (F->isFloatingPointTy() &&
        (!isDisputed(Offset, F) ||
         (F->isFloatTy() && Shape.hasHalves(Ptr, -1)))) {
      push(Out.Numbers, Offset, F);
      Halved = F->isFloatTy() ? Word : Halved;
    } else if (F->isPointerTy() && !isDisputed(Offset, F))
      push(Out.Pointers, Offset, F);
    else if (!F->isIntegerTy() || mayHoldBits(Offset, F)) {
      if (!pushEither(Word))
        return std::nullopt;
      Settled = Word;
    }
  }
  return Out;
}

/// Do the first Bytes bytes end inside of an active number? Objects of several
/// classes may lie in this memory. A part that no number is as narrow as is
/// another field, of another class than the number.
bool endsInNumber(const MemoryShape &Shape, const Value *Ptr, int64_t Bytes) {
  const Cell *X;
  const bool Halves = any_of(Shape.classOf(Ptr).Cells, [](const Cell &C) {
    return C.Kind == CellKind::Float && C.Size < 4;
  });
  const int64_t Narrowest = Halves ? 2 : 4;
  for (int64_t Off = 0; Off < std::min(Bytes, LargestObject);
       Off += X ? X->Size : 1)
    if (!Shape.layoutAt(Ptr, Off, X))
      return false;
    else if (X && X->Kind == CellKind::Float && X->active() &&
             Off + X->Size > Bytes)
      return Bytes - Off >= Narrowest;
  return false;
}

/// What is moved begins inside of a number, or is aligned for narrower ones:
/// this part of the memory is no part of the array that is indexed around it,
/// and nothing is known of it.
bool besideNumbers(const ActivityAnalysis &Act, const Value *Ptr,
                   const TransferLayout &L, uint64_t Aligned) {
  const MemoryShape &Shape = Act.shape();
  const int64_t Stride = Shape.classOf(Ptr).Stride;
  if (Stride == 0)
    return false;
  // Of bytes no alignment is known, which says nothing. What begins before a
  // number is aligned as its place in the object is.
  const DataLayout &DL = Act.unit().M.getDataLayout();
  if (Aligned > 1 && any_of(L.Numbers, [&](const Run &R) {
        return commonAlignment(DL.getABITypeAlign(R.T),
                               static_cast<uint64_t>(R.Offset))
                   .value() > Aligned;
      }))
    return true;
  const Cell *First;
  if (!Shape.layoutAt(Ptr, 0, First) || First)
    return false;
  const int64_t At = ((Shape.addressOf(Ptr).Offset % Stride) + Stride) % Stride;
  return any_of(Shape.cellsOverlapping(Ptr, Type::getInt8Ty(Ptr->getContext())),
                [&](const Cell *X) {
                  return X->Kind == CellKind::Float && X->active() &&
                         X->Offset != At && Stride % X->Size == 0;
                });
}

/// May numbers Step bytes apart matter? They do if one of them is active, and
/// may if none of that size is known.
bool mayMatter(const MemoryClass &C, int64_t Step, const DataLayout &DL) {
  bool Known = false;
  for (const Cell &X : C.Cells)
    if (X.Kind == CellKind::Float && stepOf(X.FloatTy, DL) == Step) {
      if (X.active())
        return true;
      Known = true;
    }
  return !Known;
}

} // namespace

/// How that side of a copy is aligned of which more is known, or what a fill
/// writes: a word that both have whole begins at its multiples.
static Align wordsOf(const CallBase &C) {
  const Align To = C.getParamAlign(0).valueOrOne();
  return isa<AnyMemSetInst>(C) ? To
                               : std::max(To, C.getParamAlign(1).valueOrOne());
}

/// Of bytes the other side says what is copied, if that is none of bytes.
std::optional<TransferLayout> knownLayout(const ActivityAnalysis &Act,
                                          const CallBase &C) {
  const KnownFunction &Row = *knownCall(C).Row;
  auto Arg = [&](int N) { return C.getArgOperand(static_cast<unsigned>(N)); };
  const int64_t Size = MemoryShape::constantSize(Arg(Row.C));
  const bool Copies = knownCall(C).isCopy();
  LayoutFinder To(Act, Arg(Row.A), Size, wordsOf(C));
  if (Type *T = namedElement(C))
    if (auto L = To.findNamed(T))
      return L;
  if (!Copies)
    return To.find();
  if (!Act.shape().isLoose(Arg(Row.A))) {
    auto L = To.find();
    return L ? L : To.findDeclared();
  }
  if (Act.shape().isLoose(Arg(Row.B)))
    return std::nullopt;
  LayoutFinder From(Act, Arg(Row.B), Size, wordsOf(C));
  auto L = From.find();
  return L ? L : From.findDeclared();
}

TransferLayout plannedLayout(const ActivityAnalysis &Act, const CallBase &C) {
  std::optional<TransferLayout> L = transferLayout(Act, C);
  retroAssert(L, "plan", C.getFunction(),
              "what is moved word by word consists of known words");
  return *L;
}

std::optional<TransferLayout> transferLayout(const ActivityAnalysis &Act,
                                             const CallBase &C) {
  if (!Act.movesNoted(C))
    return knownLayout(Act, C);
  TransferLayout L;
  L.Noted = true;
  return L;
}

bool fitsMask(const TransferLayout &L) {
  int64_t Words = 0;
  for (const Run &R : L.Either) {
    Words += R.Repeat;
    if (R.Repeat > MostUnrolled)
      return false;
  }
  return L.Period == 0 && Words <= 64;
}

bool movesEither(const ActivityAnalysis &Act, const CallBase &C) {
  const KnownFunction &Row = *knownCall(C).Row;
  auto Arg = [&](int N) { return C.getArgOperand(static_cast<unsigned>(N)); };
  // This is asked of each copy, and most have no pointers beside numbers.
  bool Number = false, Pointer = false;
  for (const Cell *X :
       Act.shape().cellsIn(Arg(Row.A), MemoryShape::constantSize(Arg(Row.C)))) {
    Number |= X->Kind == CellKind::Float && X->active();
    Pointer |= X->Kind == CellKind::Pointer;
  }
  if (!Number || !Pointer)
    return false;
  auto L = transferLayout(Act, C);
  return L && !L->Either.empty();
}

bool writesHalves(const ActivityAnalysis &Act, const Instruction &I) {
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    const Value *P = S->getPointerOperand();
    if (!Act.shadowed(P))
      return false;
    // Two narrow numbers may be in a word that LLVM stores as one.
    if (Act.notesAmongPointers(P))
      return shadowStored(Act, *S) == ShadowStore::Nothing;
    // What is as wide as a word, and no number by itself, is preceded by zeros.
    Type *T = S->getValueOperand()->getType();
    return T->getScalarSizeInBits() < 64 && T->getScalarSizeInBits() &&
           Act.shape().hasHalves(
               P, static_cast<int64_t>(S->getDataLayout().getTypeStoreSize(T)));
  }
  auto *C = dyn_cast<CallBase>(&I);
  if (!C || !knownCall(*C).isCopy())
    return false;
  const KnownFunction &Row = *knownCall(*C).Row;
  auto Arg = [&](int N) { return C->getArgOperand(static_cast<unsigned>(N)); };
  if (!Act.shadowed(Arg(Row.A)) ||
      (!Act.notesAmongPointers(Arg(Row.A)) &&
       !Act.shape().hasHalves(Arg(Row.A),
                              MemoryShape::constantSize(Arg(Row.C)))))
    return false;
  auto L = transferLayout(Act, *C);
  return L && any_of(L->Numbers, [](const Run &R) { return R.T->isFloatTy(); });
}

ShadowStore shadowStored(const ActivityAnalysis &Act, const StoreInst &S) {
  const Value *V = S.getValueOperand(), *P = S.getPointerOperand();
  if (!Act.shadowed(P))
    return ShadowStore::Nothing;
  // The colour of a tree's node, which is an enumeration. Characters of strings
  // may be in the same class, and those have no shadow.
  const bool IsMirrored = V->getType()->isIntegerTy(32) &&
                          !Act.adjointType(V) &&
                          Act.shape().classOf(P).Mirrored;
  // Where null or another constant is written over a pointer, the shadow has
  // none either.
  const bool IsOver =
      !IsMirrored && isa<Constant>(V) && !containsFloat(V->getType()) &&
      any_of(Act.shape().cellsOf(P, V->getType()),
             [](const Cell *C) { return C->Kind == CellKind::Pointer; });
  if (Act.shadowed(V) || IsOver)
    return ShadowStore::Pointer;
  return IsMirrored ? ShadowStore::Number : ShadowStore::Nothing;
}

bool isVisibleOutside(const MemoryShape &Shape, const Value *Ptr) {
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(Ptr, Objects);
  auto IsLocal = [](const Value *Object) {
    auto *C = dyn_cast<CallBase>(Object);
    return isa<AllocaInst, ConstantPointerNull>(Object) ||
           (C && knownCall(*C).isAllocation());
  };
  return !all_of(Objects, IsLocal) && (Shape.originsOf(Ptr) & FromDup);
}

/// Is P in what LLVM has left of a variable, bytes whose alignment says nothing
/// of the variable's parts?
static bool isInSlice(const Value *P) {
  auto *A = dyn_cast<AllocaInst>(getUnderlyingObject(P));
  auto *T = A ? dyn_cast<ArrayType>(A->getAllocatedType()) : nullptr;
  return T && T->getElementType()->isIntegerTy(8);
}

/// How what is moved is aligned, by the side of which less is known.
static uint64_t alignmentOf(const CallBase &C, const Value *To,
                            const Value *From) {
  const Align A = C.getParamAlign(0).valueOrOne(),
              B = C.getParamAlign(1).valueOrOne();
  if (isInSlice(To) != isInSlice(From))
    return (isInSlice(To) ? B : A).value();
  return std::min(A, B).value();
}

bool copiesBesideNumbers(const ActivityAnalysis &Act, const CallBase &C) {
  KnownCall K = knownCall(C);
  auto Arg = [&](int N) { return C.getArgOperand(static_cast<unsigned>(N)); };
  int64_t N = MemoryShape::constantSize(Arg(K.Row->C));
  auto L = transferLayout(Act, C);
  if (!L || L->Noted || namedElement(C))
    return false;
  uint64_t Aligned = alignmentOf(C, Arg(K.Row->A), Arg(K.Row->B));
  // What the program says to move is aligned as its parts are, and ends where
  // one of them does.
  auto Narrow = declaredElement(C);
  if (Narrow &&
      mayMatter(Act.shape().classOf(Arg(K.Row->A)),
                static_cast<int64_t>(*Narrow), Act.unit().M.getDataLayout())) {
    Aligned = Aligned == 1 ? *Narrow : std::min(Aligned, *Narrow);
    if (endsInNumber(Act.shape(), Arg(K.Row->A), N))
      return true;
  }
  return besideNumbers(Act, Arg(K.Row->A), *L, Aligned) ||
         besideNumbers(Act, Arg(K.Row->B), *L, Aligned);
}

} // namespace retro
