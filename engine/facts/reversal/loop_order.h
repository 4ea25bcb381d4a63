// Which loops may be reversed in the primal's own order: those whose iterations
// do not touch each other's active memory, so that the primal might as well run
// them from the last to the first.
#ifndef RETRO_FACTS_REVERSAL_LOOP_ORDER_H
#define RETRO_FACTS_REVERSAL_LOOP_ORDER_H

#include "facts/activity/needs.h"
#include "facts/loops/iteration_places.h"

namespace retro {

class LoopOrder {
public:
  LoopOrder(UnitFunction &UF, const ActivityAnalysis &Act, const Needs &N);

  /// Is the primal the same function, whatever order its iterations have? Of
  /// loops that end at their latch and whose trips are known; what lies in
  /// other loops within goes in its own order.
  bool iterationsCommute(const llvm::Loop &L);
  /// Do iterations that follow each other read the same places, so that their
  /// adjoints add to them?
  bool isStencil(const llvm::Loop &L);

private:
  bool mayMove(const llvm::Loop &L, const llvm::Instruction &I) const;
  bool isSum(const llvm::Loop &L, const llvm::PHINode &P) const;

  UnitFunction &UF;
  const ActivityAnalysis &Act;
  const Needs &N;
  IterationPlaces Places;
};

} // namespace retro

#endif
