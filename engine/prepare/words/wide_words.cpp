// Input: doubles that code for vector registers moves as lanes of 32-bit
// integers; and words that are put together of two integers of 4 bytes, loaded
// from one place and the place behind it, as LLVM does with a union that has
// two floats in one of its members. Output: they are moved as doubles, and
// loaded as what they become, a number, a pointer or an integer. The halves of
// a number have no derivative, nor have those of a pointer a shadow; this works
// where halves only travel in pairs.
#include "prepare/words/wide_words.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

class WordWidener {
public:
  explicit WordWidener(Type *T) : T(cast<FixedVectorType>(T)) {}

  bool possible(Value *V);
  Value *wide(Value *V);

private:
  bool mask(const ShuffleVectorInst &S, SmallVectorImpl<int> &Out) const;
  FixedVectorType *typeOf(Value *V) const;

  FixedVectorType *T; ///< of numbers
  SmallPtrSet<Value *, 16> Seen;
  DenseMap<Value *, Value *> WideOf;
};

/// The type with as many numbers as V has pairs of words.
FixedVectorType *WordWidener::typeOf(Value *V) const {
  unsigned Bits = V->getType()->getPrimitiveSizeInBits().getFixedValue();
  return FixedVectorType::get(T->getElementType(),
                              Bits / T->getScalarSizeInBits());
}

bool WordWidener::mask(const ShuffleVectorInst &S,
                       SmallVectorImpl<int> &Out) const {
  int Words = static_cast<int>(T->getScalarSizeInBits() /
                               S.getType()->getScalarSizeInBits());
  return widenShuffleMaskElts(Words, S.getShuffleMask(), Out);
}

/// Are the words of V moved only as whole numbers?
bool WordWidener::possible(Value *V) {
  unsigned Bits = V->getType()->getPrimitiveSizeInBits().getFixedValue();
  if (Bits % T->getScalarSizeInBits() != 0)
    return false;
  if (!Seen.insert(V).second || isa<Constant>(V))
    return true;
  if (auto *L = dyn_cast<LoadInst>(V))
    return L->isSimple();
  if (auto *B = dyn_cast<BitCastInst>(V))
    return B->getSrcTy()->getScalarType() == T->getElementType();
  if (auto *P = dyn_cast<PHINode>(V))
    return all_of(P->incoming_values(), [&](Value *X) { return possible(X); });
  if (auto *S = dyn_cast<SelectInst>(V))
    return S->getCondition()->getType()->isIntegerTy(1) &&
           possible(S->getTrueValue()) && possible(S->getFalseValue());
  if (auto *S = dyn_cast<ShuffleVectorInst>(V)) {
    SmallVector<int> Mask;
    return mask(*S, Mask) && possible(S->getOperand(0)) &&
           possible(S->getOperand(1));
  }
  return false;
}

Value *WordWidener::wide(Value *V) {
  if (Value *W = WideOf.lookup(V))
    return W;
  FixedVectorType *W = typeOf(V);
  if (auto *C = dyn_cast<Constant>(V))
    return ConstantExpr::getBitCast(C, W);
  auto *I = cast<Instruction>(V);
  if (auto *B = dyn_cast<BitCastInst>(V); B && B->getSrcTy() == W)
    return WideOf[V] = B->getOperand(0);
  if (auto *P = dyn_cast<PHINode>(V)) {
    PHINode *N = PHINode::Create(W, P->getNumIncomingValues(), P->getName(),
                                 P->getIterator());
    WideOf[V] = N;
    for (unsigned K = 0; K < P->getNumIncomingValues(); ++K)
      N->addIncoming(wide(P->getIncomingValue(K)), P->getIncomingBlock(K));
    return N;
  }
  IRBuilder<> B(I);
  if (auto *L = dyn_cast<LoadInst>(V)) {
    LoadInst *N = B.CreateAlignedLoad(W, L->getPointerOperand(), L->getAlign());
    N->setAAMetadata(L->getAAMetadata());
    return WideOf[V] = N;
  }
  if (auto *S = dyn_cast<SelectInst>(V))
    return WideOf[V] =
               B.CreateSelect(S->getCondition(), wide(S->getTrueValue()),
                              wide(S->getFalseValue()));
  if (auto *S = dyn_cast<ShuffleVectorInst>(V)) {
    SmallVector<int> Mask;
    mask(*S, Mask);
    return WideOf[V] = B.CreateShuffleVector(wide(S->getOperand(0)),
                                             wide(S->getOperand(1)), Mask);
  }
  return WideOf[V] = B.CreateBitCast(cast<BitCastInst>(V)->getOperand(0), W);
}

struct Joined {
  Instruction *Word;
  LoadInst *Low, *High;
};

LoadInst *halfLoaded(Value *V) {
  auto *L = dyn_cast<LoadInst>(V);
  return L && L->isSimple() && L->getType()->isIntegerTy(32) ? L : nullptr;
}

/// Are the places of 4 bytes side by side, the first one first?
bool areAdjacent(const LoadInst &First, const LoadInst &Second) {
  const DataLayout &DL = First.getDataLayout();
  int64_t At = 0, Next = 0;
  return GetPointerBaseWithConstantOffset(First.getPointerOperand(), At, DL) ==
             GetPointerBaseWithConstantOffset(Second.getPointerOperand(), Next,
                                              DL) &&
         Next == At + 4;
}

/// Is memory the same at both, and does what loads at the later load, too, come
/// to no other end?
bool seeTheSame(const LoadInst &A, const LoadInst &B) {
  if (A.getParent() != B.getParent())
    return false;
  const bool InOrder = A.comesBefore(&B);
  const Instruction *First = InOrder ? &A : &B, *Last = InOrder ? &B : &A;
  return none_of(make_range(First->getIterator(), Last->getIterator()),
                 [](const Instruction &I) { return I.mayWriteToMemory(); });
}

std::optional<Joined> joined(Instruction &I) {
  Value *Low, *High;
  auto Halves = m_c_BinOp(m_ZExt(m_Value(Low)),
                          m_Shl(m_ZExt(m_Value(High)), m_SpecificInt(32)));
  if (!I.getType()->isIntegerTy(64) ||
      !is_contained({Instruction::Or, Instruction::Add, Instruction::Xor},
                    I.getOpcode()) ||
      !match(&I, Halves))
    return std::nullopt;
  LoadInst *L = halfLoaded(Low), *H = halfLoaded(High);
  if (!L || !H || !areAdjacent(*L, *H) || !seeTheSame(*L, *H))
    return std::nullopt;
  return Joined{&I, L, H};
}

/// The word as a T, loaded where both halves have been.
Value *loadAs(Type *T, const Joined &J) {
  LoadInst *Last = J.Low->comesBefore(J.High) ? J.High : J.Low;
  IRBuilder<> B(Last->getNextNode());
  B.SetCurrentDebugLocation(Last->getDebugLoc());
  return B.CreateAlignedLoad(T, J.Low->getPointerOperand(), J.Low->getAlign());
}

/// What becomes a number or a pointer is loaded as such: of an integer it would
/// have to be found out which it is.
void loadWhole(const Joined &J) {
  SmallDenseMap<Type *, Value *, 4> As;
  for (User *U : make_early_inc_range(J.Word->users())) {
    Type *T = U->getType();
    if (!isa<BitCastInst, IntToPtrInst>(U) ||
        J.Low->getDataLayout().getTypeSizeInBits(T) != 64)
      continue;
    Value *&Word = As[T];
    if (!Word)
      Word = loadAs(T, J);
    U->replaceAllUsesWith(Word);
    cast<Instruction>(U)->eraseFromParent();
  }
  if (!J.Word->use_empty())
    J.Word->replaceAllUsesWith(loadAs(J.Word->getType(), J));
}

} // namespace

void widenWords(Function &F) {
  SmallVector<BitCastInst *> Casts;
  for (Instruction &I : instructions(F))
    if (auto *B = dyn_cast<BitCastInst>(&I);
        B && isa<FixedVectorType>(B->getDestTy()) &&
        B->getDestTy()->isFPOrFPVectorTy() &&
        B->getSrcTy()->isIntOrIntVectorTy() &&
        B->getSrcTy()->getScalarSizeInBits() <
            B->getDestTy()->getScalarSizeInBits())
      Casts.push_back(B);
  SmallVector<WeakTrackingVH> Unused;
  for (BitCastInst *B : Casts) {
    WordWidener W(B->getDestTy());
    if (!W.possible(B->getOperand(0)))
      continue;
    B->replaceAllUsesWith(W.wide(B->getOperand(0)));
    Unused.push_back(B);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Unused);
}

void joinWords(Function &F) {
  if (!F.getDataLayout().isLittleEndian())
    return;
  SmallVector<Joined> Work;
  for (Instruction &I : instructions(F))
    if (auto J = joined(I))
      Work.push_back(*J);
  SmallVector<WeakTrackingVH> Unused;
  for (const Joined &J : Work) {
    loadWhole(J);
    Unused.push_back(J.Word);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Unused);
}

} // namespace retro
