// Input: loads from Fortran descriptors, which say what a variable is: the size
// of an element, rank, type, attribute. For one variable these never change,
// nor does the table of its derived type where it is neither allocatable nor a
// pointer.
// Output: constants, where all stores agree. Without this the runtime's models
// stay general, with loops over a rank that nobody knows.
#include "prepare/calls/descriptors.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// The version number that a descriptor has behind base and element size.
constexpr uint64_t Version = 20240719;
constexpr int64_t VersionAt = 16;
/// The part that never changes: from the element's size to the end of the
/// header.
constexpr int64_t First = 8, End = 24, RankAt = 20, TypeAt = 21,
                  AttributeAt = 22;
/// How many bytes a dimension has. The table is behind the last one.
constexpr int64_t DimSize = 24;
constexpr uint8_t MaxRank = 15;
/// The codes of types up to complex numbers and logicals are below those of
/// text.
constexpr uint8_t FirstSizedType = 40;
/// The code of a variable of class(*) that has no value yet.
constexpr uint8_t AnyType = 0xff;
/// What a value may be is followed through so many choices.
constexpr unsigned MaxChoices = 64;

/// A place in an object whose address is known.
struct Place {
  Value *Object = nullptr;
  int64_t Offset = 0;
};

/// One byte of a header: not stored yet, a constant, or unknown.
struct Byte {
  enum { Unset, Constant, Unknown } State = Unset;
  uint8_t Value = 0;

  bool meet(const Byte &O) {
    if (O.State == Unset || State == Unknown)
      return false;
    if (State == Unset) {
      *this = O;
      return true;
    }
    if (O.State == Constant && O.Value == Value)
      return false;
    State = Unknown;
    return true;
  }
};

class Headers {
public:
  explicit Headers(Function &F) : F(F), DL(F.getDataLayout()) {}
  bool fold();

private:
  using Bytes = std::array<Byte, End - First>;
  Place placeOf(Value *Ptr) const;
  void find();
  void findIn(GlobalVariable &G, int64_t Offset);
  bool findAt(GlobalVariable &G, int64_t Offset);
  void findIn(const Place &From, int64_t Size);
  void findCopies();
  bool spread();
  bool spreadCopies();
  Bytes *headerAt(Value *Object, int64_t Offset, int64_t &At);
  Byte *byteAt(Place P, int64_t Offset);
  Byte stored(Value *V, unsigned Index);
  Byte loaded(LoadInst &L, unsigned Index);
  Constant *known(LoadInst &L);
  Constant *knownTable(LoadInst &L);

  Function &F;
  const DataLayout &DL;
  /// By object, and by the descriptor's offset in it.
  MapVector<std::pair<Value *, int64_t>, Bytes> Found;
  SmallVector<StoreInst *> Stores;
  /// Copies of whole descriptors, between variables of this function.
  struct Copy {
    Place To, From;
    int64_t Size = 0;
  };
  SmallVector<Copy> Copies;
};

Place Headers::placeOf(Value *Ptr) const {
  APInt Offset(64, 0);
  Value *Base = Ptr->stripAndAccumulateConstantOffsets(DL, Offset, true);
  bool Object = isa<AllocaInst, GlobalVariable>(Base);
  if (auto *C = dyn_cast<CallBase>(Base))
    Object = C->returnDoesNotAlias();
  return {Object ? Base : nullptr, Offset.getSExtValue()};
}

/// Finds the stores of the function, and the descriptors that they make known.
void Headers::find() {
  for (Instruction &I : instructions(F)) {
    if (auto *L = dyn_cast<LoadInst>(&I))
      if (Place P = placeOf(L->getPointerOperand()); P.Object)
        if (auto *G = dyn_cast<GlobalVariable>(P.Object))
          findIn(*G, P.Offset);
    if (auto *M = dyn_cast<MemTransferInst>(&I))
      if (auto *Size = dyn_cast<ConstantInt>(M->getLength()))
        if (Copy C{placeOf(M->getRawDest()), placeOf(M->getRawSource()),
                   Size->getSExtValue()};
            C.To.Object && C.From.Object) {
          Copies.push_back(C);
          findIn(C.From, C.Size);
        }
    auto *S = dyn_cast<StoreInst>(&I);
    if (!S)
      continue;
    Stores.push_back(S);
    auto *C = dyn_cast<ConstantInt>(S->getValueOperand());
    Place P = placeOf(S->getPointerOperand());
    if (C && P.Object && C->getType()->isIntegerTy(32) &&
        C->getValue() == Version)
      Found.try_emplace({P.Object, P.Offset - VersionAt});
  }
  findCopies();
}

/// What a whole header is copied to is a descriptor, too: pointers that are
/// exchanged, for one.
void Headers::findCopies() {
  for (bool Again = !Found.empty(); Again;) {
    Again = false;
    for (const Copy &C : Copies) {
      SmallVector<int64_t> In;
      for (const auto &[H, B] : Found)
        if (H.first == C.From.Object && H.second + First >= C.From.Offset &&
            H.second + End <= C.From.Offset + C.Size)
          In.push_back(H.second - C.From.Offset);
      for (int64_t At : In)
        Again |= Found.try_emplace({C.To.Object, C.To.Offset + At}).second;
    }
  }
}

/// A global descriptor has its header from the start. Is there one at Offset?
bool Headers::findAt(GlobalVariable &G, int64_t Offset) {
  auto Read = [&](int64_t At, Type *T) {
    return dyn_cast_or_null<ConstantInt>(ConstantFoldLoadFromConst(
        G.getInitializer(), T, APInt(64, static_cast<uint64_t>(At)), DL));
  };
  LLVMContext &C = F.getContext();
  auto *V = Read(Offset + VersionAt, Type::getInt32Ty(C));
  if (!V || V->getValue() != Version)
    return false;
  Bytes &B = Found[{&G, Offset}];
  for (int64_t I = First; I < End; ++I)
    if (auto *Value = Read(Offset + I, Type::getInt8Ty(C)))
      B[static_cast<size_t>(I - First)] = {
          Byte::Constant, static_cast<uint8_t>(Value->getZExtValue())};
  return true;
}

/// Finds the descriptor of which a place is a part.
void Headers::findIn(GlobalVariable &G, int64_t Offset) {
  if (G.hasInitializer())
    for (int64_t At = First; At < End && !findAt(G, Offset - At);)
      ++At;
}

/// Finds the descriptors in what is copied from a constant: that is how a
/// variable of a derived type begins, with those of its components.
void Headers::findIn(const Place &From, int64_t Size) {
  auto *G = dyn_cast<GlobalVariable>(From.Object);
  if (!G || !G->isConstant() || !G->hasDefinitiveInitializer())
    return;
  const int64_t Align = 8;
  for (int64_t At = alignTo(From.Offset, Align); At + End <= From.Offset + Size;
       At += Align)
    findAt(*G, At);
}

Headers::Bytes *Headers::headerAt(Value *Object, int64_t Offset, int64_t &At) {
  for (auto &[H, B] : Found) {
    At = Offset - H.second;
    if (H.first == Object && At >= First && At < End)
      return &B;
  }
  return nullptr;
}

Byte *Headers::byteAt(Place P, int64_t Offset) {
  int64_t At;
  Bytes *B = headerAt(P.Object, P.Offset + Offset, At);
  return B ? &(*B)[static_cast<size_t>(At - First)] : nullptr;
}

/// Byte number Index of a value that is stored.
Byte Headers::stored(Value *V, unsigned Index) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return {Byte::Constant, static_cast<uint8_t>(
                                C->getValue().lshr(8 * Index).getRawData()[0])};
  if (auto *C = dyn_cast<ConstantDataVector>(V);
      C && C->getElementType()->isIntegerTy(8))
    return {Byte::Constant,
            static_cast<uint8_t>(C->getElementAsInteger(Index))};
  if (auto *L = dyn_cast<LoadInst>(V))
    return loaded(*L, Index);
  return {isa<UndefValue>(V) ? Byte::Unset : Byte::Unknown, 0};
}

/// A byte that is copied from another header is what that header has.
Byte Headers::loaded(LoadInst &L, unsigned Index) {
  if (Place P = placeOf(L.getPointerOperand()); P.Object)
    if (Byte *From = byteAt(P, Index))
      return *From;
  return {Byte::Unknown, 0};
}

/// What a value may be that depends on the way here, or nothing if there is too
/// much of it.
static SmallSetVector<Value *, 8> choicesOf(Value *V) {
  SmallSetVector<Value *, 8> All, Out;
  All.insert(V);
  for (unsigned N = 0; N < All.size(); ++N) {
    if (All.size() > MaxChoices)
      return {};
    if (auto *P = dyn_cast<PHINode>(All[N]))
      All.insert(P->op_begin(), P->op_end());
    else if (auto *S = dyn_cast<SelectInst>(All[N])) {
      All.insert(S->getTrueValue());
      All.insert(S->getFalseValue());
    } else {
      Out.insert(All[N]);
    }
  }
  return Out;
}

bool Headers::spread() {
  bool Again = false;
  for (StoreInst *S : Stores) {
    Place P = placeOf(S->getPointerOperand());
    Value *V = S->getValueOperand();
    for (unsigned I = 0; P.Object && I < DL.getTypeStoreSize(V->getType()); ++I)
      if (Byte *To = byteAt(P, I)) {
        auto Choices = choicesOf(V);
        if (Choices.empty())
          Again |= To->meet({Byte::Unknown, 0});
        for (Value *Choice : Choices)
          Again |= To->meet(stored(Choice, I));
      }
  }
  return spreadCopies() || Again;
}

bool Headers::spreadCopies() {
  bool Again = false;
  for (const Copy &C : Copies)
    for (auto &[H, B] : Found)
      for (int64_t I = First; H.first == C.To.Object && I < End; ++I) {
        const int64_t At = H.second + I - C.To.Offset;
        if (At < 0 || At >= C.Size)
          continue;
        if (Byte *From = byteAt(C.From, At))
          Again |= B[static_cast<size_t>(I - First)].meet(*From);
      }
  return Again;
}

/// The constant that a load finds, or null.
Constant *Headers::known(LoadInst &L) {
  unsigned Size =
      static_cast<unsigned>(DL.getTypeStoreSize(L.getType()).getFixedValue());
  Place P = placeOf(L.getPointerOperand());
  if (!P.Object || !L.getType()->isIntegerTy() || Size > 8)
    return nullptr;
  int64_t At;
  Bytes *Header = headerAt(P.Object, P.Offset, At);
  if (!Header || At + Size > End)
    return nullptr;
  // Only numbers have one size; derived types and text may have any.
  const Byte &T = (*Header)[TypeAt - First];
  bool Number = T.State == Byte::Constant && T.Value < FirstSizedType;
  if (At < VersionAt && !Number)
    return nullptr;
  // Each value of class(*) brings its type, and who gives it may not be F.
  if (At <= TypeAt && At + Size > TypeAt && T.Value == AnyType)
    return nullptr;
  uint64_t Bits = 0;
  for (unsigned I = 0; I < Size; ++I) {
    const Byte &B = (*Header)[static_cast<size_t>(At - First) + I];
    if (B.State != Byte::Constant)
      return nullptr;
    Bits |= uint64_t(B.Value) << (8 * I);
  }
  return ConstantInt::get(L.getType(), Bits);
}

/// The table that a load finds behind the dimensions of a descriptor, or null.
/// Who gets the descriptor of a variable that is neither allocatable nor a
/// pointer cannot give it another type; only stores of F make it a descriptor.
Constant *Headers::knownTable(LoadInst &L) {
  Place P = placeOf(L.getPointerOperand());
  if (!L.getType()->isPointerTy() || !isa_and_nonnull<AllocaInst>(P.Object))
    return nullptr;
  auto IsTableOf = [&](const std::pair<Value *, int64_t> &At, const Bytes &B) {
    const Byte &Rank = B[RankAt - First], &Attribute = B[AttributeAt - First];
    return At.first == P.Object && Rank.State == Byte::Constant &&
           Rank.Value <= MaxRank && Attribute.State == Byte::Constant &&
           Attribute.Value == 0 &&
           P.Offset == At.second + End + DimSize * Rank.Value;
  };
  if (none_of(Found,
              [&](const auto &H) { return IsTableOf(H.first, H.second); }))
    return nullptr;
  Constant *Table = nullptr;
  for (StoreInst *S : Stores) {
    Place To = placeOf(S->getPointerOperand());
    int64_t Size = static_cast<int64_t>(
        DL.getTypeStoreSize(S->getValueOperand()->getType()).getFixedValue());
    if (To.Object != P.Object || To.Offset >= P.Offset + 8 ||
        To.Offset + Size <= P.Offset)
      continue;
    auto *G = dyn_cast<GlobalVariable>(S->getValueOperand());
    if (To.Offset != P.Offset || !G || (Table && Table != G))
      return nullptr;
    Table = G;
  }
  // Whole descriptors are copied, too.
  for (Instruction &I : instructions(F))
    if (auto *M = dyn_cast<MemIntrinsic>(&I);
        M && getUnderlyingObject(M->getDest()) == P.Object)
      return nullptr;
  return Table;
}

bool Headers::fold() {
  find();
  for (bool Again = !Found.empty(); Again;)
    Again = spread();
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *L = dyn_cast<LoadInst>(&I))
      if (Constant *C =
              L->getType()->isPointerTy() ? knownTable(*L) : known(*L)) {
        L->replaceAllUsesWith(C);
        L->eraseFromParent();
        Changed = true;
      }
  return Changed;
}

} // namespace

/// Compilers put a descriptor together as one value before they store it.
static bool foldExtracts(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *E = dyn_cast<ExtractValueInst>(&I))
      if (Value *V =
              FindInsertedValue(E->getAggregateOperand(), E->getIndices())) {
        E->replaceAllUsesWith(V);
        E->eraseFromParent();
        Changed = true;
      }
  return Changed;
}

bool foldDescriptors(Function &F) {
  bool Changed = foldExtracts(F);
  return Headers(F).fold() || Changed;
}

} // namespace retro
