// Loops that only sum up, or put each result in a place of its own: what
// follows them finds the adjoint of the sum without having the sum. The reverse
// pass can then run an iteration forward and backward before it goes on to the
// next, and nothing of it is kept longer.
#ifndef RETRO_ANALYSES_FUSION_H
#define RETRO_ANALYSES_FUSION_H

#include "analyses/activity.h"
#include "plan.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"

namespace llvm {
class ScalarEvolution;
}

namespace retro {

class LoopFusion {
public:
  LoopFusion(UnitFunction &UF, ActivityAnalysis &Act, const FunctionPlan &P);

  /// May the primal's run of this outermost loop wait for the reverse pass?
  /// Asked: everything that the reverse pass reads, or computes from.
  bool canWait(const llvm::Loop &L, const llvm::SetVector<Item> &Asked);

private:
  bool onlySumsUp(const llvm::Loop &L) const;
  bool findAccesses(const llvm::Loop &L);
  bool storesApart(const llvm::Loop &L) const;
  bool areApart(const llvm::Value *A, const llvm::Value *B) const;
  bool isRenewed(const llvm::Value *Ptr, const llvm::Instruction &At,
                 const llvm::Loop &L) const;
  bool resultsAreUnneeded(const llvm::Loop &L,
                          const llvm::SetVector<Item> &Asked) const;
  bool isUnneeded(const llvm::Instruction &I) const;
  bool nothingMeetsLater(const llvm::Loop &L) const;
  bool meets(const llvm::Instruction &Later) const;

  UnitFunction &UF;
  ActivityAnalysis &Act;
  const FunctionPlan &P;
  llvm::AAResults &AA;
  llvm::ScalarEvolution &SE;
  llvm::SmallVector<const llvm::Instruction *> Loads, Stores; ///< of the loop
};

} // namespace retro

#endif
