// Memory that is moved, and of which nothing says what it is: numbers in it
// would lose their derivatives. A copy of such memory is refused, unless
// something else says later what is in it. Members of ShapeBuilder
// (shape_builder.h) and of MemoryShape (memory_shape.h).
#include "facts/memory/shape_builder.h"

#include "facts/types/declared_types.h"
#include "facts/types/named_types.h"
#include "front/known/known_functions.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

/// Unindexed memory is looked at word by word up to this size.
constexpr int64_t LargestObject = 65536;

bool hasHalf(Type *T) {
  return T->isVectorTy() ? hasHalf(T->getScalarType()) : T->is16bitFPTy();
}

} // namespace

/// The bytes of [A, A + Size) of which something is known; without Numbers:
/// that they are none.
BitVector MemoryShape::knownBytes(Address A, int64_t Size,
                                  bool WithNumbers) const {
  const MemoryClass &C = Classes[A.Class];
  BitVector Known(static_cast<unsigned>(Size));
  auto Mark = [&](int64_t Offset, int64_t Bytes, bool Is) {
    int64_t D = Offset - A.Offset;
    if (C.Stride) // from the first period that may reach in
      D = wrap(C, D) - (Bytes / C.Stride + 1) * C.Stride;
    do {
      for (int64_t I = std::max<int64_t>(D, 0); I < std::min(D + Bytes, Size);
           ++I)
        Known[static_cast<unsigned>(I)] = Is;
      D += C.Stride;
    } while (C.Stride && D < Size);
  };
  auto Numbers = [&](bool Is) {
    for (const Cell &X : C.Cells)
      if (X.Kind == CellKind::Float)
        Mark(X.Offset, X.Size, Is);
    for (auto &[Offset, What] : C.Exact)
      if (What.first == CellKind::Float)
        Mark(Offset, static_cast<int64_t>(DL.getTypeStoreSize(What.second)),
             Is);
  };
  for (auto [Offset, Bytes] : C.Described)
    Mark(Offset, Bytes, true);
  Numbers(WithNumbers);
  for (const Cell &X : C.Cells)
    if (X.Kind == CellKind::Pointer ||
        (X.Kind == CellKind::Int &&
         (X.Declared || isEvident(Contents[findContent(X.Content)]))))
      Mark(X.Offset, X.Size, true);
  for (auto &[Offset, What] : C.Exact)
    if (What.first != CellKind::Float)
      Mark(Offset, static_cast<int64_t>(DL.getTypeStoreSize(What.second)),
           true);
  return Known;
}

/// The bytes of the narrowest numbers: halves only where the program has any.
unsigned MemoryShape::narrowest() const {
  if (Narrowest == 0) {
    Narrowest = 4;
    for (Function &F : U.M)
      for (Instruction &I : instructions(F))
        if (hasHalf(I.getType()) ||
            any_of(I.operands(), [](Use &O) { return hasHalf(O->getType()); }))
          Narrowest = 2;
  }
  return Narrowest;
}

/// Are there bytes, as many as a number has, of which nothing is known?
bool MemoryShape::hasGap(const BitVector &Known) const {
  const unsigned W = narrowest();
  for (unsigned I = 0; I + W <= Known.size(); I += W)
    if (Known.find_first_in(I, I + W) < 0)
      return true;
  return false;
}

/// Does the copy move a word of which neither side knows what it is?
bool MemoryShape::movesUnknown(const Copy &C) const {
  // The type of what is copied says what is padding.
  SmallVector<NamedField> Fields;
  if (Type *T = namedElement(*C.At); T && fieldsOf(T, DL, 0, Fields))
    return false;
  Address D = addressOf(C.Dst), S = addressOf(C.Src);
  const MemoryClass &To = Classes[D.Class], &From = Classes[S.Class];
  int64_t Size = std::min(C.Size, LargestObject);
  if (C.Size < 0)
    Size = std::max(To.Stride, From.Stride);
  // Of an object that is not indexed, the numbers say what the rest is.
  if (Size == 0)
    return !copiesNumber(C);
  BitVector Known = knownBytes(D, Size);
  Known |= knownBytes(S, Size);
  return hasGap(Known);
}

/// The words in an integer, or several, loaded from or stored to Ptr, of which
/// nothing says what they are: their contents. A number around a word is what
/// the word is a part of.
SmallVector<unsigned, 2> MemoryShape::unseenWords(const Value *V,
                                                  const Value *Ptr) const {
  SmallVector<unsigned, 2> Out;
  if (isa<Constant>(V))
    return Out;
  Address At = addressOf(Ptr);
  unsigned Leaf = 0;
  std::function<void(Type *, int64_t)> Visit = [&](Type *T, int64_t Offset) {
    if (auto *S = dyn_cast<StructType>(T)) {
      const StructLayout *In = DL.getStructLayout(S);
      for (unsigned N = 0; N < S->getNumElements(); ++N)
        Visit(S->getElementType(N),
              Offset + static_cast<int64_t>(In->getElementOffset(N)));
    } else if (auto *A = dyn_cast<ArrayType>(T)) {
      for (uint64_t N = 0; N < A->getNumElements(); ++N)
        Visit(A->getElementType(),
              Offset + static_cast<int64_t>(
                           N * DL.getTypeAllocSize(A->getElementType())));
    } else {
      const Content *Word = contentSeen(V, Leaf++);
      int64_t Size = static_cast<int64_t>(DL.getTypeStoreSize(T));
      if (Word && T->isIntOrIntVectorTy() && tracked(T) && !isEvident(*Word) &&
          hasGap(knownBytes({At.Class, At.Offset + Offset}, Size, false)))
        Out.push_back(Word->Parent); // its own number
    }
  };
  Visit(V->getType(), 0);
  return Out;
}

std::vector<MemoryShape::UntypedMove> MemoryShape::untypedMoves() const {
  std::vector<UntypedMove> Out;
  for (const Copy &C : Copies)
    if (movesUnknown(C))
      Out.push_back({C.At, classId(C.Src), classId(C.Dst)});
  // Words that are loaded and stored, and are nothing but that.
  DenseMap<unsigned, SmallSetVector<unsigned, 2>> LoadedFrom;
  auto Each = [&](auto Visit) {
    for (auto &UF : U.Functions)
      for (Instruction &I : instructions(*UF->F))
        Visit(I);
  };
  Each([&](Instruction &I) {
    if (isa<LoadInst>(I))
      for (unsigned Word : unseenWords(&I, I.getOperand(0)))
        LoadedFrom[Word].insert(classId(I.getOperand(0)));
  });
  Each([&](Instruction &I) {
    if (isa<StoreInst>(I))
      for (unsigned Word : unseenWords(I.getOperand(0), I.getOperand(1)))
        for (unsigned From : LoadedFrom[Word])
          Out.push_back({&I, From, classId(I.getOperand(1))});
  });
  return Out;
}

/// What is unknown of Size bytes of memory with a shadow (negative: of all)
/// may be numbers.
void ShapeBuilder::assumeNumbers(const Value *Ptr, int64_t Size) {
  Address A = addressOf(Ptr);
  const MemoryClass &C = Classes[A.Class];
  LLVMContext &Context = U.M.getContext();
  if (!(C.Origins & (FromDup | FromNumber)))
    return;
  if (Size < 0 && C.Stride == 0 && C.Cells.empty())
    fold(A.Class, 4);
  if (C.Stride && (Size < 0 || Size > C.Stride))
    Size = C.Stride;
  BitVector Known = knownBytes(A, std::clamp<int64_t>(Size, 0, LargestObject));
  auto Unknown = [&](unsigned I, unsigned Bytes) {
    return I + Bytes <= Known.size() && Known.find_first_in(I, I + Bytes) < 0;
  };
  for (unsigned I = 0; I < Known.size();) {
    const int64_t At = A.Offset + I;
    const unsigned Bytes = At % 8 == 0 && Unknown(I, 8)   ? 8
                           : At % 4 == 0 && Unknown(I, 4) ? 4
                                                          : 0;
    if (Bytes)
      cell({A.Class, At}, CellKind::Float,
           Bytes == 8 ? Type::getDoubleTy(Context) : Type::getFloatTy(Context),
           Bytes);
    I += Bytes ? Bytes : 4 - static_cast<unsigned>(At & 3);
  }
}

/// What is overwritten by bytes that are no numbers may have been numbers, of
/// whatever type: what they were has no influence any more.
void ShapeBuilder::assumeOverwrittenNumbers() {
  auto IsConstant = [](const Value *V) { // two words of a pair, too
    return isa<Constant>(V) && !isa<UndefValue>(V) &&
           V->getType()->isIntOrIntVectorTy();
  };
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto *S = dyn_cast<StoreInst>(&I);
      if (S && IsConstant(S->getValueOperand()) && !declaredInteger(I))
        assumeNumbers(S->getPointerOperand(),
                      static_cast<int64_t>(DL.getTypeStoreSize(
                          S->getValueOperand()->getType())));
      auto *C = dyn_cast<CallBase>(&I);
      if (KnownCall K = C ? knownCall(*C) : KnownCall();
          K.Kind == KnownKind::Set)
        assumeNumbers(
            C->getArgOperand(static_cast<unsigned>(K.Row->A)),
            constantSize(C->getArgOperand(static_cast<unsigned>(K.Row->C))));
    }
}

bool MemoryShape::isUntyped(const Value *V) const {
  const Content *C = contentSeen(V);
  return V->getType()->isIntegerTy() && tracked(V->getType()) &&
         !isa<Constant>(V) && !(C && isEvident(*C));
}

} // namespace retro
