// Input: a simplified function of the unit. Output: the same function in the
// form that analyses and emission rely on, with one return, reducible control
// flow, and loops in LCSSA form that each have a counter from 0 by 1. Without
// the counter the reverse pass could not name the iteration that it reverses,
// and control flow itself would go on the tape.
#include "prepare/canonical.h"
#include "loops/scopes.h"
#include "prepare/memory/stack_memory.h"
#include "prepare/recurrences.h"

#include "base/toggles.h"
#include "prepare/equal_values.h"
#include "prepare/memory/loads_on_ways.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {
namespace {

/// Notes where variables begin to live, before the marks that say so are
/// removed.
void noteLives(UnitFunction &UF) {
  MapVector<Value *, SmallVector<BasicBlock *, 1>> Starts;
  for (Instruction &I : instructions(*UF.F))
    if (auto *X = dyn_cast<LifetimeIntrinsic>(&I);
        X && X->getIntrinsicID() == Intrinsic::lifetime_start)
      Starts[X->getArgOperand(0)].push_back(X->getParent());
  UF.Lives.clear();
  for (auto &[V, Blocks] : Starts)
    if (Blocks.size() == 1)
      UF.Lives.push_back({WeakVH(V), WeakVH(Blocks.front())});
}

/// Does F allocate stack memory that a stackrestore gives back?
bool takesFromStack(Function &F) {
  return any_of(instructions(F), [](Instruction &I) {
    auto *A = dyn_cast<AllocaInst>(&I);
    return A && !A->isStaticAlloca();
  });
}

/// Removes markers that would end the life of memory the reverse pass still
/// reads, and hints that mean nothing there.
void dropMarkers(Function &F) {
  const bool KeepsScopes = takesFromStack(F);
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *II = dyn_cast<IntrinsicInst>(&I);
    if (!II || (KeepsScopes && isStackScope(*II)))
      continue;
    switch (II->getIntrinsicID()) {
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::assume:
    case Intrinsic::stackrestore:
    case Intrinsic::invariant_end:
    case Intrinsic::donothing:
      II->eraseFromParent();
      break;
    case Intrinsic::invariant_start:
    case Intrinsic::stacksave:
      II->replaceAllUsesWith(Constant::getNullValue(II->getType()));
      II->eraseFromParent();
      break;
    case Intrinsic::threadlocal_address:
      // A derivative stays in its thread.
      II->replaceAllUsesWith(II->getArgOperand(0));
      II->eraseFromParent();
      break;
    default:
      break;
    }
  }
}

void unifyReturns(Function &F) {
  SmallVector<ReturnInst *> Returns;
  for (BasicBlock &B : F)
    if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator()))
      Returns.push_back(Ret);
  if (Returns.size() <= 1 &&
      (Returns.empty() || Returns[0]->getParent() != &F.getEntryBlock()))
    if (Returns.empty() || Returns[0]->getParent()->sizeWithoutDebug() == 1)
      return;
  BasicBlock *Exit = BasicBlock::Create(F.getContext(), "return", &F);
  Type *T = F.getReturnType();
  IRBuilder<> B(Exit);
  PHINode *Result =
      T->isVoidTy()
          ? nullptr
          : B.CreatePHI(T, static_cast<unsigned>(Returns.size()), "result");
  for (ReturnInst *Ret : Returns) {
    if (Result)
      Result->addIncoming(Ret->getReturnValue(), Ret->getParent());
    B.SetInsertPoint(Ret);
    B.SetCurrentDebugLocation(Ret->getDebugLoc());
    B.CreateBr(Exit);
    Ret->eraseFromParent();
  }
  B.SetInsertPoint(Exit);
  if (Result)
    B.CreateRet(Result);
  else
    B.CreateRetVoid();
}

/// Does every way from B end without a return?
bool neverReturns(BasicBlock &B) {
  SmallSetVector<BasicBlock *, 8> Reached;
  Reached.insert(&B);
  for (size_t N = 0; N < Reached.size(); ++N) {
    if (N > 16 || isa<ReturnInst>(Reached[N]->getTerminator()))
      return false;
    Reached.insert_range(successors(Reached[N]));
  }
  return true;
}

class LoopCanonicalizer {
public:
  LoopCanonicalizer(UnitFunction &UF, ScalarEvolution &SE) : UF(UF), SE(SE) {}

  void run() {
    for (Loop *L : UF.LI.getLoopsInPreorder())
      addCounter(L);
    SE.forgetAllLoops();
    for (Loop *L : UF.LI.getLoopsInPreorder())
      rewriteInductions(L);
    // Expressions that were found before refer to values that are gone; those
    // found from here on refer to values that stay.
    SE.forgetAllLoops();
    for (Loop *L : UF.LI.getLoopsInPreorder())
      findTrips(L);
    for (Loop *L : UF.LI.getLoopsInPreorder())
      if (!UF.loop(L)->Trips)
        addLastCounters(L);
  }

private:
  void addCounter(Loop *L) {
    BasicBlock *H = L->getHeader();
    IntegerType *I64 = Type::getInt64Ty(H->getContext());
    PHINode *IV = PHINode::Create(I64, 2, "iv", H->begin());
    auto *Next = BinaryOperator::CreateNUWAdd(
        IV, ConstantInt::get(I64, 1), "iv.next",
        L->getLoopLatch()->getTerminator()->getIterator());
    IV->addIncoming(ConstantInt::get(I64, 0), L->getLoopPreheader());
    IV->addIncoming(Next, L->getLoopLatch());
    UF.Loops[H].Counter = IV;
  }

  /// The outermost loop in Outer that has D and not At, or null.
  Loop *loopBefore(BasicBlock *D, BasicBlock *At, Loop *Outer) {
    Loop *Before = nullptr;
    for (Loop *L = UF.LI.getLoopFor(D); L != Outer && !L->contains(At);
         L = L->getParentLoop())
      Before = L;
    return Before;
  }

  /// The conditions under which the preheader of Inner is reached in an
  /// iteration of Outer, if all of them are known before Outer. The number of
  /// trips holds under them only: a loop behind a guard may not run at all.
  bool guardsBetween(Loop *Inner, Loop *Outer,
                     SmallVectorImpl<std::pair<Value *, bool>> &Guards) {
    BasicBlock *At = Inner->getLoopPreheader();
    while (At != Outer->getHeader()) {
      BasicBlock *D = UF.DT.getNode(At)->getIDom()->getBlock();
      if (Loop *Before = loopBefore(D, At, Outer);
          Before && Before->getExitingBlock() == D) {
        // Whoever enters that loop comes out here.
        At = Before->getLoopPreheader();
        continue;
      }
      auto *Br = dyn_cast<BranchInst>(D->getTerminator());
      if (!Br && D->getTerminator()->getNumSuccessors() > 1)
        return false;
      if (Br && Br->isConditional()) {
        for (unsigned S = 0; S < 2; ++S) {
          BasicBlockEdge Edge(D, Br->getSuccessor(S));
          if (!UF.DT.dominates(Edge, At))
            continue;
          auto *C = dyn_cast<Instruction>(Br->getCondition());
          if (C && Outer->contains(C))
            return false;
          Guards.push_back({Br->getCondition(), S == 0});
        }
        // A merge below the branch is reached either way.
      }
      At = D;
    }
    return true;
  }

  /// How often the latch jumps back to the header in runs that leave the loop
  /// and return. Exits from which nothing returns are not taken in such runs.
  const SCEV *backedgesTaken(Loop *L) {
    SmallVector<BasicBlock *> Leaving;
    L->getExitingBlocks(Leaving);
    erase_if(Leaving, [&](BasicBlock *B) {
      return all_of(successors(B), [&](BasicBlock *S) {
        return L->contains(S) || neverReturns(*S);
      });
    });
    return Leaving.size() == 1 && UF.DT.dominates(Leaving[0], L->getLoopLatch())
               ? SE.getExitCount(L, Leaving[0])
               : SE.getBackedgeTakenCount(L);
  }

  void findTrips(Loop *L) {
    const SCEV *Taken = backedgesTaken(L);
    if (isa<SCEVCouldNotCompute>(Taken) || !SE.isLoopInvariant(Taken, L))
      return;
    Type *I64 = Type::getInt64Ty(L->getHeader()->getContext());
    if (SE.getTypeSizeInBits(Taken->getType()) > 64)
      return;
    const SCEV *Trips =
        SE.getAddExpr(SE.getTruncateOrZeroExtend(Taken, I64), SE.getOne(I64));
    SCEVExpander Exp(SE, "trips");
    // Moves outwards as far as the number and the guards are known there.
    Loop *At = L;
    SmallVector<std::pair<Value *, bool>> Guards;
    while (Loop *P = At->getParentLoop()) {
      SmallVector<std::pair<Value *, bool>> More;
      if (!SE.isLoopInvariant(Taken, P) || !guardsBetween(At, P, More) ||
          any_of(Guards,
                 [&](auto G) {
                   auto *C = dyn_cast<Instruction>(G.first);
                   return C && P->contains(C);
                 }) ||
          !Exp.isSafeToExpandAt(Trips, P->getLoopPreheader()->getTerminator()))
        break;
      Guards.append(More);
      At = P;
    }
    Instruction *Point = At->getLoopPreheader()->getTerminator();
    if (!Exp.isSafeToExpandAt(Trips, Point))
      return;
    Value *N = Exp.expandCodeFor(Trips, I64, Point->getIterator());
    IRBuilder<> B(Point);
    for (auto [C, Want] : Guards) {
      Value *Zero = B.getInt64(0);
      N = Want ? B.CreateSelect(C, N, Zero) : B.CreateSelect(C, Zero, N);
    }
    UF.loop(L)->Trips = N;
    UF.loop(L)->KnownBefore = At->getHeader();
  }

  /// Affine integer and pointer recurrences become functions of the counter,
  /// so that the reverse pass recomputes them from its own counter.
  void rewriteInductions(Loop *L) {
    BasicBlock *H = L->getHeader();
    PHINode *IV = UF.loop(L)->Counter;
    for (PHINode &P : make_early_inc_range(H->phis())) {
      if (&P == IV ||
          (!P.getType()->isIntegerTy() && !P.getType()->isPointerTy()))
        continue;
      if (!SE.isSCEVable(P.getType()))
        continue;
      auto *AR = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&P));
      if ((!AR || !AR->isAffine()) && P.getType()->isIntegerTy()) {
        IRBuilder<> B(H, H->getFirstInsertionPt());
        if (Value *V = polynomialOf(P, *L, IV, B, SE, UF.DT)) {
          SE.forgetValue(&P);
          P.replaceAllUsesWith(V);
          P.eraseFromParent();
        }
        continue;
      }
      if (!AR || AR->getLoop() != L || !AR->isAffine())
        continue;
      const SCEV *Step = AR->getStepRecurrence(SE);
      Type *StepTy = Step->getType();
      SCEVExpander Exp(SE, "step");
      Instruction *Pre = L->getLoopPreheader()->getTerminator();
      if (!SE.isLoopInvariant(Step, L) || !Exp.isSafeToExpandAt(Step, Pre))
        continue;
      Value *StepV = Exp.expandCodeFor(Step, StepTy, Pre->getIterator());
      Value *Start = P.getIncomingValueForBlock(L->getLoopPreheader());
      IRBuilder<> B(H, H->getFirstInsertionPt());
      Value *Count = B.CreateZExtOrTrunc(IV, StepTy);
      Value *Off = B.CreateMul(Count, StepV);
      Value *New = P.getType()->isPointerTy()
                       ? B.CreatePtrAdd(Start, Off, P.getName())
                       : B.CreateAdd(Off, Start, P.getName());
      SE.forgetValue(&P);
      P.replaceAllUsesWith(New);
      P.eraseFromParent();
    }
  }

  /// Exit blocks learn how often the loop ran.
  void addLastCounters(Loop *L) {
    SmallVector<BasicBlock *> Exits;
    L->getUniqueExitBlocks(Exits);
    CanonicalLoop &C = *UF.loop(L);
    for (BasicBlock *E : Exits) {
      PHINode *P = PHINode::Create(C.Counter->getType(),
                                   static_cast<unsigned>(pred_size(E)),
                                   "iv.last", E->begin());
      for (BasicBlock *B : predecessors(E))
        P->addIncoming(C.Counter, B);
      C.LastCounter[E] = P;
    }
  }

  UnitFunction &UF;
  ScalarEvolution &SE;
};

bool hasIrreducibleLoops(UnitFunction &UF) {
  LoopInfo &LI = UF.LI;
  ReversePostOrderTraversal<Function *> RPO(UF.F);
  return containsIrreducibleCFG<BasicBlock *>(RPO, LI);
}

void analyzeAgain(UnitFunction &UF) {
  UF.DT.recalculate(*UF.F);
  UF.LI.releaseMemory();
  UF.LI.analyze(UF.DT);
}

/// Gives irreducible loops one entry; returns whether all have one.
bool fixIrreducibleLoops(UnitFunction &UF, FunctionAnalysisManager &FAM) {
  if (!hasIrreducibleLoops(UF))
    return true;
  Function &F = *UF.F;
  LowerSwitchPass().run(F, FAM);
  // FixIrreducible loses what a phi gets from a branch that enters the loop
  // in two places, one of them from inside. So each way in gets a block of
  // its own.
  SplitAllCriticalEdges(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  FixIrreduciblePass().run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  analyzeAgain(UF);
  return !hasIrreducibleLoops(UF);
}

} // namespace

void canonicalizeControlFlow(UnitFunction &UF, FunctionAnalysisManager &FAM,
                             Reporter &R) {
  Function &F = *UF.F;
  noteLives(UF);
  noteScopes(UF, isOn(Toggle::alias_scopes));
  dropMarkers(F);
  removeUnreachableBlocks(F);
  unifyReturns(F);
  // The entry block has no predecessors and no loop starts in it.
  if (!pred_empty(&F.getEntryBlock()))
    SplitBlock(&F.getEntryBlock(), F.getEntryBlock().begin());
  FAM.invalidate(F, PreservedAnalyses::none());
  analyzeAgain(UF);
  if (!fixIrreducibleLoops(UF, FAM)) {
    R.error(Diag::ControlFlow, F.getEntryBlock().getTerminator(),
            {"irreducible loop in '" + UF.Source->getName().str() + "'"});
    return;
  }
  joinEqualValues(F, UF.DT);
  accessOnEachWay(UF);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  AC.clear();
  SmallVector<Loop *> Top(UF.LI.begin(), UF.LI.end());
  for (Loop *L : Top)
    simplifyLoop(L, &UF.DT, &UF.LI, nullptr, &AC, nullptr, false);
  for (Loop *L : UF.LI)
    formLCSSARecursively(*L, UF.DT, &UF.LI, nullptr);
  for (Loop *L : UF.LI.getLoopsInPreorder())
    if (!L->isLoopSimplifyForm()) {
      R.error(Diag::ControlFlow, L->getHeader()->getTerminator(),
              {"a loop without one entry and one latch"});
      return;
    }
  {
    auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
    ScalarEvolution SE(F, TLI, AC, UF.DT, UF.LI);
    LoopCanonicalizer(UF, SE).run();
  }
  // Values computed inside a loop and used after it pass through exit phis.
  for (Loop *L : UF.LI)
    formLCSSARecursively(*L, UF.DT, &UF.LI, nullptr);
  FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace retro
