// Numbers that are chosen by where in its loop an iteration is: indices that
// clamp at the boundary of a grid, or go on at its other end. Without it each
// such index would be a branch, and no nest that has one a stencil. Members of
// Grid (grid.h).
#include "facts/loops/grid.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {

/// 1: it is not negative in any iteration, -1: not positive; 0: who knows.
int Grid::signOf(const Polynomial &Difference) const {
  for (unsigned Level = 0; Level < Last.size(); ++Level) {
    const Polynomial K = Polynomial::variable(Level), Left = Last[Level] - K;
    if (Difference == K || Difference == Left)
      return 1;
    if (Difference == K * -1 || Difference == Left * -1)
      return -1;
  }
  return 0;
}

/// Does the comparison compare signed numbers, or give the same as one that
/// does?
bool Grid::compares(const ICmpInst &C) const {
  return C.isSigned() || C.isEquality() || C.hasSameSign() ||
         (isNonNegative(C.getOperand(0)) && isNonNegative(C.getOperand(1)));
}

std::optional<Intrinsic::ID> Grid::extremum(SelectInst &S) {
  auto *C = dyn_cast<ICmpInst>(S.getCondition());
  if (nest().empty() || !C || !S.getType()->isIntegerTy())
    return std::nullopt;
  Maybe A = of(C->getOperand(0)), B = of(C->getOperand(1)),
        Then = of(S.getTrueValue()), Else = of(S.getFalseValue());
  if (!compares(*C) || !A || !B || !Then || !Else)
    return std::nullopt;
  auto Pred = C->getPredicate();
  if (Pred == ICmpInst::ICMP_NE || ICmpInst::isLE(Pred) ||
      ICmpInst::isGE(Pred)) {
    Pred = ICmpInst::getInversePredicate(Pred);
    std::swap(Then, Else);
  }
  const Polynomial One(1);
  if (Pred == ICmpInst::ICMP_EQ) {
    const int Sign = signOf(*A - *B);
    if (!(*Then == *B) || Sign == 0 ||
        !(*Else == (Sign > 0 ? *A - One : *A + One)))
      return std::nullopt;
    return Sign > 0 ? Intrinsic::smax : Intrinsic::smin;
  }
  if (ICmpInst::isLT(Pred) && ((*Then == *A + One && *Else == *B) ||
                               (*Then == *A && *Else == *B - One)))
    return Intrinsic::smin;
  if (ICmpInst::isGT(Pred) && ((*Then == *A - One && *Else == *B) ||
                               (*Then == *A && *Else == *B + One)))
    return Intrinsic::smax;
  return std::nullopt;
}

std::optional<Grid::Equality> Grid::equality(ICmpInst &C) {
  if (nest().empty() || C.isEquality() ||
      !C.getOperand(0)->getType()->isIntegerTy() || !compares(C))
    return std::nullopt;
  Maybe A = of(C.getOperand(0)), B = of(C.getOperand(1));
  // Wide numbers may wrap, but not near that of an iteration, or a constant.
  auto IsSmall = [&](const Polynomial &P) {
    auto N = P.asConstant();
    return N ? isInt<32>(*N) : isNear(P);
  };
  if (!A || !B ||
      (C.getOperand(0)->getType()->isIntegerTy(64) && !IsSmall(*A) &&
       !IsSmall(*B)))
    return std::nullopt;
  const auto Pred = C.getPredicate();
  const bool Or = ICmpInst::isLE(Pred) || ICmpInst::isGE(Pred);
  const bool Greater = ICmpInst::isGT(Pred) || ICmpInst::isLE(Pred);
  const Polynomial D = *A - *B, One(1);
  // The condition is D > 0 if Greater, and D < 0 otherwise, or the opposite of
  // that.
  if (signOf(D) == (Greater ? 1 : -1))
    return Equality{0, !Or};
  if (signOf(Greater ? D - One : D + One) == (Greater ? -1 : 1))
    return Equality{Greater ? -1 : 1, Or};
  return std::nullopt;
}

/// Is the difference zero in the first or last iteration of a loop alone?
std::optional<Grid::End>
Grid::endWhereZero(const Polynomial &Difference) const {
  for (unsigned Level = 0; Level < Last.size(); ++Level)
    for (bool AtLast : {false, true}) {
      const Polynomial K = Polynomial::variable(Level);
      const Polynomial D = AtLast ? Last[Level] - K : K;
      if (Difference == D || Difference == D * -1)
        return End{Level, AtLast};
    }
  return std::nullopt;
}

/// By where the iteration is: in the first or last one of a loop a number is
/// what it is with that iteration's number put in.
Grid::Maybe Grid::ofChoice(SelectInst &I, unsigned Depth) {
  auto *C = dyn_cast<ICmpInst>(I.getCondition());
  if (!C || !C->isEquality() || !C->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  Maybe A = of(C->getOperand(0), Depth), B = of(C->getOperand(1), Depth);
  auto Where = A && B ? endWhereZero(*A - *B) : std::nullopt;
  if (!Where)
    return std::nullopt;
  Maybe Then = of(I.getTrueValue(), Depth), Else = of(I.getFalseValue(), Depth);
  if (!Then || !Else)
    return std::nullopt;
  if (C->getPredicate() == ICmpInst::ICMP_NE)
    std::swap(Then, Else);
  const Polynomial More = *Then - *Else;
  if (!More.factorOf(Where->first))
    return std::nullopt;
  auto [Level, AtLast] = *Where;
  return *Else +
         end(Level, AtLast) *
             More.substitute(Level, AtLast ? Last[Level] : Polynomial(0));
}

Value *Grid::exceptAtEnd(SelectInst &Choice, bool AtLast) {
  auto *C = dyn_cast<ICmpInst>(Choice.getCondition());
  if (nest().empty() || !C || !C->isEquality() ||
      !C->getOperand(0)->getType()->isIntegerTy() ||
      !Choice.getType()->isIntOrPtrTy())
    return nullptr;
  Maybe A = of(C->getOperand(0)), B = of(C->getOperand(1));
  if (!A || !B || endWhereZero(*A - *B) != End{0, AtLast})
    return nullptr;
  return C->getPredicate() == ICmpInst::ICMP_EQ ? Choice.getFalseValue()
                                                : Choice.getTrueValue();
}

std::optional<Grid::Toward> Grid::remainder(BinaryOperator &I) {
  if (nest().empty() || !I.getType()->isIntegerTy() ||
      (I.getOpcode() != Instruction::SRem &&
       I.getOpcode() != Instruction::URem))
    return std::nullopt;
  Maybe A = of(I.getOperand(0)), B = of(I.getOperand(1));
  const Polynomial One(1);
  for (unsigned Level = 0; A && B && Level < Last.size(); ++Level) {
    const Polynomial K = Polynomial::variable(Level), N = Last[Level] + One;
    if (!(*B == N))
      continue;
    // A loop that goes down has the same two neighbours.
    if (*A == K + One || *A == N - K)
      return Toward::NextAround;
    if (*A == K + N - One || *A == N + N - One - One - K)
      return Toward::PriorAround;
  }
  return std::nullopt;
}

} // namespace retro
