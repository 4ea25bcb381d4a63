// Loops that only sum up, or put each result in a place of its own: what
// follows them finds the adjoint of the sum without having the sum. The reverse
// pass can then run an iteration forward and backward before it goes on to the
// next, and nothing of it is kept longer.
#ifndef RETRO_FACTS_REVERSAL_FUSION_H
#define RETRO_FACTS_REVERSAL_FUSION_H

#include "base/plan.h"
#include "facts/activity/activity.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"

namespace llvm {
class ScalarEvolution;
}

namespace retro {

/// All values of the loop that Sum of its header goes through on its way to the
/// next iteration, each of them what it was before and something more; empty if
/// it is used for anything else. All have the adjoint of the sum.
llvm::SmallSetVector<const llvm::Instruction *, 8>
summands(const llvm::PHINode &Sum, const llvm::Loop &L);

/// The operands that I adds something to, or takes it from.
llvm::SmallVector<const llvm::Value *, 2> addedTo(const llvm::Instruction &I);

class LoopFusion {
public:
  LoopFusion(UnitFunction &UF, const ActivityAnalysis &Act,
             const FunctionPlan &P);

  using Blocks = llvm::SmallSetVector<const llvm::BasicBlock *, 16>;

  /// What the primal runs after L, in the same iteration of the loop around it.
  Blocks blocksBehind(const llvm::Loop &L) const;
  /// May the primal's run of loop L, which is in no other loop or in fused
  /// ones, wait for the reverse pass? Read: everything that the reverse pass
  /// reads, or computes what it reads from.
  bool canWait(const llvm::Loop &L, const llvm::SetVector<Item> &Read);
  /// May what is behind the loop wait, too, until the loop has run, if the
  /// reverse pass of what is behind needs neither?
  bool canBeAwaited(const llvm::Loop &L, const Blocks &Behind);
  /// Is B in the loop that was asked about last?
  bool isInLoop(const llvm::BasicBlock &B) const {
    return Candidate->contains(&B);
  }
  /// Does neither that loop nor what is behind it write what I, a load in the
  /// loop, reads?
  bool isUnwritten(const llvm::LoadInst &I, const Blocks &Behind) const;

private:
  bool canBeFused(const llvm::Loop &L);
  const llvm::LoadInst *summedUp(const llvm::StoreInst &S) const;
  bool onlySumsUp(const llvm::Loop &L) const;
  bool findAccesses(const llvm::Loop &L);
  bool storesApart(const llvm::Loop &L) const;
  bool areApart(const llvm::Value *A, const llvm::Value *B) const;
  bool isRenewed(const llvm::Value *Ptr, const llvm::Instruction &At,
                 const llvm::Loop &L) const;
  bool resultsAreUnneeded(const llvm::Loop &L,
                          const llvm::SetVector<Item> &Read) const;
  bool isUnneeded(const llvm::Instruction &I) const;
  bool nothingMeetsLater(const llvm::Loop &L) const;
  bool meets(const llvm::Instruction &Later) const;

  UnitFunction &UF;
  const ActivityAnalysis &Act;
  const FunctionPlan &P;
  llvm::AAResults &AA;
  llvm::ScalarEvolution &SE;
  const llvm::Loop *Candidate = nullptr;
  llvm::SmallVector<const llvm::Instruction *> Loads, Stores; ///< of the loop
  /// The loads and stores that only add to memory.
  llvm::SmallPtrSet<const llvm::Instruction *, 8> Sums;
};

} // namespace retro

#endif
