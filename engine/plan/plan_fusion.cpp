// Which loops the reverse pass runs forward and backward by iterations
// (facts/reversal/fusion.h), and what is kept when that is known. Without it
// such loops would keep a tape of all iterations. Members of Planner
// (function_planner.h).
#include "plan/function_planner.h"

using namespace llvm;

namespace retro {

namespace {

const BasicBlock *blockOf(Item I) {
  auto *V = dyn_cast<Instruction>(I.V);
  return V ? V->getParent() : dyn_cast<BasicBlock>(I.V);
}

} // namespace

/// Is there anything of the loop that the reverse pass would keep, or compute
/// again?
bool Planner::gainsFromFusion(const Loop &L) const {
  if (any_of(P.AtOnce, [&](auto &X) { return L.contains(X.first); }))
    return true;
  return any_of(Closure, [&](Item I) {
    auto *V = dyn_cast<Instruction>(I.V);
    return V && I.K == Item::Primal && L.contains(V) &&
           V->getType()->isFPOrFPVectorTy() && !isa<PHINode, LoadInst>(V);
  });
}

/// Can the reverse pass have I before the loop, and what is behind it, have
/// run?
bool Planner::isEarly(Item I, LoopFusion &Fusion,
                      const LoopFusion::Blocks &Behind, DenseSet<Item> &Seen) {
  const BasicBlock *At = blockOf(I);
  if (!At || isFree(I) || !Seen.insert(I).second)
    return true;
  if (!Behind.contains(At))
    return !Fusion.isInLoop(*At);
  auto *Load = dyn_cast<LoadInst>(I.V);
  SmallVector<Item> Ops;
  return (!Load || Fusion.isUnwritten(*Load, Behind)) && operandsOf(I, Ops) &&
         all_of(Ops, [&](Item O) { return isEarly(O, Fusion, Behind, Seen); });
}

/// May what follows the loop be reversed before it runs?
bool Planner::canBeAwaited(const Loop &L, LoopFusion &Fusion) {
  const LoopFusion::Blocks Behind = Fusion.blocksBehind(L);
  if (any_of(Behind, [&](auto *X) { return P.Fused.contains(X); }) ||
      !Fusion.canBeAwaited(L, Behind))
    return false;
  DenseSet<Item> Seen;
  bool Early = true;
  auto Ask = [&](Item I) { Early = Early && isEarly(I, Fusion, Behind, Seen); };
  for (const BasicBlock *X : Behind) {
    auto It = P.Blocks.find(X);
    if (It == P.Blocks.end())
      continue;
    const Reversal &V = It->second;
    if (V.K == Reversal::Choose)
      Ask({Item::Branch, X});
    if (V.K == Reversal::Single || V.K == Reversal::Choose)
      for (const BasicBlock *To : V.To)
        for (const Loop *O = UF.LI.getLoopFor(To); O && !O->contains(X);
             O = O->getParentLoop()) {
          Early = Early && UF.loopAt(O->getHeader()).Trips;
          if (Early)
            Ask({Item::Primal, UF.loopAt(O->getHeader()).Trips});
        }
    if (Working.contains(X))
      for (const Instruction &I : *X)
        if (UP.N.hasWork(I))
          UP.N.forEach(I, Ask);
  }
  if (Early)
    Late.insert_range(Behind);
  return Early;
}

/// Is it of what follows an awaited loop? The reverse pass can't read there
/// what the forward pass has not kept yet.
bool Planner::isLate(Item I) const { return Late.contains(blockOf(I)); }

/// Of loops that stand side by side, and of those within them. An outer loop
/// is fused before an inner one: what an iteration keeps is in variables.
void Planner::fuse(ArrayRef<Loop *> Siblings, LoopFusion &Fusion) {
  for (const Loop *L : Siblings) {
    const BasicBlock *H = L->getHeader();
    if (Late.contains(H) || !gainsFromFusion(*L))
      continue;
    if (!Fusion.canWait(*L, Closure)) {
      if (!may(Toggle::min_cut) || !canBeAwaited(*L, Fusion))
        continue;
      P.Awaited.insert(H);
    }
    P.Fused.insert(H);
    fuse(L->getSubLoops(), Fusion);
  }
}

/// Finds the loops to fuse. Only a function with both passes can run an
/// iteration forward and backward at once.
bool Planner::findFused() {
  if (!may(Toggle::fusion) || !isWhole())
    return false;
  SmallVector<Item> Work(Needed.begin(), Needed.end());
  Closure.clear();
  close(Work);
  LoopFusion Fusion(UF, Act, P);
  fuse(UF.LI.getTopLevelLoops(), Fusion);
  Closure.clear();
  return !P.Fused.empty();
}

void Planner::chooseAnew() {
  P.Cached.clear();
  P.Tapes.clear();
  P.Frame.clear();
  P.InOrder.clear();
  P.Rerun.clear();
  P.Inverted.clear();
  findLoopOrder();
  cut();
  keepLoopOrder();
}

/// What is kept, and how the reverse pass runs loops: once to know what it
/// would ask for, and again with fused loops.
void Planner::chooseKept() {
  const ToggleCounters Before = counters();
  chooseAnew();
  if (!findFused())
    return;
  counters() = Before;
  chooseAnew();
  if (any_of(P.Cached, [&](auto &X) { return isLate(X.first); })) {
    Late.clear();
    P.Fused.clear();
    P.Awaited.clear();
    counters() = Before;
    chooseAnew();
  }
  counters().fusion += static_cast<unsigned>(P.Fused.size());
}

} // namespace retro
