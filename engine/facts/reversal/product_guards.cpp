// Input: the rules of a function whose adjoints are products. Output, in the
// plan: the operands to guard. Without it 0 * inf, in an arm that was not
// taken, would make the whole gradient NaN.
#include "facts/reversal/product_guards.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/KnownFPClass.h"

using namespace llvm;

namespace retro {

/// May the value end in the arm of a select that is not taken?
static bool feedsSelect(const Instruction &I, unsigned Depth = 0) {
  for (const User *U : I.users()) {
    if (isa<SelectInst>(U))
      return true;
    auto *J = dyn_cast<Instruction>(U);
    if (J && Depth < 4 && J->getType()->isFPOrFPVectorTy() &&
        !isa<PHINode, LoadInst>(J) && feedsSelect(*J, Depth + 1))
      return true;
  }
  return false;
}

/// Is I a product whose other factor is neither infinite nor NaN, whatever its
/// flags promise, so that no adjoint of 0 becomes NaN? An arm that is not taken
/// may break their promise.
static bool hasFiniteFactor(const Instruction &I, rules::RuleId Rule,
                            unsigned N) {
  if (Rule != rules::RuleId::Mul && (Rule != rules::RuleId::Fma || N > 1))
    return false;
  return computeKnownFPClass(I.getOperand(1 - N), I.getDataLayout(),
                             fcInf | fcNan, /*TLI=*/nullptr, /*AC=*/nullptr,
                             /*CxtI=*/nullptr, /*DT=*/nullptr,
                             /*UseInstrInfo=*/false)
      .isKnownNever(fcInf | fcNan);
}

void findProductGuards(const UnitFunction &UF, const ActivityAnalysis &Act,
                       SmallPtrSetImpl<const Use *> &Guarded) {
  for (const Instruction &I : instructions(*UF.F)) {
    std::optional<rules::RuleId> Use = ruleOf(I);
    if (!Use || !Act.active(&I) || (!Act.unit().StrongZero && !feedsSelect(I)))
      continue;
    for (unsigned N = 0; N < unsigned(rules::arityOf(*Use)); ++N)
      if (Act.active(I.getOperand(N)) && !hasFiniteFactor(I, *Use, N))
        Guarded.insert(&I.getOperandUse(N));
  }
}

} // namespace retro
