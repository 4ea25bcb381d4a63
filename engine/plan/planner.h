// Makes the Plan of each function of a unit (reverse mode).
//
// UnitPlan: planner.cpp; plan_combined.cpp (calls that run both passes at
// once), plan_forks.cpp (parallel regions), pool_plan.cpp (the pool of a
// device). Beside it: plan_print.cpp, recomputable.cpp (what may be computed
// again).
#ifndef RETRO_PLAN_PLANNER_H
#define RETRO_PLAN_PLANNER_H

#include "base/assert.h"
#include "facts/activity/needs.h"
#include "facts/threads/races.h"
#include "facts/writes/kept_memory.h"
#include "facts/writes/overwrite.h"

#include <memory>
#include <string>

namespace retro {

class UnitPlan {
public:
  UnitPlan(const ActivityAnalysis &Act)
      : Act(Act), N(Act, Map), Writes(Act.unit(), Act), Races(Act, Writes),
        Kept(Act) {}

  void run();
  /// Emission and estimates read it; the planners alone change it.
  const FunctionPlan &of(const UnitFunction &F) const {
    return *promised(Map, &F, "plan", F.F, "each function has a plan");
  }
  const Needs &needs() const { return N; }
  const KeptMemory &kept() const { return Kept; }
  /// Where the tape of all functions lies, if a pool was wished for.
  const PoolPlan &pool() const { return Pool; }
  /// Why its size is not known before the unit runs, at this instruction.
  const llvm::Instruction *unmeasured() const { return Unmeasured; }
  /// Can the reverse pass compute this value again from its operands?
  bool isStable(const llvm::LoadInst &L) const {
    const FunctionPlan *P = Map.lookup(Act.unit().find(L.getFunction()));
    return P && P->StableLoads.contains(&L);
  }
  /// Do both passes of F run when the reverse pass comes to a call of it?
  bool isCombined(const UnitFunction &F) const { return Combined.contains(&F); }
  /// May the unit write what a pointer parameter points to? If not, two
  /// noalias parameters may be equal, and so may their shadows.
  bool isWritten(const llvm::Argument &A) const {
    return Writes.everWritten(Act.shape().classId(&A));
  }

private:
  friend class Planner;
  friend class PoolPlanner;
  FunctionPlan &inTheMaking(const UnitFunction &F) {
    return *promised(Map, &F, "plan", F.F, "each function has a plan");
  }
  void findCombined();
  bool canBeCombined(UnitFunction &UF) const;
  bool staysCombined(const UnitFunction &UF) const;
  void findCombinedForks();
  std::unique_ptr<FunctionPlan> planFork(UnitFunction &UF);

  const ActivityAnalysis &Act;
  std::vector<std::unique_ptr<FunctionPlan>> Plans;
  PlanMap Map;
  Needs N;
  WriteSummary Writes;
  RaceAnalysis Races;
  KeptMemory Kept;
  llvm::DenseSet<const UnitFunction *> Combined;
  PoolPlan Pool;
  const llvm::Instruction *Unmeasured = nullptr;
};

/// May an instruction be executed again in the reverse pass, given its
/// operands? (Loads: if stable.)
bool isRepeatable(const llvm::Instruction &I, const Unit &U);

/// Decides whether the tape can lie in a pool, and what has to run to know how
/// long it will be.
void planPool(UnitPlan &Plan);

/// The plan as text, for -retro-print-plan.
std::string printPlan(const UnitFunction &UF, const FunctionPlan &P);
std::string printPlan(const Unit &U, const PoolPlan &P);

} // namespace retro

#endif
