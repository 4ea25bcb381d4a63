// Input: doubles that code for vector registers moves as lanes of 32-bit
// integers. Output: they are moved as doubles. The halves of a number have no
// derivative; this works where halves only travel in pairs.
#include "prepare/words/wide_words.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

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

} // namespace retro
