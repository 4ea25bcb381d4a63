// In which order the reverse pass runs the iterations of loops, and what it
// computes again from one to the next. Loops whose iterations need nothing of
// each other run in their own order, in which LLVM finds vectors and memory
// comes in rows. Members of Planner (function_planner.h).
#include "facts/reversal/loop_order.h"
#include "plan/function_planner.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace retro {

/// A recurrence that the reverse pass can compute step by step.
bool Planner::isRerun(const PHINode &Phi) const {
  return P.InOrder.contains(Phi.getParent()) && !Act.active(&Phi) &&
         !P.Fused.contains(Phi.getParent());
}

/// Does the loop go up along an array of which a copy may be kept? Vectors of
/// that order need not be reversed.
bool Planner::readsRow(const Loop &L) {
  return any_of(*L.getHeader(), [&](const Instruction &I) {
    const CopiedLoad *Of = copied({Item::Primal, &I});
    if (!Of)
      return false;
    const ArrayRange &R = Ranges->of(*Of->Of);
    auto *Step = dyn_cast_or_null<SCEVConstant>(R.Loops.back().second);
    return Step && Step->getAPInt() == R.Size;
  });
}

/// The loops that may run in the primal's order, and gain from it: they need a
/// recurrence, are stencils, or read arrays that are kept as a whole.
void Planner::findLoopOrder() {
  P.InOrder.insert_range(P.Fused);
  if (!may(Toggle::loop_order))
    return;
  LoopOrder Order(UF, Act, UP.N);
  SmallPtrSet<const BasicBlock *, 8> Onward;
  for (const Loop *L : UF.LI.getLoopsInPreorder()) {
    const BasicBlock *H = L->getHeader();
    // Does the loop read a row, or a loop in it? What LLVM asks before a loop
    // of vectors it asks once before the loop around, if that goes up, too.
    const bool Rows = readsRow(*L) || any_of(L->getSubLoops(), [&](auto *X) {
                        return readsRow(*X);
                      });
    if (!(L->isInnermost() || Rows) || !P.ReversedLoops.contains(H) ||
        !Working.contains(L->getLoopLatch()) ||
        any_of(P.Settled, [&](auto *I) { return L->contains(I); }) ||
        !Order.iterationsCommute(*L))
      continue;
    P.InOrder.insert(H);
    if (Rows ||
        (may(Toggle::stencil) && L->isInnermost() && Order.isStencil(*L)))
      Onward.insert(H);
  }
  SmallVector<Item> Work(Needed.begin(), Needed.end());
  close(Work);
  P.InOrder.remove_if([&](const BasicBlock *H) {
    return !Onward.contains(H) && !P.Fused.contains(H) &&
           none_of(H->phis(), [&](const PHINode &X) {
             return Closure.contains({Item::Primal, &X});
           });
  });
  Closure.clear();
}

/// How the reverse pass finds, from the loop's end on, what the loop carries;
/// null if it cannot. A loop whose iterations may be left out cannot do its
/// part in that.
const Inversion *Planner::inversionOf(Item I) {
  auto *Phi = dyn_cast_or_null<PHINode>(I.V);
  if (!may(Toggle::inversion) || !Phi ||
      !(I.K == Item::Primal ||
        (I.K == Item::Shadow && Phi->getType()->isPointerTy())) ||
      !P.ReversedLoops.contains(Phi->getParent()) ||
      P.InOrder.contains(Phi->getParent()))
    return nullptr;
  auto [It, New] = Inversions.try_emplace(Phi);
  if (New)
    It->second = findInversion(*Phi, UF, *UF.LI.getLoopFor(Phi->getParent()),
                               Act.unit());
  return It->second ? &*It->second : nullptr;
}

/// Which recurrences the cut leaves to be run again, or backwards. A loop
/// without any that reads a tape is reversed from its end: what was written
/// last is in the cache.
void Planner::keepLoopOrder() {
  DenseSet<Item> Seen;
  SmallVector<Item> Work(Needed.begin(), Needed.end());
  while (!Work.empty()) {
    Item I = Work.pop_back_val();
    if (P.Cached.count(I) || isFree(I) || !Seen.insert(I).second)
      continue;
    if (const Inversion *Back = inversionOf(I))
      P.Inverted[I] = *Back;
    else if (auto *Phi = dyn_cast<PHINode>(I.V); Phi && I.K == Item::Primal)
      P.Rerun.insert(Phi);
    SmallVector<Item> Ops;
    if (operandsOf(I, Ops))
      Work.append(Ops.begin(), Ops.end());
  }
  P.InOrder.remove_if([&](const BasicBlock *H) {
    return !P.Fused.contains(H) &&
           none_of(P.Rerun, [&](auto *X) { return X->getParent() == H; }) &&
           any_of(P.Tapes, [&](auto &Tape) {
             return any_of(Tape.second.Fields,
                           [&](auto &F) { return is_contained(F.Nest, H); });
           });
  });
  counters().loop_order += static_cast<unsigned>(P.InOrder.size());
  counters().inversion += static_cast<unsigned>(P.Inverted.size());
}

/// Recurrences are stepped behind their loop's condition, out of which LLVM
/// moves no load of the tape.
void Planner::findFixed() {
  for (const PHINode *First : P.Rerun) {
    const Loop *L = UF.LI.getLoopFor(First->getParent());
    auto [At, New] = P.Fixed.try_emplace(L->getHeader());
    if (!New)
      continue;
    SmallSetVector<const Instruction *, 8> Seen;
    auto Visit = [&](const Value *V) {
      if (auto *I = dyn_cast<Instruction>(V); I && !isa<AllocaInst>(I))
        Seen.insert(I);
    };
    for (const PHINode *Phi : P.Rerun)
      if (Phi->getParent() == L->getHeader())
        Visit(Phi->getIncomingValueForBlock(L->getLoopLatch()));
    for (size_t N = 0; N < Seen.size(); ++N) {
      const Instruction *X = Seen[N];
      const Item I{Item::Primal, X};
      auto *Phi = dyn_cast<PHINode>(X);
      if ((Phi && P.Rerun.contains(Phi)) || P.Inverted.count(I))
        continue;
      if (!L->contains(X))
        At->second.push_back(I);
      else if (!Phi && !P.Cached.count(I) && !copied(I))
        for_each(X->operands(), Visit);
    }
  }
}

} // namespace retro
