// Which bits of a mask are known, in each lane of the numbers that it is
// combined with. A mask is constant, or loaded from a constant, or put together
// of such and of what shifts and masks leave of a word; its lanes may be as
// wide as the numbers or not, and it may travel as a vector of numbers. Without
// it fabs, copysign and selections, as compilers write them, would be
// arithmetic on integers, which has no derivative.
#include "facts/memory/sign_bits.h"

#include "base/uniqued.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

/// A mask is loaded from a table of at most so many bytes.
constexpr uint64_t LargestTable = 4096;

/// Choices and shuffles are followed to so many places.
constexpr size_t MostPlaces = 64;

/// Collects the known bits of one lane of a word. Choices, shuffles and casts
/// only move a lane, also round a loop: it is that of one of the places where
/// such moves begin.
class LaneBits {
public:
  LaneBits(const DataLayout &DL, unsigned W) : DL(DL), W(W) {}
  /// The known bits of lane number Lane, of W bits, of V.
  KnownBits of(const Value *V, unsigned Lane);

private:
  bool moved(const Instruction &I, unsigned Lane);
  KnownBits begin(const Value *V, unsigned Lane);
  KnownBits ofConstant(const Constant &C, unsigned Lane);
  KnownBits ofTable(const LoadInst &L);
  KnownBits ofWords(const Value *V, unsigned Lane);
  void add(const Value *V, unsigned Lane) { Places.insert({V, Lane}); }
  KnownBits unknown() const { return KnownBits(W); }

  const DataLayout &DL;
  unsigned W;
  SetVector<std::pair<const Value *, unsigned>> Places;
};

KnownBits LaneBits::ofConstant(const Constant &C, unsigned Lane) {
  Type *T = C.getType();
  const unsigned All = static_cast<unsigned>(T->getPrimitiveSizeInBits());
  Type *Int = IntegerType::get(C.getContext(), W);
  Constant *Word = ConstantFoldConstant(
      ConstantExpr::getBitCast(uniqued(&C), FixedVectorType::get(Int, All / W)),
      DL);
  Constant *E = Word->getAggregateElement(Lane);
  if (isa_and_nonnull<UndefValue>(E)) // it may as well be zero
    return KnownBits::makeConstant(APInt::getZero(W));
  auto *N = dyn_cast_or_null<ConstantInt>(E);
  return N ? KnownBits::makeConstant(N->getValue()) : unknown();
}

/// What is common to all words of a constant table.
KnownBits LaneBits::ofTable(const LoadInst &L) {
  auto *G =
      dyn_cast<GlobalVariable>(getUnderlyingObject(L.getPointerOperand()));
  if (!G || !G->isConstant() || !G->hasDefinitiveInitializer() ||
      !L.isSimple() || !isPowerOf2_32(W) || W < 8 ||
      L.getAlign() < Align(W / 8) || G->getPointerAlignment(DL) < Align(W / 8))
    return unknown();
  const uint64_t Size = DL.getTypeStoreSize(G->getValueType());
  if (Size > LargestTable)
    return unknown();
  std::optional<KnownBits> Common;
  Type *Int = IntegerType::get(G->getContext(), W);
  for (uint64_t At = 0; At + W / 8 <= Size; At += W / 8) {
    auto *N = dyn_cast_or_null<ConstantInt>(ConstantFoldLoadFromConst(
        uniqued(G->getInitializer()), Int, APInt(64, At), DL));
    if (!N)
      return unknown();
    KnownBits K = KnownBits::makeConstant(N->getValue());
    Common = Common ? Common->intersectWith(K) : K;
  }
  return Common.value_or(unknown());
}

/// What LLVM knows of words of integers.
KnownBits LaneBits::ofWords(const Value *V, unsigned Lane) {
  Type *T = V->getType();
  if (!T->isIntOrIntVectorTy())
    return unknown();
  const unsigned E = T->getScalarSizeInBits();
  auto Element = [&](unsigned N) {
    auto *Vector = dyn_cast<FixedVectorType>(T);
    return Vector ? computeKnownBits(
                        V, APInt::getOneBitSet(Vector->getNumElements(), N), DL)
                  : computeKnownBits(V, DL);
  };
  if (E >= W)
    return E % W ? unknown()
                 : Element(Lane * W / E).extractBits(W, Lane * W % E);
  if (W % E)
    return unknown();
  KnownBits K = Element(Lane * W / E);
  for (unsigned N = 1; N < W / E; ++N)
    K = Element(Lane * W / E + N).concat(K);
  return K;
}

/// Adds the places from which I may move the lane. False if I does not only
/// move it.
bool LaneBits::moved(const Instruction &I, unsigned Lane) {
  const unsigned E = I.getType()->getScalarSizeInBits();
  const Value *First = I.getNumOperands() ? I.getOperand(0) : nullptr;
  if (isa<PHINode, SelectInst>(I)) {
    for (const Value *X : drop_begin(I.operands(), isa<SelectInst>(I) ? 1 : 0))
      add(X, Lane);
    return true;
  }
  if (isa<BitCastInst>(I)) {
    add(First, Lane);
    return true;
  }
  if (E % W != 0)
    return false;
  const unsigned Parts = E / W;
  if (isa<InsertElementInst>(I)) {
    auto *N = dyn_cast<ConstantInt>(I.getOperand(2));
    if (!N || N->equalsInt(Lane / Parts))
      add(I.getOperand(1), Lane % Parts);
    if (!N || !N->equalsInt(Lane / Parts))
      add(First, Lane);
    return true;
  }
  auto *T = First ? dyn_cast<FixedVectorType>(First->getType()) : nullptr;
  if (!T)
    return false;
  if (isa<ExtractElementInst>(I)) {
    auto *N = dyn_cast<ConstantInt>(I.getOperand(1));
    for (unsigned K = 0; K < T->getNumElements(); ++K)
      if (!N || N->equalsInt(K))
        add(First, K * Parts + Lane);
    return !N || N->getValue().ult(T->getNumElements());
  }
  if (auto *S = dyn_cast<ShuffleVectorInst>(&I)) {
    const int From = S->getMaskValue(Lane / Parts);
    const auto N = T->getNumElements(), At = static_cast<unsigned>(From);
    if (From >= 0) // others are not defined
      add(S->getOperand(At < N ? 0 : 1), At % N * Parts + Lane % Parts);
    return true;
  }
  return false;
}

/// What is known of a lane that comes from nowhere else.
KnownBits LaneBits::begin(const Value *V, unsigned Lane) {
  const uint64_t All = V->getType()->getPrimitiveSizeInBits();
  if (isa<ScalableVectorType>(V->getType()) || All % W != 0 || Lane >= All / W)
    return unknown();
  if (auto *C = dyn_cast<Constant>(V))
    return ofConstant(*C, Lane);
  auto *L = dyn_cast<LoadInst>(V);
  return L ? ofTable(*L) : ofWords(V, Lane);
}

KnownBits LaneBits::of(const Value *V, unsigned Lane) {
  Places.clear();
  add(V, Lane);
  std::optional<KnownBits> Common;
  for (size_t N = 0; N < Places.size(); ++N) {
    auto [X, At] = Places[N];
    auto *I = dyn_cast<Instruction>(X);
    if (Places.size() > MostPlaces)
      return unknown();
    if (I && moved(*I, At))
      continue;
    KnownBits K = begin(X, At);
    Common = Common ? Common->intersectWith(K) : K;
  }
  return Common.value_or(KnownBits::makeConstant(APInt::getZero(W)));
}

} // namespace

LaneEffect laneEffect(unsigned Opcode, const Value *Mask, unsigned Lane,
                      unsigned Bits, const DataLayout &DL) {
  using enum LaneEffect;
  KnownBits K = LaneBits(DL, Bits).of(Mask, Lane);
  KnownBits Rest = K.trunc(Bits - 1);
  if (Opcode == Instruction::And) {
    if (K.isZero())
      return Zero;
    return !Rest.isAllOnes()   ? Other
           : K.isNegative()    ? Keep
           : K.isNonNegative() ? Change
                               : Either;
  }
  if (!Rest.isZero())
    return Other;
  return K.isNonNegative() ? Keep : K.isNegative() ? Change : Either;
}

bool hasOnlySigns(const Value *V, unsigned Bits, const DataLayout &DL) {
  Type *T = V->getType();
  if (!T->isIntOrIntVectorTy() || isa<ScalableVectorType>(T))
    return false;
  const uint64_t All = T->getPrimitiveSizeInBits();
  if (Bits < 2 || All % Bits != 0)
    return false;
  for (unsigned Lane = 0; Lane < All / Bits; ++Lane)
    if (laneEffect(Instruction::Xor, V, Lane, Bits, DL) == LaneEffect::Other)
      return false;
  return true;
}

/// The lower half has less than half of the digits: a byte that a union has
/// beside a number, or the low word that libm clears to multiply exactly.
bool roundsNumber(const Instruction &I, unsigned N) {
  const bool Clears = I.getOpcode() == Instruction::And;
  if (!Clears && I.getOpcode() != Instruction::Or)
    return false;
  const APInt *Mask;
  if (!match(I.getOperand(1 - N), m_APInt(Mask)))
    return false;
  const unsigned W = Mask->getBitWidth();
  if ((Clears ? ~*Mask : *Mask).getActiveBits() > W / 2)
    return false;
  auto *Word = dyn_cast<Instruction>(I.getOperand(N));
  if (auto *B = dyn_cast_or_null<BinaryOperator>(Word))
    return roundsNumber(*B, 0);
  const Type *T = isa_and_nonnull<BitCastInst>(Word)
                      ? Word->getOperand(0)->getType()->getScalarType()
                      : nullptr;
  return T && (T->isDoubleTy() || T->isFloatTy()) &&
         T->getScalarSizeInBits() == W;
}

bool keepsFloat(const Value *V) {
  const APInt *C;
  if (match(V, m_APInt(C)))
    return C->isSignMask() || C->isMaxSignedValue() || C->isAllOnes();
  if (match(V, m_And(m_Value(), m_APInt(C))))
    return C->isSignMask() || C->isMaxSignedValue();
  const Value *B;
  return match(V, m_SExt(m_Value(B))) && B->getType()->isIntOrIntVectorTy(1);
}

} // namespace retro
