// Input: a loop in which most iterations have no effect. The derivative of a
// sum over cells with respect to one input is such a loop: each iteration
// compares its counter with that input's number, and where the two differ it
// adds zero. Output: the comparisons are solved for the counter, and the loop
// goes from one solution to the next. Without it a sparse Jacobian would cost
// as much as a dense one.
#include "polish/sparse/sparse_loops.h"
#include "base/assert.h"
#include "front/known/known_functions.h"
#include "loops/each_loop.h"
#include "polish/sparse/sparse_conditions.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {
namespace {

/// What is known of values in an iteration in which no condition of the loop
/// holds.
class IdleState {
public:
  IdleState(Loop &L, const Conditions &Idle) : L(L), Idle(Idle) {}

  /// Has such an iteration no effect?
  bool hasNoEffect(LoopInfo &LI);

private:
  enum Fact { Unknown, Zero, One };
  Fact of(const Value *V) const;
  Fact evaluate(const Instruction &I) const;
  Fact phi(const PHINode &P) const;
  Fact compare(const FCmpInst &C) const;
  Fact select(const Instruction &I) const;
  Fact combined(const Instruction &I) const;
  Fact intrinsic(const IntrinsicInst &I) const;
  static Fact product(Fact A, Fact B);
  /// What is known of the result of an operation that gives zero for a zero.
  static Fact zeroIf(Fact A) { return A == Zero ? Zero : Unknown; }
  void follow(const BasicBlock &B);
  bool reached(const BasicBlock *From, const BasicBlock *To) const {
    return Edges.contains({From, To});
  }
  static Fact both(Fact A, Fact B) {
    return A == Zero && B == Zero ? Zero : Unknown;
  }

  Loop &L;
  const Conditions &Idle;
  DenseMap<const Value *, Fact> Values;
  DenseSet<const BasicBlock *> Blocks;
  DenseSet<std::pair<const BasicBlock *, const BasicBlock *>> Edges;
};

IdleState::Fact IdleState::of(const Value *V) const {
  if (auto *C = dyn_cast<Constant>(V)) {
    auto *F = dyn_cast<ConstantFP>(C);
    if (C->isNullValue() || (F && F->isZero()))
      return Zero;
    return C->getType()->isIntegerTy(1) && C->isOneValue() ? One : Unknown;
  }
  return Values.lookup(V);
}

IdleState::Fact IdleState::phi(const PHINode &P) const {
  if (P.getParent() == L.getHeader())
    return Unknown;
  std::optional<Fact> All;
  for (unsigned N = 0; N < P.getNumIncomingValues(); ++N) {
    if (!reached(P.getIncomingBlock(N), P.getParent()))
      continue;
    Fact K = of(P.getIncomingValue(N));
    if (All && *All != K)
      return Unknown;
    All = K;
  }
  return All.value_or(Unknown);
}

IdleState::Fact IdleState::compare(const FCmpInst &C) const {
  if (both(of(C.getOperand(0)), of(C.getOperand(1))) != Zero)
    return Unknown;
  return CmpInst::isTrueWhenEqual(C.getPredicate()) ||
                 C.getPredicate() == FCmpInst::FCMP_ORD ||
                 C.getPredicate() == FCmpInst::FCMP_OEQ ||
                 C.getPredicate() == FCmpInst::FCMP_OLE ||
                 C.getPredicate() == FCmpInst::FCMP_OGE
             ? One
             : Zero;
}

IdleState::Fact IdleState::select(const Instruction &I) const {
  const Fact C = of(I.getOperand(0)), T = of(I.getOperand(1)),
             F = of(I.getOperand(2));
  if (C != Unknown)
    return C == One ? T : F;
  return T == F ? T : Unknown;
}

/// A derivative of zero gives zero, whatever it is multiplied by.
IdleState::Fact IdleState::product(Fact A, Fact B) {
  if (A == One && B == One)
    return One;
  return A == Zero || B == Zero ? Zero : Unknown;
}

/// Or, and exclusive or; conditions may be one, too.
IdleState::Fact IdleState::combined(const Instruction &I) const {
  const Fact A = of(I.getOperand(0)), B = of(I.getOperand(1));
  if (I.getType()->isIntegerTy(1)) {
    if (I.getOpcode() == Instruction::Or && (A == One || B == One))
      return One;
    if (I.getOpcode() == Instruction::Xor && A != Unknown && B != Unknown)
      return A == B ? Zero : One;
  }
  return both(A, B);
}

IdleState::Fact IdleState::intrinsic(const IntrinsicInst &I) const {
  switch (I.getIntrinsicID()) {
  case Intrinsic::fabs:
    return zeroIf(of(I.getOperand(0)));
  case Intrinsic::fmuladd:
  case Intrinsic::fma:
    return both(product(of(I.getOperand(0)), of(I.getOperand(1))),
                of(I.getOperand(2)));
  default:
    return Unknown;
  }
}

IdleState::Fact IdleState::evaluate(const Instruction &I) const {
  if (auto It = Idle.find(&I); It != Idle.end())
    return It->second ? One : Zero;
  auto Op = [&](unsigned N) { return of(I.getOperand(N)); };
  switch (I.getOpcode()) {
  case Instruction::PHI:
    return phi(cast<PHINode>(I));
  case Instruction::FCmp:
    return compare(cast<FCmpInst>(I));
  case Instruction::Select:
    return select(I);
  case Instruction::FMul:
  case Instruction::Mul:
  case Instruction::And:
    return product(Op(0), Op(1));
  case Instruction::Or:
  case Instruction::Xor:
    return combined(I);
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::Add:
  case Instruction::Sub:
    return both(Op(0), Op(1));
  case Instruction::FDiv:
  case Instruction::FNeg:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::UIToFP:
  case Instruction::SIToFP:
  case Instruction::SExt:
  case Instruction::ZExt:
    return zeroIf(Op(0));
  case Instruction::Freeze:
    return Op(0);
  case Instruction::Call:
    return isa<IntrinsicInst>(I) ? intrinsic(cast<IntrinsicInst>(I)) : Unknown;
  default:
    return Unknown;
  }
}

void IdleState::follow(const BasicBlock &B) {
  for (const Instruction &I : B)
    Values[&I] = evaluate(I);
  auto *Br = dyn_cast<BranchInst>(B.getTerminator());
  Fact K = Br && Br->isConditional() ? of(Br->getCondition()) : Unknown;
  for (unsigned N = 0; N < B.getTerminator()->getNumSuccessors(); ++N) {
    if (K != Unknown && (N == 0) != (K == One))
      continue;
    const BasicBlock *S = B.getTerminator()->getSuccessor(N);
    Edges.insert({&B, S});
    if (L.contains(S))
      Blocks.insert(S);
  }
}

bool IdleState::hasNoEffect(LoopInfo &LI) {
  LoopBlocksRPO Order(&L);
  Order.perform(&LI);
  Blocks.insert(L.getHeader());
  for (const BasicBlock *B : Order) {
    if (!Blocks.contains(B))
      continue;
    // An inner loop that is entered may do anything.
    if (LI.getLoopFor(B) != &L)
      return false;
    follow(*B);
    for (const Instruction &I : *B) {
      auto *C = dyn_cast<CallBase>(&I);
      if (I.mayHaveSideEffects() && !(C && knownCall(*C).isPure()) &&
          !isa<DbgInfoIntrinsic>(I))
        return false;
    }
  }
  return true;
}

class Restrictor {
public:
  Restrictor(Function &F, FunctionAnalysisManager &FAM)
      : F(F), LI(FAM.getResult<LoopAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        I64(Type::getInt64Ty(F.getContext())), Solver(F, SE) {}
  unsigned run();

private:
  bool hasForm(Loop &L);
  bool restrict(Loop &L);
  /// The iterations from Low to High, if Any of them is in the loop.
  struct Interval {
    Value *Low, *High, *Any;
  };
  Interval solve(IRBuilder<> &B, Value *A, Value *C, Value *Bound, Value *Last);
  Value *within(IRBuilder<> &B, Value *X, Value *Bound);
  Value *necessary(IRBuilder<> &B, Value *A, Value *C, Value *Bound,
                   Value *Last);
  Value *enter(Loop &L, ArrayRef<std::array<Value *, 3>> Inputs, Value *Last,
               SmallVectorImpl<Interval> &Runs);
  PHINode *countRuns(Loop &L, BasicBlock *Before, Value *First,
                     ArrayRef<Interval> Runs);
  void rewrite(Loop &L, ArrayRef<Condition> All);

  /// The number of no iteration.
  static constexpr uint64_t NoIteration = ~uint64_t(0);

  Function &F;
  LoopInfo &LI;
  ScalarEvolution &SE;
  DominatorTree &DT;
  Type *I64;
  LoopConditions Solver;
};

bool Restrictor::hasForm(Loop &L) {
  if (!L.isLoopSimplifyForm() || !L.getExitBlock() ||
      L.getExitingBlock() != L.getLoopLatch() ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)))
    return false;
  for (PHINode &P : L.getHeader()->phis()) {
    if (!SE.isSCEVable(P.getType()))
      return false;
    auto *R = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&P));
    if (!R || R->getLoop() != &L || !R->isAffine())
      return false;
  }
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      for (User *U : I.users())
        if (!L.contains(cast<Instruction>(U)))
          return false;
  return Solver.isSafe(SE.getBackedgeTakenCount(&L));
}

/// floor(X / D) for D > 0.
Value *floorDivide(IRBuilder<> &B, Value *X, Value *D) {
  Value *Q = B.CreateSDiv(X, D);
  Value *Below = B.CreateICmpSLT(B.CreateSRem(X, D), B.getInt64(0));
  return B.CreateSub(Q, B.CreateZExt(Below, X->getType()));
}

/// The iterations k of 0 … Last for which 0 <= A + C k <= Bound.
Restrictor::Interval Restrictor::solve(IRBuilder<> &B, Value *A, Value *C,
                                       Value *Bound, Value *Last) {
  Value *None = B.getInt64(0);
  Value *Down = B.CreateICmpSLT(C, None), *Flat = B.CreateICmpEQ(C, None);
  // For C < 0, the same k satisfy 0 <= Bound - A - C k <= Bound.
  Value *From = B.CreateSelect(Down, B.CreateSub(Bound, A), A);
  Value *Step = B.CreateSelect(Down, B.CreateNeg(C), C);
  Step = B.CreateSelect(Flat, B.getInt64(1), Step);
  Value *Low = B.CreateNeg(floorDivide(B, From, Step));
  Value *High = floorDivide(B, B.CreateSub(Bound, From), Step);
  // For C = 0, all iterations do or none.
  Value *Holds =
      B.CreateAnd(B.CreateICmpSGE(A, None), B.CreateICmpSLE(A, Bound));
  Low = B.CreateSelect(Flat, None, Low);
  High =
      B.CreateSelect(Flat, B.CreateSelect(Holds, Last, B.getInt64(-1)), High);
  Low = B.CreateBinaryIntrinsic(Intrinsic::smax, Low, None);
  High = B.CreateBinaryIntrinsic(Intrinsic::smin, High, Last);
  return {
      Low, High,
      B.CreateAnd(necessary(B, A, C, Bound, Last), B.CreateICmpSLE(Low, High))};
}

/// 0 <= X <= Bound, remembered for the loop around this one.
Value *Restrictor::within(IRBuilder<> &B, Value *X, Value *Bound) {
  Value *V =
      B.CreateAnd(B.CreateICmpSGE(X, B.getInt64(0)), B.CreateICmpSLE(X, Bound));
  if (auto *I = dyn_cast<Instruction>(V))
    Solver.noteRange(*I, X, Bound);
  return V;
}

/// What A and Bound must satisfy if 0 <= A + C k <= Bound for some k of 0 …
/// Last: a test that can be solved for the counter of an outer loop.
Value *Restrictor::necessary(IRBuilder<> &B, Value *A, Value *C, Value *Bound,
                             Value *Last) {
  Value *Span = B.CreateMul(C, Last);
  auto *Limit = dyn_cast<ConstantInt>(C);
  Value *Up = nullptr, *Down = nullptr;
  if (!Limit || !Limit->isNegative())
    Up = within(B, B.CreateAdd(A, Span), B.CreateAdd(Bound, Span));
  if (!Limit || Limit->isNegative())
    Down = within(B, A, B.CreateSub(Bound, Span));
  return Up && Down ? B.CreateOr(Up, Down) : Up ? Up : Down;
}

/// Solves the conditions in front of the loop, and lets it be entered alone
/// where one of them holds in some iteration. Returns the first such, or Never.
Value *Restrictor::enter(Loop &L, ArrayRef<std::array<Value *, 3>> Inputs,
                         Value *Last, SmallVectorImpl<Interval> &Runs) {
  BasicBlock *Before = L.getLoopPreheader(), *Exit = L.getExitBlock();
  Instruction *At = Before->getTerminator();
  IRBuilder<> B(At);
  Value *Never = B.getInt64(NoIteration);
  Value *Any = B.getFalse(), *First = Never;
  for (auto [A, C, Bound] : Inputs) {
    Interval R = solve(B, A, C, Bound, Last);
    Any = B.CreateOr(Any, R.Any);
    First = B.CreateBinaryIntrinsic(Intrinsic::umin, First,
                                    B.CreateSelect(R.Any, R.Low, Never));
    Runs.push_back(R);
  }
  BranchInst::Create(L.getHeader(), Exit, Any, At->getIterator());
  At->eraseFromParent();
  for (PHINode &P : Exit->phis()) {
    Value *V = P.getIncomingValueForBlock(L.getLoopLatch());
    retroAssert(L.isLoopInvariant(V), "sparse", &F,
                "nothing that an iteration computes is read behind the loop");
    P.addIncoming(V, Before);
  }
  return First;
}

/// Counts the iterations that run, from First: behind each comes the next in
/// one of Runs, until there is none.
PHINode *Restrictor::countRuns(Loop &L, BasicBlock *Before, Value *First,
                               ArrayRef<Interval> Runs) {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch(),
             *Exit = L.getExitBlock();
  IRBuilder<> HB(Header, Header->begin());
  PHINode *K = HB.CreatePHI(I64, 2, "sparse.iteration");
  auto *Old = cast<BranchInst>(Latch->getTerminator());
  IRBuilder<> LB(Old);
  Value *Never = LB.getInt64(NoIteration);
  Value *After = LB.CreateNUWAdd(K, LB.getInt64(1)), *Next = Never;
  for (const Interval &R : Runs) {
    Value *N = LB.CreateBinaryIntrinsic(Intrinsic::smax, R.Low, After);
    Value *In = LB.CreateAnd(R.Any, LB.CreateICmpSLE(N, R.High));
    Next = LB.CreateBinaryIntrinsic(Intrinsic::umin, Next,
                                    LB.CreateSelect(In, N, Never));
  }
  K->addIncoming(First, Before);
  K->addIncoming(Next, Latch);
  LB.CreateCondBr(LB.CreateICmpEQ(Next, Never), Exit, Header);
  Old->eraseFromParent();
  return K;
}

void Restrictor::rewrite(Loop &L, ArrayRef<Condition> All) {
  BasicBlock *Header = L.getHeader();
  BasicBlock *Before = L.getLoopPreheader();
  Instruction *At = Before->getTerminator();
  SCEVExpander Expand(SE, "sparse");
  auto Outside = [&](const SCEV *S) {
    return Expand.expandCodeFor(S, S->getType(), At->getIterator());
  };
  Value *Last =
      Outside(SE.getTruncateOrZeroExtend(SE.getBackedgeTakenCount(&L), I64));
  SmallVector<std::array<Value *, 3>> Inputs;
  for (const Condition &C : All)
    Inputs.push_back({Outside(C.A), Outside(C.C), Outside(C.B)});
  SmallVector<std::pair<PHINode *, const SCEVAddRecExpr *>> Counters;
  for (PHINode &P : Header->phis())
    Counters.push_back({&P, cast<SCEVAddRecExpr>(SE.getSCEV(&P))});
  SmallVector<Interval> Runs;
  Value *First = enter(L, Inputs, Last, Runs);
  PHINode *K = countRuns(L, Before, First, Runs);
  for (auto [P, R] : Counters) {
    Type *StepTy = SE.getEffectiveSCEVType(R->getStepRecurrence(SE)->getType());
    const SCEV *V = R->evaluateAtIteration(
        SE.getTruncateOrZeroExtend(SE.getUnknown(K), StepTy), SE);
    Value *New =
        Expand.expandCodeFor(V, P->getType(), Header->getFirstInsertionPt());
    P->replaceAllUsesWith(New);
    SE.forgetValue(P);
    P->eraseFromParent();
  }
  Expand.clear();
  SE.forgetTopmostLoop(&L);
  DT.recalculate(F);
}

bool Restrictor::restrict(Loop &L) {
  if (!hasForm(L))
    return false;
  Conditions Idle;
  std::vector<Condition> All;
  Solver.find(L, Idle, All);
  if (All.empty() || All.size() > LoopConditions::Most ||
      !IdleState(L, Idle).hasNoEffect(LI))
    return false;
  rewrite(L, All);
  return true;
}

unsigned Restrictor::run() {
  unsigned Done = 0;
  for (Loop *L : LI)
    simplifyLoop(L, &DT, &LI, &SE, nullptr, nullptr, false);
  SmallVector<Loop *> Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops))
    if (restrict(*L))
      ++Done;
  return Done;
}

} // namespace

unsigned restrictLoops(Function &F, FunctionAnalysisManager &FAM) {
  return changeLoops<Restrictor>(F, FAM);
}

} // namespace retro
