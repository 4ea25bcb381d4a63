// Input: a loop that compares and swaps, of which LLVM runs the first time
// round in front of the loop. Output: the loop alone, which does the first time
// as well. With two swaps of one place it would not be recognized as an atomic
// operation.
#include "prepare/threads/peeled_swaps.h"

#include "facts/threads/reports.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {

Value *bitsOf(Value *V) {
  while (auto *B = dyn_cast<BitCastInst>(V))
    V = B->getOperand(0);
  return V;
}

SmallVector<AtomicCmpXchgInst *> swapsOf(Function &F) {
  SmallVector<AtomicCmpXchgInst *> Found;
  for (Instruction &I : instructions(F))
    if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
      Found.push_back(X);
  return Found;
}

static bool storesElsewhere(const Instruction &I, const Value *Place) {
  auto *S = dyn_cast<StoreInst>(&I);
  if (!S || !S->isSimple())
    return false;
  const Value *To = getUnderlyingObject(S->getPointerOperand()),
              *Object = getUnderlyingObject(Place);
  return To != Object && isIdentifiedObject(To) && isIdentifiedObject(Object);
}

bool holds(Value *Place, Value *V, BasicBlock *B, unsigned Depth) {
  for (unsigned N = 0; N < 8 && B; ++N) {
    for (Instruction &I : reverse(*B)) {
      if (&I == V && isa<LoadInst>(I))
        return getLoadStorePointerOperand(&I) == Place && !I.isVolatile();
      if (auto *S = dyn_cast<StoreInst>(&I);
          S && S->getPointerOperand() == Place && !S->isVolatile())
        return bitsOf(S->getValueOperand()) == V;
      if (isa<PHINode>(I) && &I == V)
        return Depth < 4 &&
               all_of(
                   cast<PHINode>(I).blocks(),
                   [&](auto *From) {
                     Value *In =
                         cast<PHINode>(I).getIncomingValueForBlock(From);
                     return holds(Place, bitsOf(In), From, Depth + 1);
                   });
      if (!doesNothing(I) && !storesElsewhere(I, Place))
        return false;
    }
    B = B->getSinglePredecessor();
  }
  return false;
}

std::optional<bool> saysSwapped(const Value *Condition,
                                const AtomicCmpXchgInst &X,
                                function_ref<bool(Value *)> IsExpected,
                                function_ref<bool(Value *)> IsSeen) {
  Value *Inner;
  if (match(Condition, m_Not(m_Value(Inner)))) {
    if (auto S = saysSwapped(Inner, X, IsExpected, IsSeen))
      return !*S;
    return std::nullopt;
  }
  if (auto *E = dyn_cast<ExtractValueInst>(Condition))
    if (E->getAggregateOperand() == &X && E->getIndices()[0] == 1)
      return true;
  auto *C = dyn_cast<ICmpInst>(Condition);
  if (!C || !C->isEquality())
    return std::nullopt;
  Value *A = C->getOperand(0), *B = C->getOperand(1);
  if ((IsExpected(A) && IsSeen(B)) || (IsExpected(B) && IsSeen(A)))
    return C->getPredicate() == ICmpInst::ICMP_EQ;
  return std::nullopt;
}

BasicBlock *leavesSwapped(const Loop &L, const BasicBlock &Test,
                          function_ref<std::optional<bool>(Value *)> Says,
                          Value *&OtherCondition) {
  auto *Br = dyn_cast<BranchInst>(Test.getTerminator());
  if (!Br || !Br->isConditional())
    return nullptr;
  Value *C = Br->getCondition(), *A, *B;
  bool Leaves = !L.contains(Br->getSuccessor(0)); // when C is true
  if (Leaves == !L.contains(Br->getSuccessor(1)))
    return nullptr;
  BasicBlock *Done = Br->getSuccessor(Leaves ? 0 : 1);
  if (auto S = Says(C))
    return *S == Leaves ? Done : nullptr;
  if (Leaves ? !match(C, m_LogicalOr(m_Value(A), m_Value(B)))
             : !match(C, m_LogicalAnd(m_Value(A), m_Value(B))))
    return nullptr;
  for (auto [Is, Beside] : {std::pair(A, B), std::pair(B, A)})
    if (auto S = Says(Is); S && *S == Leaves) {
      OtherCondition = Beside;
      return Done;
    }
  return nullptr;
}

namespace {

/// The swap of the first time round, which LLVM took out of its loop, and the
/// swap in the loop that tries again.
struct Peeled {
  AtomicCmpXchgInst &X, &Again;

  bool same(Value *A, Value *B, unsigned Depth = 0) const;
  bool isFirstTry() const;
  void skip() const;
};

/// Is A, of the first time, what B is of the others?
bool Peeled::same(Value *A, Value *B, unsigned Depth) const {
  A = bitsOf(A), B = bitsOf(B);
  if (A == B || (A == bitsOf(X.getCompareOperand()) &&
                 B == bitsOf(Again.getCompareOperand())))
    return true;
  auto *I = dyn_cast<Instruction>(A), *J = dyn_cast<Instruction>(B);
  if (!I || !J || Depth > 8 || !I->isSameOperationAs(J) || isa<PHINode>(I) ||
      I->mayHaveSideEffects())
    return false;
  for (unsigned N = 0; N < I->getNumOperands(); ++N)
    if (!same(I->getOperand(N), J->getOperand(N), Depth + 1))
      return false;
  return true;
}

/// Does the loop follow where the first swap fails, and does it try the same?
bool Peeled::isFirstTry() const {
  return X.getPointerOperand() == Again.getPointerOperand() &&
         same(X.getNewValOperand(), Again.getNewValOperand());
}

/// Goes on as if the first swap had failed, so that the loop does all of it.
void Peeled::skip() const {
  for (User *U : make_early_inc_range(X.users())) {
    auto *E = cast<ExtractValueInst>(U);
    for (User *V : make_early_inc_range(E->users()))
      if (auto *C = dyn_cast<ICmpInst>(V))
        C->replaceAllUsesWith(
            ConstantInt::getBool(C->getType(), !C->isTrueWhenEqual()));
    E->replaceAllUsesWith(E->getIndices()[0] == 0
                              ? X.getCompareOperand()
                              : ConstantInt::getFalse(X.getContext()));
    E->eraseFromParent();
  }
  BasicBlock *In = X.getParent();
  X.eraseFromParent();
  ConstantFoldTerminator(In, true);
}

/// A phi of the results of two swaps becomes one of what they saw and one of
/// whether they swapped.
void splitResults(Function &F) {
  SmallVector<PHINode *> Phis;
  for (Instruction &I : instructions(F))
    if (auto *P = dyn_cast<PHINode>(&I);
        P && P->getType()->isStructTy() &&
        all_of(P->users(),
               [](User *U) {
                 auto *E = dyn_cast<ExtractValueInst>(U);
                 return E && E->getNumIndices() == 1;
               }) &&
        all_of(P->incoming_values(),
               [](Value *V) { return isa<AtomicCmpXchgInst>(V); }))
      Phis.push_back(P);
  for (PHINode *P : Phis) {
    for (User *U : make_early_inc_range(P->users())) {
      auto *E = cast<ExtractValueInst>(U);
      auto *New = PHINode::Create(E->getType(), P->getNumIncomingValues(), "",
                                  P->getIterator());
      for (unsigned N = 0; N < P->getNumIncomingValues(); ++N) {
        auto *X = cast<Instruction>(P->getIncomingValue(N));
        New->addIncoming(ExtractValueInst::Create(X, E->getIndices(), "",
                                                  std::next(X->getIterator())),
                         P->getIncomingBlock(N));
      }
      E->replaceAllUsesWith(New);
      E->eraseFromParent();
    }
    P->eraseFromParent();
  }
}

/// Is the loop where the way from X leads if X fails?
bool failsInto(AtomicCmpXchgInst &X, const Loop &L) {
  auto *Br = dyn_cast<BranchInst>(X.getParent()->getTerminator());
  if (!Br || !Br->isConditional())
    return false;
  for (BasicBlock *S : Br->successors()) {
    for (unsigned N = 0; N < 4 && S && !L.contains(S); ++N)
      S = wayOn(*S);
    if (S && L.contains(S))
      return true;
  }
  return false;
}

/// Is X's result used for nothing but the comparison with what was expected,
/// and the value for the other try?
bool isTest(const AtomicCmpXchgInst &X) {
  return all_of(X.users(), [&](const User *U) {
    auto *E = dyn_cast<ExtractValueInst>(U);
    return E && all_of(E->users(), [&](const User *V) {
             auto *C = dyn_cast<ICmpInst>(V);
             return !C || (C->isEquality() &&
                           is_contained(C->operands(), X.getCompareOperand()));
           });
  });
}

} // namespace

void rejoinPeeled(Function &F) {
  splitResults(F);
  for (bool Again = true; Again;) {
    Again = false;
    DominatorTree DT(F);
    LoopInfo LI(DT);
    SmallVector<AtomicCmpXchgInst *> Swaps = swapsOf(F);
    for (AtomicCmpXchgInst *X : Swaps)
      for (AtomicCmpXchgInst *Y : Swaps) {
        Loop *L = LI.getLoopFor(Y->getParent());
        Peeled P{*X, *Y};
        if (Again || X == Y || !L || L->contains(X) || !failsInto(*X, *L) ||
            !isTest(*X) || !P.isFirstTry())
          continue;
        P.skip();
        Again = true;
      }
    removeUnreachableBlocks(F);
  }
}

} // namespace retro
