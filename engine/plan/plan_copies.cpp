// Arrays that are kept as a whole: one copy before a nest, in the place of what
// each of its iterations would keep of them. The minimum cut weighs the two, by
// their bytes. Members of Planner (function_planner.h).
#include "plan/function_planner.h"

using namespace llvm;

namespace retro {

/// The load that I is, if the reverse pass could repeat it from a copy.
const CopiedLoad *Planner::copied(Item I) {
  auto *L = dyn_cast_or_null<LoadInst>(I.V);
  if (!L || I.K != Item::Primal || !may(Toggle::by_array))
    return nullptr;
  if (!Ranges)
    Ranges.emplace(UF, Act.unit(), Overwrite);
  return Ranges->find(*L);
}

/// The copy, and where in it the load's value lies: that follows from the
/// counters of the loops.
void Planner::addFromCopy(const CopiedLoad &L, SmallVectorImpl<Item> &Out) {
  Out.push_back({Item::Copy, L.Of});
  SmallVector<const Value *> Values;
  ArrayRanges::leaves(L.Apart, Values);
  for (auto &[Header, Step] : Ranges->of(*L.Of).Loops) {
    if (!Step)
      continue;
    Values.push_back(UF.loopAt(Header).Counter);
    ArrayRanges::leaves(Step, Values);
  }
  for (const Value *V : Values)
    Out.push_back({Item::Primal, V});
}

/// Writes down which loads the choice reads from copies, and makes each copy as
/// large as its loads need.
void Planner::keepCopies() {
  for (const auto &[I, Operands] : computedAgain()) {
    const CopiedLoad *L = copied(I);
    if (!L || Operands.empty() || Operands.front() != Item{Item::Copy, L->Of})
      continue;
    ArrayRange &R = P.Copies[L->Of];
    if (!R.Nest) {
      R = Ranges->of(*L->Of);
      R.Apart.clear();
    }
    if (!is_contained(R.Apart, L->Apart))
      R.Apart.push_back(L->Apart);
    P.FromCopy[cast<LoadInst>(I.V)] = *L;
  }
  counters().by_array += static_cast<unsigned>(P.FromCopy.size());
}

} // namespace retro
