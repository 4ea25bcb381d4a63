// Whether all bits of a lane are copies of one. A comparison makes such lanes;
// moves, shifts and other masks keep them, also round a loop. What is asked of
// a value is asked of some of its bits, since casts and shuffles cut lanes
// anew.
#include "prepare/lanes/uniform_lanes.h"

#include "base/uniqued.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

/// Masks are followed to so many places.
constexpr size_t MostPlaces = 256;

/// Bits Low to High of a value, its elements side by side, the first lowest.
struct Place {
  const Value *V;
  unsigned Low, High;
  unsigned size() const { return High - Low; }
};

/// Takes for granted that places are uniform, and asks that of what they are
/// made of, until there is nothing more to ask: what comes round a loop was
/// made of the same in an iteration before.
class UniformBits {
public:
  UniformBits(const DataLayout &DL) : DL(DL) {}
  bool of(Place P);

private:
  bool look(Place P);
  bool lookAtMove(const Instruction &I, Place P);
  bool lookAtCast(const Instruction &I, Place P);
  bool lookAtShift(const BinaryOperator &I, Place P);
  bool lookAtShuffle(const ShuffleVectorInst &S, Place P);
  bool isConstant(const Constant &C, Place P) const;
  bool add(const Value *V, unsigned Low, unsigned High) {
    Places.insert({V, {Low, High}});
    return true;
  }

  const DataLayout &DL;
  SetVector<std::pair<const Value *, std::pair<unsigned, unsigned>>> Places;
};

unsigned elementBits(const Value *V) {
  return V->getType()->getScalarSizeInBits();
}

/// The number of the element that P lies in, if it lies in one.
std::optional<unsigned> elementOf(Place P) {
  const unsigned E = elementBits(P.V);
  if (!E || P.Low / E != (P.High - 1) / E)
    return std::nullopt;
  return P.Low / E;
}

bool UniformBits::isConstant(const Constant &C, Place P) const {
  const auto All = static_cast<unsigned>(C.getType()->getPrimitiveSizeInBits());
  if (!All || P.High > All)
    return false;
  Type *Int = IntegerType::get(C.getContext(), All);
  Constant *Word =
      ConstantFoldConstant(ConstantExpr::getBitCast(uniqued(&C), Int), DL);
  if (isa<UndefValue>(Word))
    return true;
  auto *N = dyn_cast<ConstantInt>(Word);
  if (!N)
    return false;
  const APInt Bits = N->getValue().extractBits(P.size(), P.Low);
  return Bits.isZero() || Bits.isAllOnes();
}

/// A lane that is shuffled from several elements is uniform where all of them
/// are the same one.
bool UniformBits::lookAtShuffle(const ShuffleVectorInst &S, Place P) {
  const unsigned E = elementBits(&S);
  const auto Width =
      cast<FixedVectorType>(S.getOperand(0)->getType())->getNumElements();
  const bool Whole = P.Low % E == 0 && P.High % E == 0;
  if (!Whole && !elementOf(P))
    return false;
  std::optional<unsigned> From;
  for (unsigned N = P.Low / E; N <= (P.High - 1) / E; ++N) {
    const int M = S.getMaskValue(N);
    if (M < 0 || (From && *From != static_cast<unsigned>(M)))
      return false;
    From = static_cast<unsigned>(M);
  }
  const unsigned Low = Whole ? 0 : P.Low % E, Base = *From % Width * E;
  return add(S.getOperand(*From < Width ? 0 : 1), Base + Low,
             Base + (Whole ? E : Low + P.size()));
}

bool UniformBits::lookAtMove(const Instruction &I, Place P) {
  if (isa<PHINode, FreezeInst>(I)) {
    for (const Value *X : I.operands())
      add(X, P.Low, P.High);
    return true;
  }
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
    return lookAtShuffle(*Shuffle, P);
  const auto Element = elementOf(P);
  auto *S = dyn_cast<SelectInst>(&I);
  if (S && (Element || !S->getCondition()->getType()->isVectorTy()))
    return add(S->getTrueValue(), P.Low, P.High) &&
           add(S->getFalseValue(), P.Low, P.High);
  if (!Element)
    return false;
  const unsigned E = elementBits(&I);
  if (isa<InsertElementInst>(I)) {
    auto *N = dyn_cast<ConstantInt>(I.getOperand(2));
    if (!N || N->equalsInt(*Element))
      add(I.getOperand(1), P.Low % E, P.Low % E + P.size());
    if (!N || !N->equalsInt(*Element))
      add(I.getOperand(0), P.Low, P.High);
    return true;
  }
  auto *X = dyn_cast<ExtractElementInst>(&I);
  auto *T = X ? dyn_cast<FixedVectorType>(X->getVectorOperandType()) : nullptr;
  auto *N = X ? dyn_cast<ConstantInt>(X->getIndexOperand()) : nullptr;
  if (!T || (N && N->getValue().uge(T->getNumElements())))
    return false;
  for (unsigned K = 0; K < T->getNumElements(); ++K)
    if (!N || N->equalsInt(K))
      add(X->getVectorOperand(), K * E + P.Low, K * E + P.High);
  return true;
}

bool UniformBits::lookAtCast(const Instruction &I, Place P) {
  const Value *X = I.getOperand(0);
  if (isa<BitCastInst>(I))
    return DL.isLittleEndian() && add(X, P.Low, P.High);
  const auto Element = elementOf(P);
  if (!Element)
    return false;
  const unsigned From = elementBits(X), Base = *Element * From;
  const unsigned Low = P.Low % elementBits(&I), High = Low + P.size();
  if (isa<TruncInst>(I) || High <= From)
    return add(X, Base + Low, Base + High);
  if (Low >= From)
    return true; // zeros, or copies of the sign
  return isa<SExtInst>(I) && add(X, Base + Low, Base + From);
}

/// Shifts within an element, by as many bits as the program says.
bool UniformBits::lookAtShift(const BinaryOperator &I, Place P) {
  const auto Element = elementOf(P);
  const APInt *C;
  const unsigned E = elementBits(&I);
  if (!Element || !match(I.getOperand(1), m_APInt(C)) || C->uge(E))
    return false;
  const auto By = static_cast<unsigned>(C->getZExtValue());
  const unsigned Base = *Element * E, Low = P.Low - Base, High = P.High - Base;
  if (I.getOpcode() == Instruction::Shl) {
    if (High <= By)
      return true;
    return Low >= By && add(I.getOperand(0), P.Low - By, P.High - By);
  }
  if (Low + By >= E)
    return true; // zeros, or copies of the sign
  if (High + By > E && I.getOpcode() == Instruction::LShr)
    return false;
  return add(I.getOperand(0), P.Low + By, Base + std::min(High + By, E));
}

bool UniformBits::look(Place P) {
  if (P.size() == 1)
    return true;
  if (isa<ScalableVectorType>(P.V->getType()))
    return false;
  if (auto *C = dyn_cast<Constant>(P.V))
    return isConstant(*C, P);
  auto *I = dyn_cast<Instruction>(P.V);
  if (!I)
    return false;
  if (isa<PHINode, FreezeInst, SelectInst, ShuffleVectorInst, InsertElementInst,
          ExtractElementInst>(I))
    return lookAtMove(*I, P);
  if (isa<BitCastInst, SExtInst, ZExtInst, TruncInst>(I))
    return lookAtCast(*I, P);
  if (I->isShift())
    return lookAtShift(cast<BinaryOperator>(*I), P);
  if (I->isBitwiseLogicOp())
    return add(I->getOperand(0), P.Low, P.High) &&
           add(I->getOperand(1), P.Low, P.High);
  return I->getType()->isIntOrIntVectorTy() && elementOf(P) &&
         P.High % elementBits(I) == 0 && ComputeNumSignBits(I, DL) >= P.size();
}

bool UniformBits::of(Place P) {
  Places.clear();
  add(P.V, P.Low, P.High);
  for (size_t N = 0; N < Places.size(); ++N) {
    const auto [V, Range] = Places[N];
    if (Places.size() > MostPlaces || !look({V, Range.first, Range.second}))
      return false;
  }
  return true;
}

} // namespace

bool hasUniformLanes(const Value *Mask, unsigned Bits, const DataLayout &DL) {
  const Type *T = Mask->getType();
  if (isa<ScalableVectorType>(T))
    return false;
  const auto All = static_cast<unsigned>(T->getPrimitiveSizeInBits());
  if (!Bits || !All || All % Bits != 0)
    return false;
  for (unsigned Low = 0; Low < All; Low += Bits)
    if (!UniformBits(DL).of({Mask, Low, Low + Bits}))
      return false;
  return true;
}

} // namespace retro
