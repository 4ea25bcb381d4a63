// Which loops may be reversed in the primal's own order: those whose iterations
// do not touch each other's active memory, so that the primal might as well run
// them from the last to the first.
#ifndef RETRO_ANALYSES_LOOP_ORDER_H
#define RETRO_ANALYSES_LOOP_ORDER_H

#include "analyses/needs.h"

#include "llvm/Analysis/AliasAnalysis.h"

namespace llvm {
class ScalarEvolution;
class SCEV;
} // namespace llvm

namespace retro {

class LoopOrder {
public:
  LoopOrder(UnitFunction &UF, ActivityAnalysis &Act, const Needs &N);

  /// Is the primal the same function, whatever order its iterations have? Of
  /// innermost loops that end at their latch and whose trips are known.
  bool iterationsCommute(const llvm::Loop &L);
  /// Do iterations that follow each other read the same places, so that their
  /// adjoints add to them?
  bool isStencil(const llvm::Loop &L);

private:
  bool mayMove(const llvm::Loop &L, const llvm::Instruction &I) const;
  bool isSum(const llvm::Loop &L, const llvm::PHINode &P) const;
  bool apart(const llvm::Loop &L, const llvm::Instruction &A,
             const llvm::Instruction &B);
  bool farApart(const llvm::Loop &L, const llvm::SCEV *Distance, int64_t Step,
                uint64_t SizeA, uint64_t SizeB);
  /// Where I lies from the other, if both move by Step in each iteration.
  const llvm::SCEV *distance(const llvm::Loop &L, const llvm::Instruction &I,
                             const llvm::Instruction &From, int64_t &Step);
  uint64_t sizeOf(const llvm::Instruction &I) const;

  UnitFunction &UF;
  ActivityAnalysis &Act;
  const Needs &N;
  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
};

} // namespace retro

#endif
