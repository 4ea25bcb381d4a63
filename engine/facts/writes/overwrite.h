// Can a load be repeated in the reverse pass, or may its memory have changed?
#ifndef RETRO_FACTS_WRITES_OVERWRITE_H
#define RETRO_FACTS_WRITES_OVERWRITE_H

#include "facts/activity/activity.h"
#include "facts/writes/late_stores.h"
#include "facts/writes/later_places.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/Analysis/AliasAnalysis.h"

namespace retro {

/// Facts about writes in the whole unit.
class WriteSummary {
public:
  WriteSummary(Unit &U, const ActivityAnalysis &Act);

  /// Memory classes that a function of the unit may write, with its callees.
  const llvm::DenseSet<unsigned> &writtenBy(const UnitFunction &F) const {
    return promised(Written, &F, "plan", F.F, "the writes of each function");
  }
  /// Does anything in the unit write this class?
  bool everWritten(unsigned Class) const { return All.contains(Class); }
  /// Does it write this class, or one that may be the same memory?
  bool mayChange(unsigned Class, const MemoryShape &Shape) const;
  /// May the unit's own code write it, no matter who calls the unit?
  bool unitMayChange(unsigned Class, const MemoryShape &Shape) const;
  /// Classes that one instruction writes directly; Unknown: anything visible.
  static void directWrites(llvm::Instruction &I, const ActivityAnalysis &Act,
                           llvm::SmallVectorImpl<unsigned> &Classes,
                           bool &Unknown);

private:
  void addToCallers(
      const Unit &U,
      const llvm::DenseMap<UnitFunction *,
                           llvm::SmallSetVector<UnitFunction *, 4>> &Callers);
  void addCallersWrites(Unit &U, const MemoryShape &Shape);

  llvm::DenseMap<const UnitFunction *, llvm::DenseSet<unsigned>> Written;
  llvm::DenseSet<unsigned> All;
  llvm::DenseSet<unsigned> OfUnit; ///< without what callers write between
};

/// Is what lies at a place still the same when the reverse pass reads it?
struct Stability {
  bool Stable = false;
  /// Only if the late stores wait until the reverse pass is through. Whoever
  /// relies on the answer has to plan that (FunctionPlan::LateStores).
  bool IfLateStoresWait = false;
};

/// Answers for the loads of one function.
class OverwriteAnalysis {
public:
  OverwriteAnalysis(UnitFunction &UF, const ActivityAnalysis &Act,
                    const WriteSummary &Writes,
                    llvm::FunctionAnalysisManager &FAM);

  /// Does the load give the same value when the reverse pass repeats it?
  Stability stabilityOf(const llvm::LoadInst &L);
  /// Is what lies at Ptr the same when the reverse pass comes to At?
  Stability stabilityAt(const llvm::Instruction &At, const llvm::Value *Ptr);
  /// Is the place of a maximum or minimum then as all operations of its kind
  /// left it?
  bool isStable(const llvm::AtomicRMWInst &Choice);
  /// Does no thread that runs the unit ever write what the load may read? Then
  /// it gives the same before the unit runs.
  bool isInput(const llvm::LoadInst &L);
  /// Does nothing in L write what the load reads in any of its iterations?
  bool isUnchangedIn(const llvm::LoadInst &I, const llvm::Loop &L);
  /// Stores that can be made when the reverse pass is through. They lie in no
  /// loop.
  const llvm::SetVector<const llvm::StoreInst *> &lateStores() const {
    return Late;
  }

private:
  /// A look at memory; T: one value of that type, or null: all that follows.
  struct Look {
    const llvm::Instruction *At;
    const llvm::Value *Ptr;
    llvm::Type *T;
    llvm::MemoryLocation Location;
  };
  struct Writer {
    llvm::Instruction *I;
    llvm::SmallVector<unsigned, 2> Classes;
    bool Unknown;
  };
  /// What follows a look: in the order of iterations, or in any.
  enum class Order { OfIterations, Any };
  Stability compute(const llvm::LoadInst &L, Order By);
  bool computeUnchanged(const llvm::LoadInst &I, const llvm::Loop &L);
  Look lookOf(const llvm::LoadInst &L) const;
  Stability stabilityOf(const Look &L, Order By);
  bool mayFollow(const llvm::Instruction *First,
                 const llvm::Instruction *Second) const;
  bool mayWrite(const Writer &W, const Look &L);
  bool goesElsewhere(const Writer &W, const Look &L);
  LaterPlaces &laterPlaces();
  bool isOwn(const llvm::Value *Ptr) const;

  UnitFunction &UF;
  const ActivityAnalysis &Act;
  const WriteSummary &Writes;
  llvm::FunctionAnalysisManager &FAM;
  std::optional<LaterPlaces> Later; ///< since it was first asked
  llvm::AAResults &AA;
  llvm::BatchAAResults BatchAA;
  std::vector<Writer> Writers;
  llvm::SetVector<const llvm::StoreInst *> Late;
  bool OtherThreadsFollow = false; ///< what they write comes after a barrier
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> BlockNumber;
  std::vector<llvm::BitVector> Reach; ///< by at least one edge
  llvm::DenseMap<const llvm::LoadInst *, Stability> Known;
  llvm::DenseMap<std::pair<const llvm::LoadInst *, const llvm::Loop *>, bool>
      Unchanged;
};

/// F's parameters from which nothing but inputs are loaded.
llvm::BitVector inputsOf(llvm::Function &F, OverwriteAnalysis &Overwrite);

} // namespace retro

#endif
