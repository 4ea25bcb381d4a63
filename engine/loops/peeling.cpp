// LLVM takes the first iteration out of a loop whose index clamps in it, or
// goes around. A nest over a grid is differentiated before that, so that its
// boundary is like the rest of it. This file keeps LLVM from peeling until
// then, and peels what LLVM would have peeled afterwards.
#include "loops/peeling.h"

#include "facts/loops/grid.h"
#include "front/names/foreign.h"
#include "loops/each_loop.h"
#include "loops/overlap_marks.h"
#include "loops/wide_indices.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopPeel.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace retro {
namespace {

constexpr const char PeeledCount[] = "llvm.loop.peeled.count";
/// LLVM never peels so much. A loop with this count is one that was marked
/// here.
constexpr unsigned Marked = 1 << 10;
/// How far calls are followed that are going to be inlined.
constexpr unsigned CallDepth = 2;

bool isMarked(const Loop &L) {
  auto N = getOptionalIntLoopAttribute(&L, PeeledCount);
  return N && *N == static_cast<int>(Marked);
}

bool isIndex(const Instruction &I) {
  return I.getType()->isIntegerTy() && I.getType()->getIntegerBitWidth() >= 32;
}

/// Does I choose a number? A remainder does: an index, or its value at the
/// other end.
bool choosesNumber(const Instruction &I) {
  if (auto *C = dyn_cast<CallInst>(&I); C && C->getCalledFunction()) {
    const Function &F = *C->getCalledFunction();
    return isa<MinMaxIntrinsic>(C) ||
           F.getIntrinsicID() == Intrinsic::usub_sat ||
           isA(F.getName(), NameKind::MinMax);
  }
  return isIndex(I) &&
         (isa<SelectInst>(I) || I.getOpcode() == Instruction::SRem ||
          I.getOpcode() == Instruction::URem);
}

/// How many numbers are chosen in loops, and in functions that these call.
/// Indices may clamp by such a choice. In the front end's code it is a phi
/// behind a branch.
unsigned countChoices(const Function &F, const LoopInfo *LI, unsigned Depth) {
  unsigned Count = 0;
  for (const Instruction &I : instructions(F)) {
    if (LI && !LI->getLoopFor(I.getParent()))
      continue;
    auto *C = dyn_cast<CallInst>(&I);
    const Function *Callee = C ? C->getCalledFunction() : nullptr;
    if (choosesNumber(I) || (isa<PHINode>(I) && isIndex(I) &&
                             !(LI && LI->isLoopHeader(I.getParent()))))
      ++Count;
    else if (Callee && !Callee->isDeclaration() && Depth > 0)
      Count += countChoices(*Callee, nullptr, Depth - 1);
  }
  return Count;
}

/// May indices clamp? A neighbour on each side makes two choices.
bool mayClamp(const Function &F, const LoopInfo &LI) {
  return countChoices(F, &LI, CallDepth) >= 2;
}

/// The index that I, a maximum, is from the second iteration on; or null.
Value *afterFirst(Instruction &I, const Loop &L, ScalarEvolution &SE) {
  auto *M = dyn_cast<MinMaxIntrinsic>(&I);
  if (!M || M->getIntrinsicID() != Intrinsic::smax ||
      M->getType()->isVectorTy())
    return nullptr;
  Value *Index = M->getLHS();
  auto *Bound = dyn_cast<ConstantInt>(M->getRHS());
  if (auto *T = dyn_cast<TruncInst>(Index); T && T->hasNoSignedWrap())
    Index = T->getOperand(0);
  auto *A = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Index));
  auto *Start = A ? dyn_cast<SCEVConstant>(A->getStart()) : nullptr;
  return Bound && Start && A->getLoop() == &L && A->isAffine() &&
                 A->hasNoSignedWrap() && A->getStepRecurrence(SE)->isOne() &&
                 Start->getAPInt().getSExtValue() == Bound->getSExtValue() - 1
             ? M->getLHS()
             : nullptr;
}

/// Sums up indices as wide numbers, here and in functions that are called.
void widenCalled(Function &F, unsigned Depth) {
  SmallPtrSet<Function *, 8> Callees;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallInst>(&I))
      if (Function *G = C->getCalledFunction();
          G && G != &F && !G->isDeclaration() && Depth > 0)
        Callees.insert(G);
  for (Function *G : Callees)
    widenCalled(*G, Depth - 1);
  widenIndices(F);
  widenRemainders(F);
}

} // namespace

void forbidPeeling(Function &F, FunctionAnalysisManager &FAM) {
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    addStringMetadataToLoop(L, PeeledCount, Marked);
}

bool keepNests(Function &F, FunctionAnalysisManager &FAM) {
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  auto Loops = LI.getLoopsInPreorder();
  if (none_of(Loops, [](const Loop *L) { return L->getLoopDepth() > 1; }) ||
      any_of(Loops,
             [](const Loop *L) {
               return getOptionalIntLoopAttribute(L, PeeledCount).has_value();
             }) ||
      !mayClamp(F, LI))
    return false;
  forbidPeeling(F, FAM);
  widenCalled(F, CallDepth);
  return true;
}

bool isPeelingForbidden(Function &F, FunctionAnalysisManager &FAM) {
  return any_of(FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder(),
                [](const Loop *L) { return isMarked(*L); });
}

bool allowPeeling(Function &F, FunctionAnalysisManager &FAM) {
  bool Changed = false;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (isMarked(*L)) {
      L->setLoopID(makePostTransformationMetadata(
          F.getContext(), L->getLoopID(), {PeeledCount}, {}));
      Changed = true;
    }
  return Changed;
}

unsigned peelClampedLoops(Function &F, FunctionAnalysisManager &FAM) {
  return changeInnermostLoops(F, FAM, [&](Loop &L) -> unsigned {
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    if (L.getNumBlocks() != 1 || !canPeel(&L) || mayOverlap(L))
      return 0;
    Grid G(L, SE, FAM.getResult<DominatorTreeAnalysis>(F));
    SmallVector<std::pair<Instruction *, Value *>> Clamps;
    for (Instruction &I : *L.getHeader())
      if (Value *Index = afterFirst(I, L, SE))
        Clamps.push_back({&I, Index});
      else if (auto *S = dyn_cast<SelectInst>(&I))
        if (Value *V = G.exceptAtEnd(*S, false))
          Clamps.push_back({S, V});
    ValueToValueMapTy VM;
    if (Clamps.empty() ||
        !peelLoop(&L, 1, false, &FAM.getResult<LoopAnalysis>(F), &SE,
                  FAM.getResult<DominatorTreeAnalysis>(F),
                  &FAM.getResult<AssumptionAnalysis>(F), true, VM))
      return 0;
    for (auto [Clamp, Index] : Clamps)
      Clamp->replaceAllUsesWith(Index);
    return 1;
  });
}

} // namespace retro
