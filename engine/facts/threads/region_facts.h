// What holds in a parallel region, seen from where it is forked: which memory
// no thread of the team writes, and what some thread runs in any case.
#ifndef RETRO_FACTS_THREADS_REGION_FACTS_H
#define RETRO_FACTS_THREADS_REGION_FACTS_H

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace retro {

class RegionFacts {
public:
  /// Region: the body of the team that Fork starts.
  RegionFacts(llvm::CallBase &Fork, llvm::Function &Region,
              llvm::FunctionAnalysisManager &FAM);

  /// What the region is given stands for: a value of the caller, or null.
  /// Known: values of the region that have one for another reason.
  llvm::Value *outside(const llvm::Value *V) const;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Known;

  /// May a thread of the team write what Read names, or another thread while
  /// the region runs? The address is that of an object, of unknown extent.
  bool isWritten(const llvm::MemoryLocation &Read) const;

  /// Does a thread of the team run B, if the team gets as far as start()?
  bool isRunByTeam(const llvm::BasicBlock &B) const;
  /// Where the region begins to do anything: Guard (may be null) decides at
  /// the entry whether it does.
  const llvm::BasicBlock *start() const { return Start; }
  const llvm::BranchInst *guard() const { return Guard; }

  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;

private:
  void collect();
  void findGuard();
  const llvm::Value *placeOutside(const llvm::Value *Object) const;
  bool areApart(const llvm::Value *P, const llvm::Value *Q) const;
  bool writes(const llvm::Instruction &I, const llvm::MemoryLocation &Read,
              llvm::BatchAAResults &Any) const;
  bool isUnknownToOthers(const llvm::Value *Object) const;
  bool isNonEmpty(const llvm::CallBase &Init) const;
  bool followsShare(const llvm::Value *Condition) const;
  bool endsWithShare(const llvm::Loop &L) const;

  llvm::CallBase &Fork;
  llvm::Function &Region;
  llvm::AAResults &AA, &OuterAA;
  llvm::PostDominatorTree &PDT;
  llvm::ScalarEvolution &SE;
  const llvm::BasicBlock *Start = nullptr;
  const llvm::BranchInst *Guard = nullptr;
  llvm::SmallVector<const llvm::Instruction *> Writers;
  llvm::SmallVector<const llvm::CallBase *> Shares; ///< that begin a sharing
  llvm::SmallPtrSet<const llvm::Value *, 8> Bounds; ///< places of the shares'
  bool Synchronizes = false; ///< with others than the team
  bool MayStop = false;      ///< a call may not return
};

} // namespace retro

#endif
