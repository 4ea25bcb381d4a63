// Loops that only sum up: what follows them knows the adjoint of the sum
// without having the sum. The reverse pass can then run an iteration forward
// and backward before it goes on to the next, and nothing of it is kept longer.
#ifndef RETRO_ANALYSES_FUSION_H
#define RETRO_ANALYSES_FUSION_H

#include "analyses/activity.h"
#include "plan.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"

namespace retro {

class LoopFusion {
public:
  LoopFusion(UnitFunction &UF, ActivityAnalysis &Act, const FunctionPlan &P);

  /// May the primal's run of this outermost loop wait for the reverse pass?
  /// Asked: everything that the reverse pass reads, or computes from.
  bool canWait(const llvm::Loop &L, const llvm::SetVector<Item> &Asked);

private:
  bool onlySumsUp(const llvm::Loop &L) const;
  bool onlyReads(const llvm::Loop &L);
  bool resultsAreUnneeded(const llvm::Loop &L,
                          const llvm::SetVector<Item> &Asked) const;
  bool isUnneeded(const llvm::Instruction &I) const;
  bool nothingWritesLater(const llvm::Loop &L);

  UnitFunction &UF;
  ActivityAnalysis &Act;
  const FunctionPlan &P;
  llvm::AAResults &AA;
  llvm::SmallVector<const llvm::LoadInst *> Loads; ///< of the loop
};

} // namespace retro

#endif
