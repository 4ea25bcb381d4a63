// Which operations round, and by how much. One that is missing here would be
// taken for exact, and a bound would not hold.
#include "facts/activity/operation_errors.h"

#include "facts/activity/needs.h"
#include "facts/activity/rounding.h"
#include "front/known/known_functions.h"
#include "rules/errors.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

using rules::RuleId;

/// Is V a power of two, the same in all lanes? Products with it are exact.
bool isPowerOfTwo(const Value *V) {
  auto *C = dyn_cast<Constant>(V);
  auto *K = dyn_cast_or_null<ConstantFP>(
      C && C->getType()->isVectorTy() ? C->getSplatValue() : C);
  return K && K->getValueAPF().isFiniteNonZero() &&
         K->getValueAPF().getExactLog2Abs() != INT_MIN;
}

bool isExact(const Instruction &I, RuleId Rule) {
  return (Rule == RuleId::Mul && any_of(I.operands(), isPowerOfTwo)) ||
         (Rule == RuleId::Div && isPowerOfTwo(I.getOperand(1)));
}

bool isWide(const Value &V) {
  Type *T = V.getType()->isStructTy() ? V.getType()->getStructElementType(0)
                                      : V.getType();
  return T->getScalarSizeInBits() > 64;
}

OwnError ofConversion(const CastInst &I) {
  OwnError E;
  const auto Digits = APFloat::semanticsPrecision(
      I.getType()->getScalarType()->getFltSemantics());
  const unsigned Bits =
      I.getSrcTy()->getScalarSizeInBits() - isa<SIToFPInst>(I);
  E.Units = Bits > Digits;
  E.IfLarge = true;
  E.Underflows = false;
  return E;
}

std::optional<OwnError> ofRule(const Instruction &I, RuleId Rule) {
  OwnError E;
  E.Units = rules::unitsOf(Rule, isWide(I));
  if (E.Units == rules::Unknown)
    return std::nullopt;
  if (isExact(I, Rule))
    E.Units = 0;
  // A product with the reciprocal is rounded twice.
  if (Rule == RuleId::Div && E.any() && I.hasAllowReciprocal())
    ++E.Units;
  E.PerFactor = Rule == RuleId::Powi;
  E.Underflows = Rule != RuleId::Add && Rule != RuleId::Sub;
  if (auto *C = dyn_cast<IntrinsicInst>(&I))
    E.OfProduct = C->getIntrinsicID() == Intrinsic::fmuladd;
  return E;
}

OwnError ofComplex(rules::ComplexOp Op) {
  OwnError E;
  E.Units = rules::unitsOf(Op);
  E.OfProduct = Op == rules::ComplexOp::Mul;
  E.OfGreater = Op == rules::ComplexOp::Div;
  return E;
}

} // namespace

std::optional<OwnError> ownError(const Instruction &I) {
  if (roundsToInteger(I))
    return OwnError();
  if (isa<SIToFPInst, UIToFPInst>(I))
    return ofConversion(cast<CastInst>(I));
  if (isa<FPTruncInst>(I)) {
    OwnError E;
    E.Units = 1;
    return E;
  }
  if (auto Rule = ruleOf(I))
    return ofRule(I, *Rule);
  auto *C = dyn_cast<CallBase>(&I);
  const KnownCall K = C ? knownCall(*C) : KnownCall();
  if (K.Kind == KnownKind::Sincos) {
    OwnError E;
    const bool Wide = isWide(*C->getArgOperand(0));
    E.Units = std::max(rules::unitsOf(RuleId::Sin, Wide),
                       rules::unitsOf(RuleId::Cos, Wide));
    return E;
  }
  if (K.Kind == KnownKind::Complex)
    return ofComplex(K.Row->word<rules::ComplexOp>());
  if (K.isDifferentiable() || K.Kind == KnownKind::Blas ||
      K.Kind == KnownKind::Mpi || K.Kind == KnownKind::Custom)
    return std::nullopt;
  return OwnError();
}

bool rounds(const Instruction &I) {
  if (auto *A = dyn_cast<AtomicRMWInst>(&I))
    return A->getOperation() == AtomicRMWInst::FAdd ||
           A->getOperation() == AtomicRMWInst::FSub;
  auto E = ownError(I);
  return E && E->any();
}

bool choosesByOrder(const SelectInst &S) {
  auto *C = dyn_cast<FCmpInst>(S.getCondition());
  return C && ((C->getOperand(0) == S.getTrueValue() &&
                C->getOperand(1) == S.getFalseValue()) ||
               (C->getOperand(0) == S.getFalseValue() &&
                C->getOperand(1) == S.getTrueValue()));
}

} // namespace retro
