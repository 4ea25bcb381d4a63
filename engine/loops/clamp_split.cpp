// Input: a loop with an index that clamps in the last iterations: `min(i + 1,
// n)` is i + 1 in all others. Output: a main part without the clamp, and the
// rest. A choice that differs in the last iteration alone, as of a periodic
// index, is made once, too. The main part has plain affine addresses, in the
// primal and in the adjoint; with choices in them, LLVM would run neither in
// vectors.
#include "loops/clamp_split.h"

#include "facts/loops/grid.h"
#include "loops/each_loop.h"
#include "loops/overlap_marks.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {
namespace {

/// An index that goes up by 1 until it meets a bound: min(A, Bound), or a
/// narrow counter that is extended and may wrap.
struct Clamp {
  Instruction *I;
  const SCEVAddRecExpr *A;
  Value *Bound; ///< null: the largest value of A's type
  bool Signed;
  const SCEV *Wide = nullptr; ///< a 64-bit index that A follows
  int64_t Distance = 0;       ///< from Wide to A's start
};

class Splitter {
public:
  Splitter(Loop &L, ScalarEvolution &SE, const DominatorTree &DT)
      : L(L), SE(SE), G(L, SE, DT), B(L.getHeader()),
        Entry(L.getLoopPreheader()), Exit(L.getExitBlock()) {}

  /// Returns the rest, a loop that clamps; null if nothing was split.
  BasicBlock *run();

private:
  bool isCandidate();
  void findWide(Clamp &C);
  bool indexesMemory(const Value *V, unsigned Depth) const;
  Value *mainTrips(IRBuilder<> &IR);
  Value *leftBy(PHINode &P, Value *Trips, IRBuilder<> &MB);
  BasicBlock *copyLoop(ValueToValueMapTy &VM) const;
  BasicBlock *enterRest(BasicBlock *Rest, Value *Trips, ValueToValueMapTy &VM);
  PHINode *countMain(Value *Trips, BasicBlock *Middle);
  void replaceClamps(PHINode *Count);

  Loop &L;
  ScalarEvolution &SE;
  Grid G;
  BasicBlock *B, *Entry, *Exit;
  SmallVector<Clamp> Clamps;
  /// Choices, each with its value in all iterations but the last.
  SmallVector<std::pair<Instruction *, Value *>> Choices;
  SmallVector<Value *> Starts; ///< of the clamps, as 64-bit integers
};

bool Splitter::indexesMemory(const Value *V, unsigned Depth) const {
  return any_of(V->users(), [&](const User *U) {
    auto *I = dyn_cast<Instruction>(U);
    if (!I || I->getParent() != B)
      return false;
    if (isa<GetElementPtrInst>(I))
      return true;
    return Depth > 0 && I->getType()->isIntegerTy() && !isa<PHINode>(I) &&
           indexesMemory(I, Depth - 1);
  });
}

bool Splitter::isCandidate() {
  if (!Entry || !Exit || L.getNumBlocks() != 1 || !L.isLoopSimplifyForm() ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)))
    return false;
  auto Counter = [&](const SCEV *S) {
    auto *A = dyn_cast<SCEVAddRecExpr>(S);
    return A && A->getLoop() == &L && A->isAffine() &&
                   A->getStepRecurrence(SE)->isOne()
               ? A
               : nullptr;
  };
  for (Instruction &I : *B) {
    auto *M = dyn_cast<MinMaxIntrinsic>(&I);
    if (!M || M->getIntrinsicID() != Intrinsic::smin ||
        M->getType()->isVectorTy() || !indexesMemory(M, 4))
      continue;
    for (unsigned N = 0; N < 2; ++N)
      if (auto *A = Counter(SE.getSCEV(M->getArgOperand(N)));
          A && L.isLoopInvariant(M->getArgOperand(1 - N))) {
        Clamps.push_back({M, A, M->getArgOperand(1 - N), true});
        break;
      }
  }
  for (Instruction &I : *B)
    if (auto *S = dyn_cast<SelectInst>(&I); S && indexesMemory(S, 4))
      if (Value *V = G.exceptAtEnd(*S, true))
        Choices.push_back({S, V});
  if (Clamps.empty() && Choices.empty())
    return false;
  for (Instruction &I : *B) {
    if (!I.getType()->isIntegerTy(64))
      continue;
    auto *X = dyn_cast<SCEVIntegralCastExpr>(SE.getSCEV(&I));
    if (!X || !isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(X))
      continue;
    if (auto *A = Counter(X->getOperand()))
      Clamps.push_back({&I, A, nullptr, isa<SCEVSignExtendExpr>(X)});
  }
  for (Clamp &C : Clamps)
    if (!C.Bound)
      findWide(C);
  return true;
}

/// Finds a 64-bit index of the loop that a narrow one follows at a constant
/// distance. The narrow index is the wide one minus that, unless it wraps.
void Splitter::findWide(Clamp &C) {
  Type *Narrow = C.A->getType();
  for (Instruction &I : *B) {
    if (!I.getType()->isIntegerTy(64) || Narrow->isIntegerTy(64))
      continue;
    auto *W = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&I));
    if (!W || W->getLoop() != &L || !W->isAffine() ||
        !W->getStepRecurrence(SE)->isOne())
      continue;
    auto *D = dyn_cast<SCEVConstant>(SE.getMinusSCEV(
        C.A->getStart(), SE.getTruncateExpr(W->getStart(), Narrow)));
    if (!D)
      continue;
    C.Wide = W->getStart();
    C.Distance = D->getAPInt().getSExtValue();
    return;
  }
}

/// How many iterations, at least, every clamp leaves as they are: from its
/// start to its bound, and at most all but one. Sets the clamps' wide starts.
Value *Splitter::mainTrips(IRBuilder<> &IR) {
  const DataLayout &DL = B->getDataLayout();
  SCEVExpander Expand(SE, "split");
  const SCEV *Back = SE.getBackedgeTakenCount(&L);
  Type *I64 = IR.getInt64Ty();
  if (DL.getTypeSizeInBits(Back->getType()) > 64 ||
      !Expand.isSafeToExpand(Back))
    return nullptr;
  for (const Clamp &C : Clamps)
    if (!Expand.isSafeToExpand(C.A->getStart()) ||
        (C.Wide && !Expand.isSafeToExpand(C.Wide)))
      return nullptr;
  Instruction *At = Entry->getTerminator();
  Value *Trips = Expand.expandCodeFor(SE.getNoopOrZeroExtend(Back, I64), I64,
                                      At->getIterator());
  for (const Clamp &C : Clamps) {
    Value *Start = Expand.expandCodeFor(C.A->getStart(), C.A->getType(),
                                        At->getIterator());
    IR.SetInsertPoint(At);
    Value *Wide =
        C.Signed ? IR.CreateSExt(Start, I64) : IR.CreateZExt(Start, I64);
    Value *Follows = nullptr;
    if (C.Wide) {
      Value *W = Expand.expandCodeFor(C.Wide, I64, At->getIterator());
      IR.SetInsertPoint(At);
      Follows = IR.CreateAdd(W, IR.getInt64(C.Distance));
    }
    Starts.push_back(Follows ? Follows : Wide);
    unsigned Bits = C.A->getType()->getIntegerBitWidth();
    Value *Bound = C.Bound
                       ? IR.CreateSExt(C.Bound, I64)
                       : IR.getInt64(C.Signed ? maxIntN(Bits) : maxUIntN(Bits));
    Value *Room = IR.CreateBinaryIntrinsic(Intrinsic::ssub_sat, Bound, Wide);
    Room = IR.CreateBinaryIntrinsic(Intrinsic::uadd_sat, Room, IR.getInt64(1));
    Room = IR.CreateSelect(IR.CreateICmpSGT(Wide, Bound), IR.getInt64(0), Room);
    if (Follows)
      Room =
          IR.CreateSelect(IR.CreateICmpEQ(Follows, Wide), Room, IR.getInt64(0));
    Trips = IR.CreateBinaryIntrinsic(Intrinsic::umin, Trips, Room);
  }
  return Trips;
}

/// The value of header phi P after the main part.
Value *Splitter::leftBy(PHINode &P, Value *Trips, IRBuilder<> &MB) {
  Value *Start = P.getIncomingValueForBlock(Entry);
  auto *A = P.getType()->isIntegerTy()
                ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&P))
                : nullptr;
  auto *Step = A && A->getLoop() == &L && A->isAffine()
                   ? dyn_cast<SCEVConstant>(A->getStepRecurrence(SE))
                   : nullptr;
  if (Step)
    return MB.CreateAdd(Start,
                        MB.CreateMul(MB.CreateZExtOrTrunc(Trips, P.getType()),
                                     Step->getValue()));
  PHINode *M = PHINode::Create(P.getType(), 2, P.getName() + ".split",
                               MB.GetInsertBlock()->begin());
  M->addIncoming(Start, Entry);
  M->addIncoming(P.getIncomingValueForBlock(B), B);
  return M;
}

/// Makes the rest, a copy of the loop.
BasicBlock *Splitter::copyLoop(ValueToValueMapTy &VM) const {
  Function &F = *B->getParent();
  SmallVector<MDNode *> Scopes;
  identifyNoAliasScopesToClone({B}, Scopes);
  BasicBlock *Rest = CloneBasicBlock(B, VM, ".rest", &F);
  VM[B] = Rest;
  cloneAndAdaptNoAliasScopes(Scopes, {Rest}, F.getContext(), "rest");
  for (Instruction &I : *Rest)
    RemapInstruction(&I, VM, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  return Rest;
}

/// Enters the rest with what the main part leaves. Values that leave the loop
/// leave the rest. Returns the block between the two.
BasicBlock *Splitter::enterRest(BasicBlock *Rest, Value *Trips,
                                ValueToValueMapTy &VM) {
  BasicBlock *Middle =
      BasicBlock::Create(B->getContext(), "split", B->getParent(), Rest);
  IRBuilder<> MB(Middle);
  for (PHINode &P : B->phis()) {
    Value *M = leftBy(P, Trips, MB);
    auto *R = cast<PHINode>(VM[&P]);
    int N = R->getBasicBlockIndex(Entry);
    R->setIncomingBlock(static_cast<unsigned>(N), Middle);
    R->setIncomingValue(static_cast<unsigned>(N), M);
  }
  MB.CreateBr(Rest);
  for (PHINode &P : Exit->phis()) {
    int N = P.getBasicBlockIndex(B);
    Value *V = P.getIncomingValue(static_cast<unsigned>(N));
    P.setIncomingBlock(static_cast<unsigned>(N), Rest);
    if (Value *Copy = VM.lookup(V))
      P.setIncomingValue(static_cast<unsigned>(N), Copy);
  }
  return Middle;
}

/// The main part counts its own iterations, and goes on to Middle after Trips.
PHINode *Splitter::countMain(Value *Trips, BasicBlock *Middle) {
  IRBuilder<> HB(B, B->begin());
  PHINode *Count = HB.CreatePHI(HB.getInt64Ty(), 2, "main");
  IRBuilder<> TB(B->getTerminator());
  Value *Next = TB.CreateNUWAdd(Count, TB.getInt64(1));
  Count->addIncoming(TB.getInt64(0), Entry);
  Count->addIncoming(Next, B);
  Instruction *Old = B->getTerminator();
  TB.CreateCondBr(TB.CreateICmpEQ(Next, Trips), Middle, B);
  Old->eraseFromParent();
  return Count;
}

/// The main part has no clamps: its indices go up with its counter.
void Splitter::replaceClamps(PHINode *Count) {
  IRBuilder<> HB(B, B->getFirstInsertionPt());
  SmallVector<std::pair<Value *, Value *>> News;
  for (auto [C, Start] : zip(Clamps, Starts)) {
    Value *Wide = HB.CreateNSWAdd(Start, Count);
    News.push_back({Wide, HB.CreateTrunc(Wide, C.I->getType())});
  }
  for (auto [Choice, V] : Choices)
    Choice->replaceAllUsesWith(V);
  for (auto [C, New] : zip(Clamps, News)) {
    Value *Wide = New.first;
    for (User *U : make_early_inc_range(C.I->users()))
      if (auto *X = dyn_cast<SExtInst>(U); X && X->getType()->isIntegerTy(64)) {
        X->replaceAllUsesWith(Wide);
        X->eraseFromParent();
      }
    C.I->replaceAllUsesWith(New.second);
    C.I->eraseFromParent();
  }
}

BasicBlock *Splitter::run() {
  if (!isCandidate())
    return nullptr;
  IRBuilder<> IR(Entry->getTerminator());
  Value *Trips = mainTrips(IR);
  if (!Trips)
    return nullptr;
  ValueToValueMapTy VM;
  BasicBlock *Rest = copyLoop(VM);
  BasicBlock *Middle = enterRest(Rest, Trips, VM);
  replaceClamps(countMain(Trips, Middle));
  Instruction *Enter = Entry->getTerminator();
  IRBuilder<> EB(Enter);
  EB.CreateCondBr(EB.CreateICmpEQ(Trips, EB.getInt64(0)), Middle, B);
  Enter->eraseFromParent();
  return Rest;
}

} // namespace

unsigned splitClampedLoops(Function &F, FunctionAnalysisManager &FAM) {
  SmallPtrSet<BasicBlock *, 8> Rests; // they clamp still
  return changeInnermostLoops(F, FAM, [&](Loop &L) {
    if (Rests.contains(L.getHeader()) || mayOverlap(L))
      return 0u;
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    BasicBlock *Rest =
        Splitter(L, SE, FAM.getResult<DominatorTreeAnalysis>(F)).run();
    if (Rest)
      Rests.insert(Rest);
    return Rest ? 1u : 0u;
  });
}

} // namespace retro
