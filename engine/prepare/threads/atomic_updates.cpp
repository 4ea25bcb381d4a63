// Input: loops that compare and swap until no other thread came between.
// Output: the atomic operations that such a loop is, which the language or the
// machine has under no name: a sum, a maximum, a minimum, an exchange. These
// have derivatives; a loop that tries again has none. Declared in atomics.h.
#include "facts/threads/reports.h"
#include "prepare/threads/atomics.h"
#include "prepare/threads/peeled_swaps.h"

#include "facts/activity/needs.h"
#include "prepare/threads/number_marks.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

/// An edge to a block that does more than go on to another one.
struct Way {
  BasicBlock *From, *To;
};

Way follow(BasicBlock *From, BasicBlock *To) {
  for (unsigned N = 0; N < 4 && &To->front() == To->getTerminator(); ++N) {
    BasicBlock *Next = To->getUniqueSuccessor();
    if (!Next)
      break;
    From = To;
    To = Next;
  }
  return {From, To};
}

/// What the loop does to the place: Place = Op(Place, V).
struct Update {
  AtomicRMWInst::BinOp Op = AtomicRMWInst::BAD_BINOP;
  Value *V = nullptr;
  CallBase *Product =
      nullptr; ///< of two factors; V, their product, is yet to be made

  explicit operator bool() const { return Op != AtomicRMWInst::BAD_BINOP; }
  bool operator==(const Update &) const = default;
};

/// One loop that compares and swaps.
class SwapLoop {
public:
  SwapLoop(AtomicCmpXchgInst &X, Loop &L, DominatorTree &DT)
      : X(X), L(L), DT(DT) {}
  bool recognize();
  void rewrite();

private:
  bool isOld(Value *V) const { return Olds.contains(bitsOf(V)); }
  bool isSeen(Value *V, unsigned Depth = 0) const;
  bool isFirst(Value *V) const { return Firsts.contains(bitsOf(V)); }
  bool dependsOnOld(Value *V) const;
  std::optional<bool> success(Value *Condition) const;
  BasicBlock *next(BasicBlock &B) const;
  bool findOld();
  bool findTest();
  bool onlySwaps() const;
  Update choice(CmpInst::Predicate P, Value *A, Value *B, bool Goes) const;
  Update guarded(Value *Condition, bool Goes) const;
  Update computed() const;
  bool takeGuard(Update U);
  bool readGuards();
  bool guardsFirst();
  bool meet();
  bool assertsFirst() const;
  bool looksFirst() const;
  AtomicRMWInst *create(Instruction *Before);
  void replaceOutside(AtomicRMWInst &New);

  AtomicCmpXchgInst &X;
  Loop &L;
  DominatorTree &DT;
  SmallPtrSet<Value *, 4> Olds;   ///< values that the place is compared with
  SmallPtrSet<Value *, 4> Firsts; ///< the same, as read before the loop
  BasicBlock *Test = nullptr;     ///< it branches on whether the swap was made
  BasicBlock *Done = nullptr;     ///< comes next if it was
  Value *Latch = nullptr;         ///< the guard beside the test
  bool LatchGoes = false;
  Update Is;
  bool Guarded = false;
  BasicBlock *Guard = nullptr; ///< the first to ask whether to swap at all
  SmallVector<Way, 4> Exits;
};

/// Is V what the place held when it was compared, or what it holds for all that
/// this thread knows?
bool SwapLoop::isSeen(Value *V, unsigned Depth) const {
  V = bitsOf(V);
  if (Depth > 4)
    return false;
  if (auto *E = dyn_cast<ExtractValueInst>(V))
    return E->getAggregateOperand() == &X && E->getIndices()[0] == 0;
  auto IsEither = [&](Value *O) { return isOld(O) || isSeen(O, Depth + 1); };
  if (auto *S = dyn_cast<SelectInst>(V))
    return L.contains(S) && success(S->getCondition()) &&
           IsEither(S->getTrueValue()) && IsEither(S->getFalseValue());
  if (auto *P = dyn_cast<PHINode>(V); P && P->getParent() != L.getHeader())
    return L.contains(P) && all_of(P->incoming_values(), IsEither);
  if (auto *Ld = dyn_cast<LoadInst>(V))
    return L.contains(Ld) && !Ld->isVolatile() &&
           Ld->getPointerOperand() == X.getPointerOperand();
  return false;
}

bool SwapLoop::dependsOnOld(Value *V) const {
  SmallVector<Value *> Work{V};
  SmallPtrSet<Value *, 16> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (I == &X || isa<PHINode>(I) || isOld(I) || isSeen(I))
      return true;
    append_range(Work, I->operands());
  }
  return false;
}

std::optional<bool> SwapLoop::success(Value *Condition) const {
  return saysSwapped(
      Condition, X, [&](Value *V) { return isOld(V); },
      [&](Value *V) { return isSeen(V); });
}

/// Finds what the swap expects. The loop carries nothing else.
bool SwapLoop::findOld() {
  Value *Old = bitsOf(X.getCompareOperand());
  if (auto *Ld = dyn_cast<LoadInst>(Old);
      Ld && L.contains(Ld) && !Ld->isVolatile() &&
      Ld->getPointerOperand() == X.getPointerOperand()) {
    Olds.insert(Ld);
    return L.getHeader()->phis().empty();
  }
  for (PHINode &P : L.getHeader()->phis())
    Olds.insert(&P);
  if (!Olds.contains(Old))
    return false;
  for (PHINode &P : L.getHeader()->phis())
    for (unsigned N = 0; N < P.getNumIncomingValues(); ++N) {
      Value *V = P.getIncomingValue(N);
      if (!L.contains(P.getIncomingBlock(N)))
        Firsts.insert(bitsOf(V));
      else if (!isSeen(V) && !isOld(V))
        return false;
    }
  return Firsts.size() == 1;
}

/// The block that follows B if there is nothing to report. Null if that depends
/// on what the place held, which differs from one try to the next.
BasicBlock *SwapLoop::next(BasicBlock &B) const {
  BasicBlock *Next = wayOn(B);
  if (!Next || B.getUniqueSuccessor())
    return Next;
  Value *Condition = cast<BranchInst>(B.getTerminator())->getCondition();
  return dependsOnOld(Condition) ? nullptr : Next;
}

/// Finds the branch by which the loop ends when the swap was made.
bool SwapLoop::findTest() {
  Test = X.getParent();
  while (BasicBlock *Next = next(*Test)) {
    if (!L.contains(Next) || Next == L.getHeader())
      return false;
    Test = Next;
  }
  Done = leavesSwapped(L, *Test, [&](Value *V) { return success(V); }, Latch);
  LatchGoes = Done == cast<BranchInst>(Test->getTerminator())->getSuccessor(1);
  return Done;
}

bool SwapLoop::onlySwaps() const {
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      auto *Ld = dyn_cast<LoadInst>(&I);
      if (&I == &X || (Ld && (isOld(Ld) || isSeen(Ld))))
        continue;
      if (!doesNothing(I) || (Ld && !Ld->isSimple()))
        return false;
    }
  return true;
}

/// The update that a choice by the comparison makes. Goes: does the loop swap
/// when the comparison holds?
Update SwapLoop::choice(CmpInst::Predicate P, Value *A, Value *B,
                        bool Goes) const {
  auto IsPlace = [&](Value *V) { return isOld(V) || isSeen(V) || isFirst(V); };
  if (!IsPlace(A)) {
    std::swap(A, B);
    P = CmpInst::getSwappedPredicate(P);
  }
  if (!IsPlace(A) || dependsOnOld(B))
    return {};
  if (!Goes)
    P = CmpInst::getInversePredicate(P);
  using enum AtomicRMWInst::BinOp;
  switch (CmpInst::getStrictPredicate(P)) {
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_ULT:
    return {FMax, bitsOf(B)};
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_UGT:
    return {FMin, bitsOf(B)};
  case CmpInst::ICMP_SLT:
    return {Max, bitsOf(B)};
  case CmpInst::ICMP_SGT:
    return {Min, bitsOf(B)};
  case CmpInst::ICMP_ULT:
    return {UMax, bitsOf(B)};
  case CmpInst::ICMP_UGT:
    return {UMin, bitsOf(B)};
  default:
    return {};
  }
}

/// The update of a loop that swaps only what would become the greatest, or the
/// least.
Update SwapLoop::guarded(Value *Condition, bool Goes) const {
  Value *Inner;
  if (match(Condition, m_Not(m_Value(Inner))))
    return guarded(Inner, !Goes);
  auto *C = dyn_cast<CmpInst>(Condition);
  if (!C)
    return {};
  return choice(C->getPredicate(), C->getOperand(0), C->getOperand(1), Goes);
}

/// The update by which the new value is computed from the old one.
Update SwapLoop::computed() const {
  using enum AtomicRMWInst::BinOp;
  Value *N = bitsOf(X.getNewValOperand());
  auto *I = dyn_cast<Instruction>(N);
  if (!dependsOnOld(N))
    return N->getType()->isFloatingPointTy() ? Update{Xchg, N} : Update();
  if (auto *S = dyn_cast<SelectInst>(I)) {
    auto *C = dyn_cast<CmpInst>(S->getCondition());
    Value *T = bitsOf(S->getTrueValue()), *F = bitsOf(S->getFalseValue());
    if (!C || isOld(T) == isOld(F))
      return {};
    Update U =
        choice(C->getPredicate(), C->getOperand(0), C->getOperand(1), isOld(F));
    return U && U.V == (isOld(F) ? T : F) ? U : Update();
  }
  if (I->getNumOperands() < 2)
    return {};
  Value *A = I->getOperand(0), *B = I->getOperand(1);
  const bool Second = !isOld(A) && isOld(B);
  if (Second)
    std::swap(A, B);
  if (auto *M = dyn_cast<MinMaxIntrinsic>(I); M && isOld(A) && !dependsOnOld(B))
    switch (M->getIntrinsicID()) {
    case Intrinsic::smax:
      return {Max, bitsOf(B)};
    case Intrinsic::smin:
      return {Min, bitsOf(B)};
    case Intrinsic::umax:
      return {UMax, bitsOf(B)};
    default:
      return {UMin, bitsOf(B)};
    }
  auto Use = ruleOf(*I);
  if (!Use || !N->getType()->isFloatingPointTy())
    return {};
  if (*Use == rules::RuleId::Fma && isOld(I->getOperand(2)) &&
      !dependsOnOld(I->getOperand(0)) && !dependsOnOld(I->getOperand(1)))
    return {FAdd, nullptr, cast<CallBase>(I)};
  if (!isOld(A) || dependsOnOld(B))
    return {};
  switch (*Use) {
  case rules::RuleId::Add:
    return {FAdd, B};
  case rules::RuleId::Sub:
    return Second ? Update() : Update{FSub, B};
  case rules::RuleId::Fmax:
    return {FMax, B};
  case rules::RuleId::Fmin:
    return {FMin, B};
  default:
    return {};
  }
}

bool SwapLoop::takeGuard(Update U) {
  if (!U || (Guarded && !(U == Is)))
    return false;
  Is = U;
  return Guarded = true;
}

/// Reads all other ways out of the loop: each must be a guard.
bool SwapLoop::readGuards() {
  if (Latch && !takeGuard(guarded(Latch, LatchGoes)))
    return false;
  Exits.push_back(follow(Test, Done));
  for (BasicBlock *B : L.blocks()) {
    if (B == Test || next(*B))
      continue;
    auto *Br = dyn_cast<BranchInst>(B->getTerminator());
    if (!Br)
      return false;
    bool Goes = L.contains(Br->getSuccessor(0));
    if (Goes == L.contains(Br->getSuccessor(1)) ||
        !takeGuard(guarded(Br->getCondition(), Goes)))
      return false;
    Exits.push_back(follow(B, Br->getSuccessor(Goes ? 1 : 0)));
    if (DT.dominates(B, X.getParent()))
      Guard = B;
  }
  return !Guarded || Guard || guardsFirst();
}

/// A loop that asks at its end whether to swap was rotated: it asks before its
/// start as well.
bool SwapLoop::guardsFirst() {
  BasicBlock *In = L.getLoopPredecessor();
  if (!In)
    return false;
  BasicBlock *To = L.getHeader();
  while (In && wayOn(*In) == To) {
    if (asserts(*In) || !all_of(*In, doesNothing))
      return false;
    To = In;
    In = In->getSinglePredecessor();
  }
  auto *Br = In ? dyn_cast<BranchInst>(In->getTerminator()) : nullptr;
  if (!Br)
    return false;
  bool Goes = Br->getSuccessor(0) == To;
  if (!takeGuard(guarded(Br->getCondition(), Goes)))
    return false;
  Guard = In;
  Exits.push_back(follow(In, Br->getSuccessor(Goes ? 1 : 0)));
  return true;
}

/// Do all ways out of the loop meet in one block, with nothing but what the
/// place held?
bool SwapLoop::meet() {
  auto IsPlace = [&](Value *V) { return isOld(V) || isSeen(V) || isFirst(V); };
  for (Way E : Exits) {
    if (E.To != Exits.front().To)
      return false;
    for (PHINode &P : E.To->phis()) {
      Value *V = P.getIncomingValueForBlock(E.From),
            *W = P.getIncomingValueForBlock(Exits.front().From);
      if (bitsOf(V) != bitsOf(W) && !(IsPlace(V) && IsPlace(W)))
        return false;
    }
  }
  return true;
}

/// Do all of the program's own checks run before the guard? The atomic
/// operation takes the guard's place, and what comes behind it is removed.
/// Checks of sanitizers may go, those of the program may not.
bool SwapLoop::assertsFirst() const {
  return none_of(L.blocks(), [&](BasicBlock *B) {
    return asserts(*B) && !DT.properlyDominates(B, Guard);
  });
}

/// Does the place hold what the guard first compares? A guard that compares
/// another value would not swap where the place holds less.
bool SwapLoop::looksFirst() const {
  BasicBlock *In = L.contains(Guard) ? L.getLoopPredecessor() : Guard;
  return all_of(Firsts,
                [&](Value *V) { return holds(X.getPointerOperand(), V, In); });
}

bool SwapLoop::recognize() {
  if (!L.isLoopInvariant(X.getPointerOperand()) || !findOld() || !findTest() ||
      !onlySwaps() || !readGuards() || !meet())
    return false;
  if (Guarded)
    return bitsOf(X.getNewValOperand()) == Is.V && assertsFirst() &&
           looksFirst();
  return static_cast<bool>(Is = computed());
}

AtomicRMWInst *SwapLoop::create(Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(X.getDebugLoc());
  Value *V = Is.V;
  if (CallBase *P = Is.Product)
    V = B.CreateFMulFMF(P->getArgOperand(0), P->getArgOperand(1), P);
  auto *New = B.CreateAtomicRMW(Is.Op, X.getPointerOperand(), V, X.getAlign(),
                                X.getSuccessOrdering(), X.getSyncScopeID());
  New->setVolatile(X.isVolatile());
  return New;
}

/// Outside of the loop, what it says about the place is what the operation
/// returns.
void SwapLoop::replaceOutside(AtomicRMWInst &New) {
  auto Result = [&](Type *T) -> Value * {
    if (T == New.getType())
      return &New;
    return new BitCastInst(&New, T, "", std::next(New.getIterator()));
  };
  SmallVector<Instruction *> Inside;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (I.getType()->isSized() && (isOld(&I) || isSeen(&I)))
        Inside.push_back(&I);
  for (Instruction *I : Inside) {
    SmallVector<Use *> Outside;
    for (Use &U : I->uses())
      if (auto *By = cast<Instruction>(U.getUser());
          !L.contains(By) && !endsInReport(*By->getParent()))
        Outside.push_back(&U);
    if (Outside.empty())
      continue;
    Value *R = Result(I->getType());
    for (Use *U : Outside)
      U->set(R);
  }
  if (Guarded)
    for (Way E : Exits)
      for (PHINode &P : E.To->phis())
        if (Value *V = P.getIncomingValueForBlock(E.From); isFirst(V))
          P.setIncomingValueForBlock(E.From, Result(V->getType()));
}

void SwapLoop::rewrite() {
  BasicBlock *Last = Guarded ? Guard : Test;
  AtomicRMWInst *New = create(Guarded ? Guard->getTerminator() : &X);
  replaceOutside(*New);
  auto *Br = cast<BranchInst>(Last->getTerminator());
  BasicBlock *Out = Done;
  if (Guarded) {
    Out = Br->getSuccessor(0);
    if (Way E = follow(Last, Out);
        none_of(Exits, [&](Way O) { return O.From == E.From && O.To == E.To; }))
      Out = Br->getSuccessor(1);
  }
  for (BasicBlock *S : successors(Last))
    if (S != Out)
      S->removePredecessor(Last);
  IRBuilder<>(Br).CreateBr(Out);
  Br->eraseFromParent();
  if (!Guarded) {
    X.replaceAllUsesWith(PoisonValue::get(X.getType()));
    X.eraseFromParent();
  }
}

/// Removes empty blocks, even at the end of a loop. LLVM peels the first
/// iteration off a loop whose last block is empty.
SimplifyCFGPass mergeBlocks() {
  return SimplifyCFGPass(SimplifyCFGOptions().needCanonicalLoops(false));
}

/// Makes values of variables, before a loop is peeled or unrolled.
void tidy(Function &F, FunctionAnalysisManager &FAM) {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass());
  FPM.addPass(InstCombinePass());
  // Sanitizers take the addresses of variables, but learn nothing from them.
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass());
  FPM.addPass(InstCombinePass());
  FPM.addPass(JumpThreadingPass());
  FPM.addPass(mergeBlocks());
  FAM.invalidate(F, PreservedAnalyses::none());
  FPM.run(F, FAM);
}

/// Removes the loads that looked at the places first, which nothing reads any
/// more.
void dropLooks(Function &F, ArrayRef<Value *> Places) {
  for (bool Again = true; Again;) {
    Again = false;
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *L = dyn_cast<LoadInst>(&I);
      bool Look = L && L->isAtomic() && !L->isVolatile() &&
                  is_contained(Places, L->getPointerOperand());
      if (I.use_empty() && (Look || isInstructionTriviallyDead(&I))) {
        I.eraseFromParent();
        Again = true;
      }
    }
  }
}

} // namespace

void nameAtomicUpdates(Function &F, FunctionAnalysisManager &FAM) {
  if (none_of(instructions(F), [](Instruction &I) {
        return isa<AtomicCmpXchgInst, AtomicRMWInst>(I);
      }))
    return;
  FAM.invalidate(F, PreservedAnalyses::none());
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.run(F, FAM);
  markNumbers(F);
  if (swapsOf(F).empty())
    return;
  tidy(F, FAM);
  rejoinPeeled(F);
  SmallVector<Value *> Places;
  for (AtomicCmpXchgInst *X : swapsOf(F)) {
    DominatorTree DT(F);
    LoopInfo LI(DT);
    Loop *L = LI.getLoopFor(X->getParent());
    if (!L)
      continue;
    SwapLoop S(*X, *L, DT);
    if (!S.recognize()) {
      // Unrolled, the loop could not be recognized later.
      addStringMetadataToLoop(L, "llvm.loop.unroll.disable", 1);
      continue;
    }
    Places.push_back(X->getPointerOperand());
    S.rewrite();
    // This removes the loop. Two swaps in one loop are not recognized, so no
    // other swap goes with it.
    removeUnreachableBlocks(F);
  }
  dropLooks(F, Places);
  markNumbers(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  if (auto Unmatched = swapsOf(F); !Unmatched.empty()) {
    for (AtomicCmpXchgInst *X : Unmatched)
      for (User *U : X->users())
        if (auto *E = dyn_cast<ExtractValueInst>(U))
          E->moveAfter(X);
    FunctionPassManager Last;
    Last.addPass(mergeBlocks());
    Last.run(F, FAM);
  }
}

} // namespace retro
