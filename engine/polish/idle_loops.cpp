// Input: a loop that hands on the adjoint of a number that was chosen, or was
// not: the least of some sums, say. Where it was not chosen the adjoint is 0,
// and the loop adds products with it to shadows. Output: a branch on the choice
// in front of the loop. Without it the reverse pass of a search runs for all
// candidates, where that of the winner would do.
#include "polish/idle_loops.h"

#include "base/assert.h"
#include "loops/each_loop.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace retro {
namespace {

/// Shorter loops are cheaper than a branch that is predicted wrongly.
constexpr unsigned LeastTrips = 4;

bool isZero(const Value *V) {
  auto *C = dyn_cast<ConstantFP>(V);
  return C && C->isZero();
}

/// A loop where one choice is for 0.
class IdleLoop {
public:
  IdleLoop(Loop &L, const LoopInfo &LI) : L(L), LI(LI) {}

  /// Does the loop do nothing if Choice is 0?
  bool isIdle(const SelectInst &Choice);
  void skip(SelectInst &Choice);

private:
  void follow(Instruction &I);
  bool isNoEffect(const Instruction &I) const;
  bool isFused(const Instruction &I) const;
  Value *outside(const PHINode &Exit) const;

  Loop &L;
  const LoopInfo &LI;
  /// What is 0 where the choice is, and what is then equal to something else,
  /// which was loaded or comes from the iteration before.
  SmallPtrSet<const Value *, 16> Zeros;
  DenseMap<const Value *, const Value *> Same;
};

bool IdleLoop::isFused(const Instruction &I) const {
  auto *C = dyn_cast<IntrinsicInst>(&I);
  return C && (C->getIntrinsicID() == Intrinsic::fmuladd ||
               C->getIntrinsicID() == Intrinsic::fma);
}

/// Notes what is known of I.
void IdleLoop::follow(Instruction &I) {
  auto Zero = [&](unsigned N) {
    return Zeros.contains(I.getOperand(N)) || isZero(I.getOperand(N));
  };
  auto AsBefore = [&](unsigned N) {
    const Value *V = I.getOperand(N);
    Same[&I] = Same.contains(V) ? Same.lookup(V) : V;
  };
  const unsigned Op = I.getOpcode();
  const bool Fused = isFused(I),
             Sum = Op == Instruction::FAdd || Op == Instruction::FSub;
  bool Is = false;
  if (Op == Instruction::FMul)
    Is = Zero(0) || Zero(1);
  else if (Fused)
    Is = (Zero(0) || Zero(1)) && Zero(2);
  else if (Sum)
    Is = Zero(0) && Zero(1);
  else if (isa<SelectInst>(I))
    Is = Zero(1) && Zero(2);
  else if (isa<FPExtInst, FPTruncInst>(I) || Op == Instruction::FNeg ||
           Op == Instruction::FDiv)
    Is = Zero(0);
  if (Is)
    Zeros.insert(&I);
  else if (Fused && (Zero(0) || Zero(1)))
    AsBefore(2);
  else if (Sum && Zero(1))
    AsBefore(0);
  else if (Op == Instruction::FAdd && Zero(0))
    AsBefore(1);
}

/// May the loop leave I out? What it stores is what it has loaded from there.
bool IdleLoop::isNoEffect(const Instruction &I) const {
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    auto *Old = dyn_cast_or_null<LoadInst>(Same.lookup(S->getValueOperand()));
    return S->isSimple() && Old && Old->isSimple() && L.contains(Old) &&
           Old->getPointerOperand() == S->getPointerOperand();
  }
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  return isa<NoAliasScopeDeclInst>(I) || !I.mayHaveSideEffects();
}

/// The value that P has behind the loop if the loop is left out; null: not
/// known.
Value *IdleLoop::outside(const PHINode &P) const {
  Value *V = P.getIncomingValue(0);
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  const Value *Of = Same.contains(V) ? Same.lookup(V) : V;
  auto *Carried = dyn_cast<PHINode>(Of);
  if (!Carried || Carried->getParent() != L.getHeader())
    return nullptr;
  const Value *Next = Carried->getIncomingValueForBlock(L.getLoopLatch());
  return Next == Carried || Same.lookup(Next) == Carried
             ? Carried->getIncomingValueForBlock(L.getLoopPreheader())
             : nullptr;
}

bool IdleLoop::isIdle(const SelectInst &Choice) {
  BasicBlock *Exit = L.getExitBlock();
  if (!L.getLoopPreheader() || !L.getLoopLatch() || !Exit ||
      !L.hasDedicatedExits())
    return false;
  Zeros.clear();
  Same.clear();
  Zeros.insert(&Choice);
  LoopBlocksRPO Order(&L);
  Order.perform(&LI);
  bool Stores = false;
  for (BasicBlock *B : Order)
    for (Instruction &I : *B) {
      follow(I);
      Stores |= isa<StoreInst>(I);
      if (!isNoEffect(I))
        return false;
    }
  return Stores && all_of(Exit->phis(), [&](PHINode &P) {
           return P.getNumIncomingValues() == 1 && outside(P);
         });
}

void IdleLoop::skip(SelectInst &Choice) {
  BasicBlock *Exit = L.getExitBlock(), *Before = L.getLoopPreheader();
  retroAssert(Zeros.contains(&Choice), "idle-loops", Exit->getParent(),
              "a loop is left out for the choice that was looked at");
  for (PHINode &P : Exit->phis()) {
    Value *V = outside(P);
    retroAssert(V, "idle-loops", Exit->getParent(),
                "what follows a loop that is left out is known without it");
    P.addIncoming(V, Before);
  }
  BasicBlock *Entry = SplitBlock(Before, Before->getTerminator());
  Instruction *Old = Before->getTerminator();
  IRBuilder<> IR(Old);
  Value *C = IR.CreateFreeze(Choice.getCondition());
  if (isZero(Choice.getTrueValue()))
    IR.CreateCondBr(C, Exit, Entry);
  else
    IR.CreateCondBr(C, Entry, Exit);
  Old->eraseFromParent();
}

/// Choices between 0 and something else that are made before L and used in it.
SmallSetVector<SelectInst *, 4> choicesBefore(const Loop &L) {
  SmallSetVector<SelectInst *, 4> Out;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      for (Value *V : I.operands())
        if (auto *S = dyn_cast<SelectInst>(V);
            S && !L.contains(S) && S->getType()->isFloatingPointTy() &&
            isZero(S->getTrueValue()) != isZero(S->getFalseValue()))
          Out.insert(S);
  return Out;
}

} // namespace

unsigned skipIdleLoops(Function &F, FunctionAnalysisManager &FAM) {
  return changeInnermostLoops(F, FAM, [&](Loop &L) -> unsigned {
    const unsigned Trips =
        FAM.getResult<ScalarEvolutionAnalysis>(F).getSmallConstantTripCount(&L);
    if (Trips && Trips < LeastTrips)
      return 0;
    IdleLoop Idle(L, FAM.getResult<LoopAnalysis>(F));
    for (SelectInst *Choice : choicesBefore(L))
      if (Idle.isIdle(*Choice)) {
        Idle.skip(*Choice);
        return 1;
      }
    return 0;
  });
}

} // namespace retro
