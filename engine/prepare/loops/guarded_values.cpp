// Input: a phi of i * n, from where a loop has run i times, and of 0, from
// where i is 0 and the loop does not run: LLVM has moved the product in front
// of the loop that used it, and knows it on the way around. Or a phi of i + 1
// and 1, which counts the loop around. Output: it is computed where the ways
// meet. So it is a number of iterations times a step, which a phi is not:
// nobody could tell which memory is behind such an index, or how often a loop
// runs.
#include "prepare/loops/guarded_values.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

#include <optional>

using namespace llvm;

namespace retro {
namespace {

/// No equality is looked for so many branches before a block.
constexpr unsigned MostBranches = 8;

/// Is V one number on the way from From to To? A branch before has said so.
const ConstantInt *numberBetween(const Value &V, const BasicBlock &From,
                                 const BasicBlock &To,
                                 const DominatorTree &DT) {
  const BasicBlock *B = &From;
  for (unsigned N = 0; B && N < MostBranches; ++N) {
    auto *Br = dyn_cast<BranchInst>(B->getTerminator());
    auto *C = Br && Br->isConditional() ? dyn_cast<ICmpInst>(Br->getCondition())
                                        : nullptr;
    auto *Number = C ? dyn_cast<ConstantInt>(C->getOperand(1)) : nullptr;
    if (Number && C->isEquality() && C->getOperand(0) == &V &&
        Br->getSuccessor(0) != Br->getSuccessor(1)) {
      const BasicBlockEdge Edge(
          B, Br->getSuccessor(C->getPredicate() == CmpInst::ICMP_EQ ? 0 : 1));
      if (B == &From ? Edge.getEnd() == &To : DT.dominates(Edge, &From))
        return Number;
    }
    auto *Above = DT.getNode(B) ? DT.getNode(B)->getIDom() : nullptr;
    B = Above ? Above->getBlock() : nullptr;
  }
  return nullptr;
}

/// What is longer is not computed again.
constexpr unsigned MostDeep = 3;

/// A product or sum that P is on all ways, and what in it is a number on those
/// on which P is.
class Guarded {
public:
  Guarded(const PHINode &P, BinaryOperator &I, Value &Of,
          const DominatorTree &DT)
      : P(P), I(I), Of(Of), DT(DT) {}

  /// Can it be computed where the ways meet, as a number there, too? What LLVM
  /// promises of an operation may hold on the way that had no use for it.
  bool isComputable() const { return isComputable(I, 0); }
  /// Computes it so.
  Value *compute(IRBuilder<> &IR) const { return compute(I, IR); }

private:
  bool isThere(const Value &V) const {
    auto *D = dyn_cast<Instruction>(&V);
    return (&V == &Of || isGuaranteedNotToBePoison(&V)) &&
           (!D || (D != &P && DT.dominates(D, P.getParent())));
  }
  bool isComputable(const Value &V, unsigned Deep) const {
    auto *D = dyn_cast<Instruction>(&V);
    return isThere(V) ||
           (D && D != &P && isa<CastInst, BinaryOperator>(D) &&
            !D->isIntDivRem() && Deep < MostDeep &&
            (!D->isShift() || isa<ConstantInt>(D->getOperand(1))) &&
            all_of(
                D->operands(),
                [&](const Use &U) { return isComputable(*U, Deep + 1); }));
  }
  Value *compute(Value &V, IRBuilder<> &IR) const {
    if (isThere(V))
      return &V;
    Instruction *New = cast<Instruction>(V).clone();
    New->dropPoisonGeneratingFlags();
    for (Use &U : New->operands())
      U.set(compute(*U, IR));
    return IR.Insert(New);
  }

  const PHINode &P;
  BinaryOperator &I;
  Value &Of;
  const DominatorTree &DT;
};

/// The only value of P that is no number; null: there are several, or none.
BinaryOperator *onlyValue(const PHINode &P) {
  Value *Only = nullptr;
  for (Value *V : P.incoming_values())
    if (!isa<ConstantInt>(V) && V != Only) {
      if (Only)
        return nullptr;
      Only = V;
    }
  auto *I = dyn_cast_or_null<BinaryOperator>(Only);
  return I && !I->isIntDivRem() && !P.hasConstantValue() ? I : nullptr;
}

/// What V is computed from, by operations that could be repeated.
void addParts(Value &V, SmallSetVector<Value *, 8> &To, unsigned Deep = 0) {
  if (!isa<Constant>(V) && Deep)
    To.insert(&V);
  if (isa<CastInst, BinaryOperator>(V) && Deep < MostDeep)
    for (Use &U : cast<Instruction>(V).operands())
      addParts(*U, To, Deep + 1);
}

std::optional<Guarded> guardedValue(const PHINode &P, const DominatorTree &DT,
                                    const SimplifyQuery &Q) {
  BinaryOperator *I = P.getType()->isIntegerTy() ? onlyValue(P) : nullptr;
  SmallSetVector<Value *, 8> Parts;
  if (I)
    addParts(*I, Parts);
  for (Value *Of : Parts) {
    const Guarded G(P, *I, *Of, DT);
    // What is multiplied with 0 must be a number there, too.
    if (G.isComputable() && all_of(P.blocks(), [&](const BasicBlock *From) {
          Value *Known = P.getIncomingValueForBlock(From);
          auto *Number = Known == I
                             ? nullptr
                             : numberBetween(*Of, *From, *P.getParent(), DT);
          return Known == I ||
                 (Number && simplifyWithOpReplaced(
                                I, Of, const_cast<ConstantInt *>(Number), Q,
                                /*AllowRefinement=*/true) == Known);
        }))
      return G;
  }
  return {};
}

} // namespace

unsigned computeGuardedValues(Function &F, FunctionAnalysisManager &FAM) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  const SimplifyQuery Q(F.getDataLayout());
  SmallVector<PHINode *> Phis;
  for (Instruction &I : instructions(F))
    if (auto *P = dyn_cast<PHINode>(&I))
      Phis.push_back(P);
  unsigned Count = 0;
  for (PHINode *P : Phis)
    if (auto G = guardedValue(*P, DT, Q)) {
      IRBuilder<> IR(P->getParent(), P->getParent()->getFirstInsertionPt());
      IR.SetCurrentDebugLocation(P->getDebugLoc());
      P->replaceAllUsesWith(G->compute(IR));
      P->eraseFromParent();
      ++Count;
    }
  if (Count)
    FAM.invalidate(F, PreservedAnalyses::none());
  return Count;
}

} // namespace retro
