// Input: an integer. Output: which multiples it takes, by the arithmetic that
// computes it. Without it the fields of an array of structs would be folded
// onto each other.
#include "facts/memory/steps.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

#include <numeric>

using namespace llvm;

namespace retro {

void Steps::add(const Steps &S) {
  Every = std::gcd(Every, S.Every);
  Offset += S.Offset;
  Distances.append(S.Distances.begin(), S.Distances.end());
  Perhaps.append(S.Perhaps.begin(), S.Perhaps.end());
}

/// Multiples of distances between pointers are not followed.
void Steps::scale(int64_t Factor) {
  const int64_t Size = Factor < 0 ? -Factor : Factor;
  Every *= Size;
  Offset *= Factor;
  if (Factor == -1)
    for (auto &[To, From] : Distances)
      std::swap(To, From);
  else if (Factor != 1 && !(Distances.empty() && Perhaps.empty())) {
    Every = std::gcd(Every, Size);
    Distances.clear();
    Perhaps.clear();
  }
}

namespace {

/// A factor or start that is farther away says nothing of an object.
constexpr int64_t Far = int64_t(1) << 40;
constexpr unsigned Deepest = 6;

/// How a narrow integer is made wide: what is computed of it must not wrap.
enum class Wrap { Harmless, NotSigned, NotUnsigned };

class StepFinder {
public:
  explicit StepFinder(const DataLayout &DL) : DL(DL) {}
  Steps find(const Value *V, Wrap W, unsigned Depth) const;

private:
  std::optional<Steps> operation(const Instruction &I, Wrap W,
                                 unsigned Depth) const;
  std::optional<Steps> arithmetic(const BinaryOperator &B, Wrap W,
                                  unsigned Depth) const;
  std::optional<Steps> oneOf(ArrayRef<const Value *> Values, const PHINode *P,
                             Wrap W, unsigned Depth) const;

  const DataLayout &DL;
};

/// What P is increased by in its loop, if V is that; else null.
const Value *increaseOf(const PHINode *P, const Value *V) {
  auto *B = dyn_cast<BinaryOperator>(V);
  if (!P || !B || B->getOpcode() != Instruction::Add)
    return nullptr;
  return B->getOperand(0) == P   ? B->getOperand(1)
         : B->getOperand(1) == P ? B->getOperand(0)
                                 : nullptr;
}

/// The steps of a value that is one of several, or that a loop increases again
/// and again.
std::optional<Steps> StepFinder::oneOf(ArrayRef<const Value *> Values,
                                       const PHINode *P, Wrap W,
                                       unsigned Depth) const {
  std::optional<Steps> Out;
  SmallVector<Steps::Distance> Perhaps;
  int64_t Every = 0;
  for (const Value *V : Values) {
    if (V == P)
      continue;
    const Value *By = increaseOf(P, V);
    Steps S = find(By ? By : V, W, Depth + 1);
    Perhaps.append(S.Distances.begin(), S.Distances.end());
    Perhaps.append(S.Perhaps.begin(), S.Perhaps.end());
    Every = std::gcd(Every, S.Every);
    if (By)
      Every = std::gcd(Every, S.Offset);
    else if (Out)
      Every = std::gcd(Every, S.Offset - Out->Offset);
    else
      Out = S;
  }
  if (Out) {
    Out->Every = std::gcd(Out->Every, Every);
    Out->Distances.clear();
    Out->Perhaps.assign(Perhaps.begin(), Perhaps.end());
  }
  return Out;
}

/// Adds the pointers whose addresses V may be. False if it may be another
/// integer.
bool addPointers(const Value *V, SmallVectorImpl<const Value *> &Out,
                 unsigned Depth = 0) {
  if (auto *P = dyn_cast<PtrToIntOperator>(V)) {
    Out.push_back(P->getPointerOperand());
    return Out.size() <= 8;
  }
  auto Add = [&](const Value *O) { return addPointers(O, Out, Depth + 1); };
  if (Depth > Deepest)
    return false;
  if (auto *P = dyn_cast<PHINode>(V))
    return all_of(P->incoming_values(), Add);
  auto *S = dyn_cast<SelectInst>(V);
  return S && Add(S->getTrueValue()) && Add(S->getFalseValue());
}

/// Adds the distance from From to To, if both are addresses.
bool addDistances(Steps &S, const Value *To, const Value *From) {
  SmallVector<const Value *, 4> Ends, Starts;
  if (!addPointers(To, Ends) || !addPointers(From, Starts))
    return false;
  auto &Out = Ends.size() == 1 && Starts.size() == 1 ? S.Distances : S.Perhaps;
  for (const Value *E : Ends)
    for (const Value *P : Starts)
      if (E != P)
        Out.push_back({E, P});
  return true;
}

/// A product of multiples is a multiple of both.
std::optional<Steps> productOf(const Steps &A, const Steps &B) {
  auto IsPlain = [](const Steps &S) {
    return S.Distances.empty() && S.Perhaps.empty();
  };
  const int64_t M = std::gcd(A.Every, A.Offset),
                N = std::gcd(B.Every, B.Offset);
  if (!IsPlain(A) || !IsPlain(B) || M >= (int64_t(1) << 31) ||
      N >= (int64_t(1) << 31))
    return std::nullopt;
  Steps Out;
  Out.Every = M * N;
  return Out;
}

std::optional<Steps> StepFinder::arithmetic(const BinaryOperator &B, Wrap W,
                                            unsigned Depth) const {
  const Value *L = B.getOperand(0), *R = B.getOperand(1);
  auto Of = [&](const Value *V) { return find(V, W, Depth + 1); };
  auto *Overflowing = dyn_cast<OverflowingBinaryOperator>(&B);
  if (Overflowing &&
      ((W == Wrap::NotSigned && !Overflowing->hasNoSignedWrap()) ||
       (W == Wrap::NotUnsigned && !Overflowing->hasNoUnsignedWrap())))
    return std::nullopt;
  switch (B.getOpcode()) {
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(B).isDisjoint())
      return std::nullopt;
    [[fallthrough]];
  case Instruction::Add: {
    Steps S = Of(L);
    S.add(Of(R));
    return S;
  }
  case Instruction::Sub: {
    Steps S;
    if (addDistances(S, L, R))
      return S;
    Steps Taken = Of(R);
    Taken.scale(-1);
    S = Of(L);
    S.add(Taken);
    return S;
  }
  case Instruction::Mul:
  case Instruction::Shl: {
    auto *C = dyn_cast<ConstantInt>(R);
    const bool IsShift = B.getOpcode() == Instruction::Shl;
    if (!C && !IsShift)
      return productOf(Of(L), Of(R));
    if (!C || (IsShift ? C->getValue().uge(31)
                       : C->getValue().getSignificantBits() > 31))
      return std::nullopt;
    Steps S = Of(L);
    S.scale(IsShift ? int64_t(1) << C->getZExtValue() : C->getSExtValue());
    return S;
  }
  default:
    return std::nullopt;
  }
}

std::optional<Steps> StepFinder::operation(const Instruction &I, Wrap W,
                                           unsigned Depth) const {
  if (auto *B = dyn_cast<BinaryOperator>(&I))
    return arithmetic(*B, W, Depth);
  switch (I.getOpcode()) {
  case Instruction::SExt:
    return find(I.getOperand(0), Wrap::NotSigned, Depth + 1);
  case Instruction::ZExt:
    return find(I.getOperand(0),
                I.hasNonNeg() ? Wrap::NotSigned : Wrap::NotUnsigned, Depth + 1);
  case Instruction::Freeze:
    return find(I.getOperand(0), W, Depth + 1);
  case Instruction::Select:
    return oneOf({I.getOperand(1), I.getOperand(2)}, nullptr, W, Depth);
  case Instruction::PHI: {
    auto &P = cast<PHINode>(I);
    SmallVector<const Value *> Values(P.incoming_values());
    return oneOf(Values, &P, W, Depth);
  }
  case Instruction::Call:
    if (auto *M = dyn_cast<MinMaxIntrinsic>(&I))
      return oneOf({M->getLHS(), M->getRHS()}, nullptr, W, Depth);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

Steps StepFinder::find(const Value *V, Wrap W, unsigned Depth) const {
  Steps Unknown;
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    if (C->getValue().getSignificantBits() > 64)
      Unknown.Every = 1;
    else
      Unknown.Offset = C->getSExtValue();
    return Unknown;
  }
  auto *I = dyn_cast<Instruction>(V);
  if (I && Depth < Deepest)
    if (auto S = operation(*I, W, Depth);
        S && S->Every < Far && std::abs(S->Offset) < Far)
      return *S;
  const unsigned Zeros = computeKnownBits(V, DL).countMinTrailingZeros();
  Unknown.Every = int64_t(1) << std::min(Zeros, 12u);
  return Unknown;
}

} // namespace

Steps stepsOf(const Value *V, const DataLayout &DL) {
  return StepFinder(DL).find(V, Wrap::Harmless, 0);
}

} // namespace retro
