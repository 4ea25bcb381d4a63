// Input: a function with phis that choose between copies of the same
// expression. Output: the expression is computed once, in the block where the
// ways meet. Else the reverse pass would have to know which way was taken to
// recompute a value that does not depend on it.
#include "prepare/equal_values.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {
namespace {

/// At most this many instructions are computed once more.
constexpr unsigned MostSteps = 8;

/// A value that is computed the same way on every way to a block.
class EqualValue {
public:
  EqualValue(PHINode &P, const DominatorTree &DT) : P(P), DT(DT) {}

  bool found() {
    const Value *First = P.getIncomingValue(0);
    return !P.hasConstantValue() &&
           all_of(drop_begin(P.incoming_values()), [&](const Use &U) {
             return U.get() == First || same(First, U.get());
           });
  }

  /// Computes it in the phi's block.
  Value *compute() {
    IRBuilder<> B(P.getParent(), P.getParent()->getFirstInsertionPt());
    return compute(P.getIncomingValue(0),
                   Values(drop_begin(P.incoming_values())), B);
  }

private:
  using Values = SmallVector<Value *, 4>;

  static bool isCheap(const Instruction &I) {
    if (auto *B = dyn_cast<BinaryOperator>(&I))
      return !B->isIntDivRem() && B->getOpcode() != Instruction::FDiv &&
             B->getOpcode() != Instruction::FRem;
    return isa<CastInst, GetElementPtrInst, CmpInst, SelectInst, UnaryOperator>(
        I);
  }

  bool same(const Value *X, const Value *Y) {
    if (X == Y) {
      auto *I = dyn_cast<Instruction>(X);
      return !I || DT.dominates(I, P.getParent());
    }
    auto *I = dyn_cast<Instruction>(X), *J = dyn_cast<Instruction>(Y);
    if (!I || !J || ++Steps > MostSteps || !isCheap(*I) ||
        !I->isSameOperationAs(J))
      return false;
    for (unsigned N = 0; N < I->getNumOperands(); ++N)
      if (!same(I->getOperand(N), J->getOperand(N)))
        return false;
    return true;
  }

  Value *compute(Value *V, const Values &Also, IRBuilder<> &B) {
    if (all_of(Also, [&](const Value *O) { return O == V; }))
      return V;
    auto *I = cast<Instruction>(V);
    Instruction *New = I->clone();
    New->dropUnknownNonDebugMetadata();
    for (const Value *O : Also)
      New->andIRFlags(O);
    for (unsigned N = 0; N < I->getNumOperands(); ++N) {
      Values Operands;
      for (const Value *O : Also)
        Operands.push_back(cast<Instruction>(O)->getOperand(N));
      New->setOperand(N, compute(I->getOperand(N), Operands, B));
    }
    return B.Insert(New, I->getName());
  }

  PHINode &P;
  const DominatorTree &DT;
  unsigned Steps = 0;
};

} // namespace

void joinEqualValues(Function &F, const DominatorTree &DT) {
  SmallVector<WeakTrackingVH> Phis;
  for (Instruction &I : instructions(F))
    if (isa<PHINode>(I))
      Phis.push_back(&I);
  for (const WeakTrackingVH &H : Phis) {
    auto *P = dyn_cast_or_null<PHINode>(H);
    if (!P)
      continue;
    EqualValue Equal(*P, DT);
    if (!Equal.found())
      continue;
    SmallVector<WeakTrackingVH> Old(P->incoming_values());
    P->replaceAllUsesWith(Equal.compute());
    P->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(Old);
  }
}

} // namespace retro
