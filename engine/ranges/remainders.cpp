// Finds remainders in expressions of ScalarEvolution. That takes x % n for x -
// n * (x / n), and adds up the parts with what surrounds them, so that no bound
// is known of it but where n is a constant. Without it no range of memory could
// be compared that is indexed on a ring.
#include "ranges/remainders.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ScalarEvolutionPatternMatch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace llvm::SCEVPatternMatch;

namespace retro {
namespace {

/// Larger elements are not looked for.
constexpr int64_t MostScale = 1 << 20;

BinaryOperator *asRemainder(Value *V) {
  auto *I = dyn_cast<BinaryOperator>(V);
  return I && I->getType()->isIntegerTy() &&
                 (I->getOpcode() == Instruction::URem ||
                  I->getOpcode() == Instruction::SRem)
             ? I
             : nullptr;
}

} // namespace

void keepRemainders(Function &F) {
  SmallVector<BinaryOperator *> All;
  for (Instruction &I : instructions(F))
    if (BinaryOperator *Remainder = asRemainder(&I))
      All.push_back(Remainder);
  for (BinaryOperator *I : All) {
    auto *Kept = new FreezeInst(I, "remainder");
    Kept->insertAfter(I->getIterator());
    I->replaceUsesWithIf(Kept, [&](Use &U) { return U.getUser() != Kept; });
  }
}

std::optional<ScaledRemainder> remainderOf(const SCEV *S) {
  ScaledRemainder R{nullptr, 1, false};
  const SCEV *Of;
  const APInt *Factor;
  if (match(S, m_scev_Mul(m_scev_APInt(Factor), m_SCEV(Of))) &&
      Factor->isStrictlyPositive() && Factor->sle(MostScale)) {
    R.Scale = Factor->getSExtValue();
    S = Of;
  }
  R.SignExtended = isa<SCEVSignExtendExpr>(S);
  if (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(S))
    S = cast<SCEVCastExpr>(S)->getOperand();
  auto *U = dyn_cast<SCEVUnknown>(S);
  auto *Kept = U ? dyn_cast<FreezeInst>(U->getValue()) : nullptr;
  R.Of = Kept ? asRemainder(Kept->getOperand(0)) : nullptr;
  return R.Of ? std::optional(R) : std::nullopt;
}

} // namespace retro
