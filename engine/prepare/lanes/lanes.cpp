// Input: structs of numbers and pointers that LLVM keeps in one vector, and
// numbers beside each other in one wide integer. Output: each pointer, and each
// number of a wide integer, is followed to where it comes from and moved by
// itself. Only then has it a type, and only then can it have a shadow or an
// adjoint of its own.
#include "prepare/lanes/lanes.h"

#include "ir/simplify.h"
#include "prepare/lanes/lane_tracer.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

bool isPointerVector(const Type *T) {
  return isa<FixedVectorType>(T) && T->isPtrOrPtrVectorTy();
}

} // namespace

Lanes::Lanes(Function &F)
    : F(F), DL(F.getDataLayout()),
      Pointer(PointerType::getUnqual(F.getContext())),
      PointerBits(DL.getPointerSizeInBits()) {}

unsigned Lanes::bits(Type *T) const {
  if (!T->isSized() || T->isAggregateType() || isa<ScalableVectorType>(T))
    return 0;
  return static_cast<unsigned>(DL.getTypeSizeInBits(T).getFixedValue());
}

/// The bits of one element of a vector, or of a scalar.
unsigned Lanes::laneBits(const Value *V) const {
  return bits(V->getType()->getScalarType());
}

namespace {

bool isChoice(const Value *V) { return isa<PHINode, SelectInst>(V); }

/// The operands among which a phi or select chooses.
auto choices(Instruction &I) {
  return drop_begin(I.operands(), isa<SelectInst>(I) ? 1 : 0);
}

} // namespace

/// Follows V's word back over all that only moves it.
Lanes::Place Lanes::origin(Value *V, unsigned Word, unsigned W,
                           bool &Zero) const {
  Zero = false;
  for (unsigned N = 0; N < 1000; ++N) {
    Step S = Tracer(*this, W).step(V, Word);
    Zero = S.Zero;
    if (!S.Of)
      break;
    V = S.Of;
    Word = S.Word;
  }
  return {V, Word};
}

SmallVector<Lanes::Place> Lanes::origins(Value *V, unsigned Word,
                                         unsigned W) const {
  SmallVector<Place> Out;
  SetVector<Place> Seen;
  Seen.insert({V, Word});
  for (size_t N = 0; N < Seen.size(); ++N) {
    bool Zero;
    Place P = origin(Seen[N].first, Seen[N].second, W, Zero);
    if (Zero)
      continue;
    if (isChoice(P.first))
      for (Value *O : choices(*cast<Instruction>(P.first)))
        Seen.insert({O, P.second});
    else
      Out.push_back(P);
  }
  return Out;
}

void Lanes::addSources(Place At, unsigned W, SetVector<Place> &Seen) const {
  auto [V, Word] = At;
  Step S = Tracer(*this, W).step(V, Word);
  if (S.Of)
    Seen.insert({S.Of, S.Word});
  else if (isChoice(V) && !S.Zero)
    for (Value *O : choices(*cast<Instruction>(V)))
      Seen.insert({O, Word});
}

/// X as a value of type T, of as many bits.
static Value *cast(IRBuilder<> &B, Value *X, Type *T) {
  if (X->getType() == T)
    return X;
  const bool From = X->getType()->isPointerTy(), To = T->isPointerTy();
  if (From && To)
    return B.CreateAddrSpaceCast(X, T);
  Type *Word = B.getIntNTy(static_cast<unsigned>(
      B.GetInsertBlock()->getDataLayout().getTypeSizeInBits(T)));
  if (From)
    X = B.CreatePtrToInt(X, Word);
  if (!To)
    return B.CreateBitCast(X, T);
  return B.CreateIntToPtr(B.CreateBitCast(X, Word), T);
}

Constant *Lanes::wordOf(Constant &K, unsigned Word, Type *T) const {
  Constant *C = &K;
  const unsigned W = bits(T), N = bits(C->getType()) / W;
  Type *Int = IntegerType::get(F.getContext(), W);
  if (isa<UndefValue>(C) || C->isNullValue())
    return Constant::getNullValue(T);
  if (C->getType()->isPtrOrPtrVectorTy()) {
    Constant *Lane =
        isPointerVector(C->getType()) ? C->getAggregateElement(Word) : C;
    if (Lane && isa<UndefValue>(Lane))
      return Constant::getNullValue(T);
    if (!Lane || T == Lane->getType())
      return Lane;
    return ConstantExpr::getBitCast(ConstantExpr::getPtrToInt(Lane, Int), T);
  }
  Constant *Cast = ConstantFoldConstant(
      ConstantExpr::getBitCast(C, FixedVectorType::get(Int, N)), DL);
  Constant *Lane = Cast->getAggregateElement(Word);
  if (!Lane)
    return nullptr;
  if (isa<UndefValue>(Lane))
    return Constant::getNullValue(T);
  return T->isPointerTy()
             ? ConstantFoldCastOperand(Instruction::IntToPtr, Lane, T, DL)
             : ConstantExpr::getBitCast(Lane, T);
}

/// Takes the bits out of a value that is followed no further.
Value *Lanes::taken(Value *V, unsigned Word, Type *T) {
  const unsigned W = bits(T), All = bits(V->getType());
  BasicBlock::iterator At = F.getEntryBlock().getFirstInsertionPt();
  if (auto *I = dyn_cast<Instruction>(V))
    At = *I->getInsertionPointAfterDef();
  IRBuilder<> B(At->getParent(), At);
  if (isPointerVector(V->getType()) ||
      (V->getType()->isVectorTy() && laneBits(V) == W))
    return cast(B, B.CreateExtractElement(V, Word), T);
  if (All == W)
    return cast(B, V, T);
  Type *Words = FixedVectorType::get(B.getIntNTy(W), All / W);
  return cast(B, B.CreateExtractElement(B.CreateBitCast(V, Words), Word), T);
}

Value *Lanes::loaded(LoadInst &L, unsigned Word, Type *T) {
  const unsigned Bytes = Word * bits(T) / 8;
  IRBuilder<> B(&L);
  Value *At =
      Bytes ? B.CreateInBoundsPtrAdd(L.getPointerOperand(), B.getInt64(Bytes))
            : L.getPointerOperand();
  LoadInst *N = B.CreateAlignedLoad(T, At, commonAlignment(L.getAlign(), Bytes),
                                    L.getName());
  AAMDNodes AA = L.getAAMetadata();
  if (bits(T) != bits(L.getType())) // of the whole, not of this word
    AA.TBAA = AA.TBAAStruct = nullptr;
  N->setAAMetadata(AA);
  return N;
}

/// A phi or select of the word alone, in the place of one of the whole value.
Value *Lanes::chosen(Instruction &I, unsigned Word, Type *T) {
  if (auto *P = dyn_cast<PHINode>(&I)) {
    PHINode *N = PHINode::Create(T, P->getNumIncomingValues(), P->getName(),
                                 P->getIterator());
    N->setDebugLoc(P->getDebugLoc());
    NewWords[{P, Word, T}] = N; // before what comes round a loop
    for (unsigned K = 0; K < P->getNumIncomingValues(); ++K)
      N->addIncoming(word(P->getIncomingValue(K), Word, T),
                     P->getIncomingBlock(K));
    return N;
  }
  auto &S = llvm::cast<SelectInst>(I);
  Value *X = word(S.getTrueValue(), Word, T);
  Value *Y = word(S.getFalseValue(), Word, T);
  IRBuilder<> B(&S);
  Value *C = S.getCondition();
  if (C->getType()->isVectorTy())
    C = B.CreateExtractElement(C, Word * bits(T) / laneBits(&S));
  return B.CreateSelect(C, X, Y, S.getName());
}

/// One of several addresses that a vector getelementptr computes at once.
Value *Lanes::addressed(GetElementPtrInst &G, unsigned Lane) {
  SmallVector<Value *> Operands;
  for (Value *O : G.operands()) {
    if (isPointerVector(O->getType()))
      O = word(O, Lane, O->getType()->getScalarType());
    else if (O->getType()->isVectorTy())
      O = IRBuilder<>(&G).CreateExtractElement(O, Lane);
    Operands.push_back(O);
  }
  IRBuilder<> B(&G);
  return B.CreateGEP(G.getSourceElementType(), Operands.front(),
                     ArrayRef(Operands).drop_front(), G.getName(),
                     G.getNoWrapFlags());
}

Value *Lanes::word(Value *V, unsigned Word, Type *T) {
  bool Zero;
  auto [Of, At] = origin(V, Word, bits(T), Zero);
  if (Zero)
    return Constant::getNullValue(T);
  if (auto *C = dyn_cast<Constant>(Of))
    if (Constant *K = wordOf(*C, At, T))
      return K;
  if (Of->getType() == T)
    return Of;
  if (auto Earlier = NewWords.find({Of, At, T}); Earlier != NewWords.end())
    return Earlier->second;
  Value *New = nullptr;
  auto *L = dyn_cast<LoadInst>(Of);
  auto *S = dyn_cast<SelectInst>(Of);
  bool ByLane = S && S->getCondition()->getType()->isVectorTy();
  if (isChoice(Of) && (!ByLane || laneBits(Of) % bits(T) == 0))
    New = chosen(*llvm::cast<Instruction>(Of), At, T);
  else if (L && L->isSimple())
    New = loaded(*L, At, T);
  else if (auto *G = dyn_cast<GetElementPtrInst>(Of);
           G && T->isPointerTy() && G->getType()->isVectorTy())
    New = addressed(*G, At);
  else
    New = taken(Of, At, T);
  return NewWords[{Of, At, T}] = New;
}

//===----------------------------------------------------------------------===//
// What is done with words
//===----------------------------------------------------------------------===//

/// Is the word in a lane, in a part of a wide integer, or in a number?
bool Lanes::travels(Value *V, unsigned W) const {
  SetVector<Place> Seen;
  Seen.insert({V, 0});
  bool Any = false;
  for (size_t N = 0; N < Seen.size(); ++N) {
    Type *T = Seen[N].first->getType();
    Any |= T->isVectorTy() || bits(T) > W;
    addSources(Seen[N], W, Seen);
  }
  return Any;
}

/// Is a word as wide as a pointer a pointer, whatever is chosen?
bool Lanes::isPointer(Value *V, unsigned Word) const {
  bool Any = false;
  for (Place P : origins(V, Word, PointerBits)) {
    if (P.first->getType()->isPtrOrPtrVectorTy() || Pointers.contains(P))
      Any = true;
    else if (!isa<Constant>(P.first))
      return false;
  }
  return Any;
}

/// Finds pointers that are made of words in lanes, to follow each of them.
void Lanes::findPointers() {
  for (Instruction &I : instructions(F)) {
    if (auto *L = dyn_cast<LoadInst>(&I); L && isPointerVector(L->getType()))
      for (unsigned N = 0; N < bits(L->getType()) / PointerBits; ++N)
        Pointers.insert({L, N});
    auto *C = dyn_cast<IntToPtrInst>(&I);
    if (!C || bits(C->getType()) != bits(C->getOperand(0)->getType()) ||
        !(isPointerVector(C->getType()) ||
          travels(C->getOperand(0), PointerBits)))
      continue;
    for (unsigned N = 0; N < bits(C->getType()) / PointerBits; ++N)
      for (Place P : origins(C, N, PointerBits))
        if (auto *L = dyn_cast<LoadInst>(P.first); L && L->isSimple())
          Pointers.insert(P);
    if (!isPointerVector(C->getType()))
      Sinks.push_back(C);
  }
}

/// Is there a pointer among the words of V, or of the vector from which V's
/// word is taken?
bool Lanes::besidePointer(Value *V) const {
  SetVector<Place> Seen;
  for (unsigned K = 0; K < bits(V->getType()) / PointerBits; ++K)
    Seen.insert({V, K});
  SmallPtrSet<Value *, 8> Vectors;
  for (size_t N = 0; N < Seen.size(); ++N) {
    Value *X = Seen[N].first;
    if (X->getType()->isVectorTy() && Vectors.insert(X).second)
      for (unsigned K = 0; K < bits(X->getType()) / PointerBits; ++K)
        if (isPointer(X, K))
          return true;
    addSources(Seen[N], PointerBits, Seen);
  }
  return false;
}

void Lanes::replaceSinks() {
  for (Instruction &I : instructions(F)) {
    Type *T = I.getType();
    if (auto *E = dyn_cast<ExtractElementInst>(&I))
      if (isa<ConstantInt>(E->getIndexOperand()) && bits(T) == PointerBits &&
          (T->isPointerTy() || besidePointer(E)))
        Sinks.push_back(E);
    if (auto *C = dyn_cast<BitCastInst>(&I);
        C && isa<FixedVectorType>(T) && laneBits(C) == PointerBits &&
        T->isFPOrFPVectorTy() && besidePointer(C))
      Sinks.push_back(C);
  }
  for (Instruction *I : Sinks) {
    Value *New = isa<FixedVectorType>(I->getType()) ? joined(*I)
                                                    : word(I, 0, I->getType());
    if (New == I)
      continue;
    I->replaceAllUsesWith(New);
    Dead.push_back(I);
  }
}

/// Makes a vector of numbers of its words. Lanes that hold pointers are left
/// out where nothing reads them.
Value *Lanes::joined(Instruction &I) {
  auto *T = llvm::cast<FixedVectorType>(I.getType());
  Type *Lane = T->getElementType();
  Value *New = PoisonValue::get(T);
  IRBuilder<> B(I.getParent(), *I.getInsertionPointAfterDef());
  for (unsigned K = 0; K < T->getNumElements(); ++K) {
    DenseSet<Place> Seen;
    const bool Is = !Lane->isPointerTy() && isPointer(&I, K);
    Value *X = !Is                   ? word(&I, K, Lane)
               : isRead(&I, K, Seen) ? cast(B, word(&I, K, Pointer), Lane)
                                     : Constant::getNullValue(Lane);
    New = B.CreateInsertElement(New, X, K);
  }
  return New;
}

/// Replaces a number that comes out of a wide integer by the one that was put
/// in.
bool Lanes::followNumber(BitCastInst &C) {
  Type *T = C.getType(), *Lane = T->getScalarType();
  const unsigned W = bits(Lane);
  if (!Lane->isFloatingPointTy() || !bits(T) ||
      !C.getSrcTy()->isIntOrIntVectorTy() || W < 16 || !isPowerOf2_32(W))
    return false;
  const unsigned N = bits(T) / W;
  bool Wide = false;
  for (unsigned K = 0; K < N; ++K) {
    SetVector<Place> Seen;
    Seen.insert({C.getOperand(0), K});
    for (size_t M = 0; M < Seen.size(); ++M) {
      auto [X, Word] = Seen[M];
      Wide |= isa<TruncInst>(X) || (X->getType()->isIntOrIntVectorTy() &&
                                    laneBits(X) > W && !isa<LoadInst>(X));
      Step S = Tracer(*this, W).step(X, Word);
      if (S.Zero)
        continue;
      if (S.Of)
        Seen.insert({S.Of, S.Word});
      else if (isChoice(X))
        for (Value *O : choices(*llvm::cast<Instruction>(X)))
          Seen.insert({O, Word});
      else if (auto *L = dyn_cast<LoadInst>(X);
               L ? !L->isSimple() : !isa<Constant>(X) && laneBits(X) != W)
        return false;
    }
  }
  if (!Wide)
    return false;
  Value *New = nullptr;
  if (!T->isVectorTy()) {
    New = word(C.getOperand(0), 0, T);
  } else {
    IRBuilder<> B(&C);
    New = PoisonValue::get(T);
    for (unsigned K = 0; K < N; ++K)
      New = B.CreateInsertElement(New, word(C.getOperand(0), K, Lane), K);
  }
  C.replaceAllUsesWith(New);
  Dead.push_back(&C);
  return true;
}

/// Stores each word by itself, if there are pointers among them.
bool Lanes::split(StoreInst &S) {
  Value *V = S.getValueOperand();
  Type *T = V->getType();
  const unsigned N = bits(T) / PointerBits;
  if (T->isPointerTy() || T->isIntegerTy(PointerBits) || N == 0 ||
      bits(T) % PointerBits != 0 || !S.isSimple() || T->isX86_FP80Ty())
    return false;
  BitVector Is(N), Either(N);
  for (unsigned K = 0; K < N; ++K) {
    Is[K] = isPointer(V, K);
    Either[K] = any_of(origins(V, K, PointerBits),
                       [&](Place P) { return Words.contains(P); });
  }
  if (Is.none() && Either.none() && !isPointerVector(T))
    return false;
  Type *Word = IntegerType::get(F.getContext(), PointerBits);
  Type *NumberType = T->isVectorTy() && laneBits(V) == PointerBits
                         ? T->getScalarType()
                     : N == 1 ? T
                              : Word;
  AAMDNodes AA = S.getAAMetadata();
  AA.TBAA = AA.TBAAStruct = nullptr;
  for (unsigned K = 0; K < N; ++K) {
    Value *X = word(V, K, Is[K] ? Pointer : Either[K] ? Word : NumberType);
    const unsigned Bytes = K * PointerBits / 8;
    IRBuilder<> B(&S);
    Value *At =
        Bytes ? B.CreateInBoundsPtrAdd(S.getPointerOperand(), B.getInt64(Bytes))
              : S.getPointerOperand();
    B.CreateAlignedStore(X, At, commonAlignment(S.getAlign(), Bytes))
        ->setAAMetadata(AA);
  }
  Dead.push_back(V);
  S.eraseFromParent();
  return true;
}

/// Does anything read lane N of V, other than arithmetic on the whole vector
/// whose lane is not taken?
bool Lanes::isRead(Value *V, unsigned N, DenseSet<Place> &Seen) const {
  if (!Seen.insert({V, N}).second)
    return false;
  return any_of(V->uses(), [&](const Use &U) {
    auto *I = llvm::cast<Instruction>(U.getUser());
    auto *T = dyn_cast<FixedVectorType>(I->getType());
    if (auto *E = dyn_cast<ExtractElementInst>(I)) {
      auto *C = dyn_cast<ConstantInt>(E->getIndexOperand());
      return !C || (C->getZExtValue() == N && !E->use_empty());
    }
    if (auto *E = dyn_cast<InsertElementInst>(I)) {
      auto *C = dyn_cast<ConstantInt>(E->getOperand(2));
      return U.getOperandNo() != 0 || !C ||
             (C->getZExtValue() != N && isRead(I, N, Seen));
    }
    if (auto *S = dyn_cast<ShuffleVectorInst>(I)) {
      const unsigned Lanes =
          llvm::cast<FixedVectorType>(V->getType())->getNumElements();
      for (unsigned K = 0; K < S->getShuffleMask().size(); ++K)
        if (S->getMaskValue(K) ==
                static_cast<int>(N + U.getOperandNo() * Lanes) &&
            isRead(I, K, Seen))
          return true;
      return false;
    }
    const bool Lanewise =
        isa<BinaryOperator, UnaryOperator, PHINode, FreezeInst, BitCastInst>(
            I) ||
        (isa<SelectInst>(I) && U.getOperandNo() > 0) ||
        (isa<IntrinsicInst>(I) && !I->mayHaveSideEffects() &&
         I->getType() == V->getType());
    return !Lanewise || !T ||
           T->getNumElements() !=
               llvm::cast<FixedVectorType>(V->getType())->getNumElements() ||
           isRead(I, N, Seen);
  });
}

/// Loads each word by itself, if there are pointers among them.
void Lanes::split(LoadInst &L) {
  if (L.use_empty() || !L.getType()->isVectorTy() ||
      laneBits(&L) != PointerBits)
    return; // of a wide integer, whose parts are taken
  Value *New = joined(L);
  L.replaceAllUsesWith(New);
  Dead.push_back(&L);
}

void Lanes::clear() {
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
  Dead.clear();
  NewWords.clear();
  deleteDeadPhis(F);
}

/// A load that moves words in vectors: of a vector, or of one word that goes
/// into vectors alone (LLVM loads a lane by itself where no other is read).
bool Lanes::movesWords(const LoadInst &L) const {
  Type *T = L.getType();
  if (!L.isSimple() || laneBits(&L) != PointerBits)
    return false;
  return T->isVectorTy() ||
         (T->isFloatingPointTy() && all_of(L.users(), [](const User *U) {
            return isa<InsertElementInst>(U);
          }));
}

/// The loads and stores that move vectors of words, whatever these are.
SmallVector<Instruction *> Lanes::moves() const {
  SmallSetVector<Instruction *, 8> Out;
  for (Instruction &I : instructions(F)) {
    auto *S = dyn_cast<StoreInst>(&I);
    Value *V = S && S->isSimple() ? S->getValueOperand() : nullptr;
    if (!V || !V->getType()->isVectorTy() || laneBits(V) != PointerBits)
      continue;
    for (unsigned K = 0; K < bits(V->getType()) / PointerBits; ++K)
      for (Place P : origins(V, K, PointerBits))
        if (auto *L = dyn_cast<LoadInst>(P.first); L && movesWords(*L)) {
          Out.insert(L);
          Out.insert(S);
        }
  }
  return Out.takeVector();
}

bool Lanes::run() {
  if (DL.isBigEndian())
    return false;
  findPointers();
  replaceSinks();
  bool Changed = !Sinks.empty();
  SmallVector<StoreInst *> Stores;
  SmallVector<BitCastInst *> Casts;
  for (Instruction &I : instructions(F)) {
    if (auto *S = dyn_cast<StoreInst>(&I))
      Stores.push_back(S);
    if (auto *C = dyn_cast<BitCastInst>(&I))
      Casts.push_back(C);
  }
  for (StoreInst *S : Stores)
    Changed |= split(*S);
  for (BitCastInst *C : Casts)
    Changed |= followNumber(*C);
  if (!Changed && Pointers.empty() && Words.empty())
    return false;
  clear();
  SmallSetVector<LoadInst *, 8> Loads;
  for (Instruction &I : instructions(F))
    if (auto *L = dyn_cast<LoadInst>(&I); L && L->isSimple())
      if (any_of(seq(bits(L->getType()) / PointerBits), [&](unsigned N) {
            return Pointers.contains({L, N}) || Words.contains({L, N});
          }))
        Loads.insert(L);
  for (LoadInst *L : Loads)
    split(*L);
  clear();
  return true;
}

bool followLanes(Function &F) { return Lanes(F).run(); }

} // namespace retro
