// How the Plan of one function is made (planner.h).
//
// Members: planner.cpp; plan_cache.cpp (what is kept, and where),
// plan_copies.cpp (arrays of which copies are kept), plan_fusion.cpp,
// plan_order.cpp (loops in order).
#ifndef RETRO_PLAN_FUNCTION_PLANNER_H
#define RETRO_PLAN_FUNCTION_PLANNER_H

#include "base/toggles.h"
#include "facts/loops/array_ranges.h"
#include "facts/reversal/fusion.h"
#include "front/requests/traits.h"
#include "plan/inversion.h"
#include "plan/loop_levels.h"
#include "plan/planner.h"

#include "llvm/ADT/SetVector.h"

namespace retro {

class Planner {
public:
  Planner(UnitPlan &UP, UnitFunction &UF, FunctionPlan &P,
          const WriteSummary &Writes)
      : UP(UP), Act(UP.Act), UF(UF), P(P), Modes(traitsOf(Act.unit())),
        Overwrite(UF, Act, Writes, Act.unit().FAM),
        Levels(UF, Act.unit(), Overwrite) {}

  void run();

private:
  bool may(Toggle T) const { return applies(T, Modes); }
  /// Are both passes in one function?
  bool isWhole() const { return UF.Root || P.Combined; }
  bool findExit();
  void planBlocks();
  Reversal reversalOf(const llvm::BasicBlock &B);
  bool regionIsIdle(const llvm::BasicBlock &B, const llvm::BasicBlock *Top);
  void enterLoops(const llvm::BasicBlock &From, const llvm::BasicBlock &To);
  void collectNeeds();
  bool readsRow(const llvm::Loop &L);
  void findLoopOrder();
  void keepLoopOrder();
  void chooseKept();
  bool findFused();
  void fuse(llvm::ArrayRef<llvm::Loop *> Siblings, LoopFusion &Fusion);
  bool gainsFromFusion(const llvm::Loop &L) const;
  bool canBeAwaited(const llvm::Loop &L, LoopFusion &Fusion);
  bool isEarly(Item I, LoopFusion &Fusion, const LoopFusion::Blocks &Behind,
               llvm::DenseSet<Item> &Seen);
  bool isLate(Item I) const;
  void chooseAnew();
  void keepArrays();
  void findSeen();
  const CopiedLoad *copied(Item I);
  void addFromCopy(const CopiedLoad &L, llvm::SmallVectorImpl<Item> &Out);
  void keepCopies();
  void keepStableLoads();
  void need(Item I);
  bool isFree(Item I) const;
  bool operandsOf(Item I, llvm::SmallVectorImpl<Item> &Out);
  void cut();
  std::vector<unsigned>
  cut(const llvm::DenseMap<Item, unsigned> &Number,
      llvm::function_ref<bool(llvm::ArrayRef<const llvm::Loop *>)> IsCounted);
  std::vector<unsigned> leastWork(const llvm::DenseMap<Item, unsigned> &Number);
  void close(llvm::SmallVectorImpl<Item> &Work);
  bool isRerun(const llvm::PHINode &Phi) const;
  const Inversion *inversionOf(Item I);
  uint64_t weight(Item I);
  uint64_t cost(Item I);
  llvm::ArrayRef<const llvm::Loop *> levelsOf(Item I);
  llvm::Type *typeOf(Item I) const;
  void place(Item I);
  const llvm::Loop *nestOf(llvm::ArrayRef<const llvm::Loop *> In);
  llvm::SmallVector<std::pair<Item, llvm::SmallVector<Item>>> computedAgain();
  void keepWitnesses();
  void interleave();
  void findFixed();
  void placeFrame();
  const llvm::BasicBlock *storedFrom(const Item &I) const;
  const llvm::Instruction *lastTape(const llvm::BasicBlock &At) const;
  void findArguments();

  UnitPlan &UP;
  const ActivityAnalysis &Act;
  UnitFunction &UF;
  FunctionPlan &P;
  const Traits Modes;
  OverwriteAnalysis Overwrite;
  LoopLevels Levels;
  std::optional<ArrayRanges> Ranges; ///< when they are asked for
  llvm::DenseSet<const llvm::BasicBlock *> Reversible, Working;
  llvm::DenseMap<const llvm::PHINode *, std::optional<Inversion>> Inversions;
  llvm::SetVector<Item> Needed;
  /// All items from which the needed items can be computed: what is kept is
  /// chosen among these.
  llvm::SetVector<Item> Closure;
  /// Does the reverse pass read arrays of library calls that late stores
  /// overwrite? These stores have to wait then.
  bool ArraysWait = false;
  /// Blocks that follow awaited loops: they are reversed before they are run.
  llvm::DenseSet<const llvm::BasicBlock *> Late;
  /// The weight of what must not be kept: more than all other weights together.
  static constexpr uint64_t TooLate = uint64_t(1) << 48;
};

} // namespace retro

#endif
