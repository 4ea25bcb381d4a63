// Input: comparisons of indices in a loop. Output: for each that can be solved,
// linear conditions on the number of the iteration, of which one holds wherever
// the comparison may. An index may be a remainder, as on a ring, or one of
// several; a condition that holds too often costs time, one that is missing
// would lose an entry.
#include "polish/sparse/sparse_conditions.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {

bool LoopConditions::isSafe(const SCEV *S) {
  return SCEVExpander(SE, "sparse").isSafeToExpand(S);
}

/// S / D, where every term of S is a multiple of D; else null.
const SCEV *LoopConditions::quotient(const SCEV *S, const APInt &D) {
  if (auto *C = dyn_cast<SCEVConstant>(S))
    return C->getAPInt().srem(D).isZero()
               ? SE.getConstant(C->getAPInt().sdiv(D))
               : nullptr;
  if (auto *M = dyn_cast<SCEVMulExpr>(S)) {
    const SCEV *First = quotient(M->getOperand(0), D);
    if (!First)
      return nullptr;
    SmallVector<const SCEV *> Ops(M->operands());
    Ops[0] = First;
    return SE.getMulExpr(Ops);
  }
  auto *N = dyn_cast<SCEVNAryExpr>(S);
  if (!N || !isa<SCEVAddExpr, SCEVAddRecExpr>(N))
    return nullptr;
  SmallVector<const SCEV *> Ops;
  for (const SCEV *O : N->operands()) {
    const SCEV *Q = quotient(O, D);
    if (!Q)
      return nullptr;
    Ops.push_back(Q);
  }
  if (auto *R = dyn_cast<SCEVAddRecExpr>(N))
    return SE.getAddRecExpr(Ops, R->getLoop(), SCEV::FlagAnyWrap);
  return SE.getAddExpr(Ops);
}

/// A value as a sum over loop counters. An offset divided by the size of a
/// number is that number's index, as offsets into objects do not overflow.
const SCEV *LoopConditions::number(Value *V) {
  auto *B = dyn_cast<BinaryOperator>(V);
  auto *C = B ? dyn_cast<ConstantInt>(B->getOperand(1)) : nullptr;
  bool Shift = B && B->getOpcode() == Instruction::AShr;
  if (C && (Shift || B->getOpcode() == Instruction::SDiv) && B->isExact()) {
    APInt D = Shift ? APInt(64, 1) << C->getValue() : C->getValue();
    if (const SCEV *Q = quotient(SE.getSCEV(B->getOperand(0)), D))
      return Q;
  }
  return SE.getSCEV(V);
}

bool LoopConditions::addCondition(Loop &L, const SCEV *Difference,
                                  const SCEV *Bound,
                                  std::vector<Condition> &All,
                                  bool MayBeFixed) {
  auto *R = dyn_cast<SCEVAddRecExpr>(Difference);
  const bool Fixed = MayBeFixed && SE.isLoopInvariant(Difference, &L);
  if (!Fixed && (!R || R->getLoop() != &L || !R->isAffine()))
    return false;
  const SCEV *Start = Fixed ? Difference : R->getStart();
  const SCEV *Step = Fixed ? SE.getZero(I64) : R->getStepRecurrence(SE);
  if (Difference->getType() != I64 || !SE.isLoopInvariant(Bound, &L) ||
      !isSafe(Bound) || !isSafe(Start) || !isSafe(Step))
    return false;
  const Condition New{Start, Step, Bound};
  if (none_of(All, [&](const Condition &C) {
        return C.A == New.A && C.C == New.C && C.B == New.B;
      }))
    All.push_back(New);
  return true;
}

/// The iterations in which the term is below 0, if it may be.
bool LoopConditions::addNegative(Loop &L, const Term &T,
                                 std::vector<Condition> &All) {
  return T.NonNegative || addCondition(L, SE.getNotSCEV(T.S),
                                       SE.getConstant(I64, Far), All, true);
}

/// The linear terms of which V is one in each iteration in which none of the
/// conditions holds that are added. False if they cannot be told.
bool LoopConditions::termsOf(Loop &L, Value *V, Terms &Out,
                             std::vector<Condition> &All, unsigned Depth) {
  const SCEV *S = number(V);
  auto *R = dyn_cast<SCEVAddRecExpr>(S);
  if (SE.isLoopInvariant(S, &L) || (R && R->getLoop() == &L && R->isAffine())) {
    Out.push_back({S, SE.isKnownNonNegative(S)});
    return true;
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > MostSteps || !L.contains(I) || V->getType() != I64)
    return false;
  if (auto *P = dyn_cast<PHINode>(I))
    return P->getParent() != L.getHeader() &&
           all_of(P->incoming_values(), [&](Value *In) {
             return termsOf(L, In, Out, All, Depth + 1);
           });
  if (auto *Select = dyn_cast<SelectInst>(I))
    return termsOfChoice(L, *Select, Out, All, Depth);
  auto *B = dyn_cast<BinaryOperator>(I);
  Terms Of;
  if (!B || !termsOf(L, B->getOperand(0), Of, All, Depth + 1))
    return false;
  for (const Term &T : Of)
    if (!operate(L, *B, T, Out, All))
      return false;
  return Out.size() <= MostTerms;
}

/// Of a choice, one value or the other; one alone in iterations in which a
/// comparison does not hold that is solved itself.
bool LoopConditions::termsOfChoice(Loop &L, SelectInst &S, Terms &Out,
                                   std::vector<Condition> &All,
                                   unsigned Depth) {
  auto Of = [&](Value *V) { return termsOf(L, V, Out, All, Depth + 1); };
  auto *C = dyn_cast<ICmpInst>(S.getCondition());
  size_t Known = All.size();
  if (C && C->isEquality() && C->getOperand(0)->getType() == I64 &&
      Depth < MostSteps && isSolved(L, *C, All, Depth + 1))
    return Of(C->getPredicate() == ICmpInst::ICMP_EQ ? S.getFalseValue()
                                                     : S.getTrueValue());
  All.resize(Known);
  return Of(S.getTrueValue()) && Of(S.getFalseValue());
}

/// Has V no bits but those of Mask, unless it is larger than any index?
bool LoopConditions::keepsIndex(const Value &V, const APInt &Mask) const {
  const KnownBits Known = computeKnownBits(&V, F.getDataLayout());
  return (Mask | Known.Zero).countr_one() >= 60;
}

/// What B makes of the term T in the place of its first operand.
bool LoopConditions::operate(Loop &L, BinaryOperator &B, const Term &T,
                             Terms &Out, std::vector<Condition> &All) {
  const SCEV *Y = SE.getSCEV(B.getOperand(1));
  auto *C = dyn_cast<ConstantInt>(B.getOperand(1));
  auto Power = [&] { return APInt(64, 1) << C->getValue(); };
  auto Give = [&](const SCEV *S, bool NonNegative = false) {
    Out.push_back({S, NonNegative || SE.isKnownNonNegative(S)});
    return true;
  };
  if (!SE.isLoopInvariant(Y, &L))
    return false;
  switch (B.getOpcode()) {
  case Instruction::Or:
    return cast<PossiblyDisjointInst>(B).isDisjoint() &&
           Give(SE.getAddExpr(T.S, Y));
  case Instruction::Add:
    return Give(SE.getAddExpr(T.S, Y), T.NonNegative && C && !C->isNegative());
  case Instruction::Sub:
    return Give(SE.getMinusSCEV(T.S, Y));
  case Instruction::Mul:
    return Give(SE.getMulExpr(T.S, Y), T.NonNegative && C && !C->isNegative());
  case Instruction::Shl:
    return C && C->getValue().ult(20) &&
           Give(SE.getMulExpr(T.S, SE.getConstant(Power())), T.NonNegative);
  case Instruction::And: // an index, without the bits that a size takes
    return C && !C->isNegative() &&
           keepsIndex(*B.getOperand(0), C->getValue()) &&
           addNegative(L, T, All) && Give(T.S, true);
  case Instruction::LShr: {
    const SCEV *Q = C && B.isExact() && C->getValue().ult(20)
                        ? quotient(T.S, Power())
                        : nullptr;
    return Q && addNegative(L, T, All) && Give(Q, true);
  }
  case Instruction::URem:
  case Instruction::SRem: {
    // T, or T less Y once, or all iterations run.
    const SCEV *LessOnce = SE.getMinusSCEV(T.S, Y);
    return addNegative(L, T, All) && Give(T.S, true) && Give(LessOnce, true) &&
           addCondition(L, SE.getMinusSCEV(LessOnce, Y),
                        SE.getConstant(I64, Far), All, true);
  }
  default:
    return false;
  }
}

void LoopConditions::find(Loop &L, Conditions &Idle,
                          std::vector<Condition> &All) {
  const Value *Exit =
      cast<BranchInst>(L.getLoopLatch()->getTerminator())->getCondition();
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      if (auto It = Ranges.find(&I); It != Ranges.end()) {
        if (addCondition(L, SE.getSCEV(It->second.first),
                         SE.getSCEV(It->second.second), All))
          Idle[&I] = false;
        continue;
      }
      auto *C = dyn_cast<ICmpInst>(&I);
      if (!C || C == Exit || !C->isEquality() ||
          C->getOperand(0)->getType() != I64)
        continue;
      size_t Known = All.size();
      if (isSolved(L, *C, All))
        Idle[C] = C->getPredicate() == ICmpInst::ICMP_NE;
      else
        All.resize(Known);
    }
}

/// Are there conditions for all iterations in which the operands are equal?
bool LoopConditions::isSolved(Loop &L, ICmpInst &C, std::vector<Condition> &All,
                              unsigned Depth) {
  const SCEV *D =
      SE.getMinusSCEV(number(C.getOperand(0)), number(C.getOperand(1)));
  if (SE.isLoopInvariant(D, &L))
    return false;
  if (addCondition(L, D, SE.getZero(I64), All))
    return true;
  Terms Left, Right;
  if (!termsOf(L, C.getOperand(0), Left, All, Depth) ||
      !termsOf(L, C.getOperand(1), Right, All, Depth))
    return false;
  for (const Term &X : Left)
    for (const Term &Y : Right)
      if (!addCondition(L, SE.getMinusSCEV(X.S, Y.S), SE.getZero(I64), All,
                        true))
        return false;
  return true;
}

} // namespace retro
