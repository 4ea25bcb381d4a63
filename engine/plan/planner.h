// Makes the plan of a unit, and in reverse mode that of each of its functions.
//
// UnitPlan: planner.cpp; plan_unit.cpp (what both modes are told),
// plan_combined.cpp (calls that run both passes at once), plan_forks.cpp
// (parallel regions), pool_plan.cpp (the pool of a device). Beside it:
// plan_print.cpp (the plan as text), recomputable.cpp (what may be computed
// again).
#ifndef RETRO_PLAN_PLANNER_H
#define RETRO_PLAN_PLANNER_H

#include "base/assert.h"
#include "facts/activity/kept_memory.h"
#include "facts/activity/needs.h"
#include "facts/threads/races.h"
#include "facts/writes/overwrite.h"
#include "facts/writes/separate_memory.h"

#include <memory>
#include <string>

namespace retro {

/// A variable that the program's pointers may lead into where the derivative
/// looks for an image.
struct ImagedVariable {
  KnownBegin Begin;
  /// Its image is its shadow. Else no pointer is known to lead to it, and one
  /// that does ends the program.
  bool HasShadow = false;
};

class UnitPlan {
public:
  UnitPlan(const ActivityAnalysis &Act)
      : Act(Act), N(Act, Map), Writes(Act.unit(), Act), Races(Act, Writes),
        Kept(Act) {}

  /// Reverse mode.
  void run();
  /// Forward mode, in which no function has a plan of its own.
  void runForward();
  /// Emission and estimates read it; the planners alone change it.
  const FunctionPlan &of(const UnitFunction &F) const {
    return *promised(Map, &F, "plan", F.F, "each function has a plan");
  }
  const Needs &needs() const { return N; }
  const KeptMemory &kept() const { return Kept; }
  /// Where the tape of all functions lies, if a pool was wished for.
  const PoolPlan &pool() const { return Pool; }
  /// The instruction because of which the tape's size is not known before the
  /// unit runs, or null.
  const llvm::Instruction *unmeasured() const { return Unmeasured; }
  /// Can the reverse pass compute this value again from its operands?
  bool isStable(const llvm::LoadInst &L) const {
    const FunctionPlan *P = Map.lookup(Act.unit().find(L.getFunction()));
    return P && P->StableLoads.contains(&L);
  }
  /// Must calls of F go to a derived function (it handles shadows or adjoints)?
  bool needsDerived(const UnitFunction &F) const {
    return Derived.contains(&F);
  }
  /// Do the passes that run the primal record what is computed from what?
  /// Beside sparse shadows they cannot: no memory is where those point to.
  bool checksActivity() const { return ChecksActivity; }
  /// Does OpenMP's library have the teams that the unit starts? Else it is our
  /// own runtime that has them.
  bool hasOpenMpTeams() const { return OpenMpTeams; }
  /// Which pointers in the shadow of a variable are forgotten when a derivative
  /// begins.
  llvm::ArrayRef<ForgottenPointers>
  forgotten(const llvm::GlobalVariable &G) const {
    auto It = Forgotten.find(&G);
    return It == Forgotten.end() ? llvm::ArrayRef<ForgottenPointers>()
                                 : llvm::ArrayRef(It->second);
  }
  const auto &allForgotten() const { return Forgotten; }
  /// What a derivative finds out when it begins, and ends the program.
  llvm::ArrayRef<SeparateMemory> separate() const { return Separate; }
  /// The variables of which images in memory of the class may be.
  llvm::ArrayRef<ImagedVariable> imagedVariables(unsigned Class) const {
    auto It = Imaged.find(Class);
    return It == Imaged.end() ? llvm::ArrayRef<ImagedVariable>()
                              : llvm::ArrayRef(It->second);
  }
  const auto &allImagedVariables() const { return Imaged; }
  /// Arguments' memory with a shadow of its own, which images must not be of.
  llvm::ArrayRef<KnownBegin> withoutImages() const { return WithoutImages; }
  /// Does I write to where the reverse pass notes places among pointers?
  bool isAmongPointers(const llvm::Instruction &I) const {
    const FunctionPlan *P = Map.lookup(Act.unit().find(I.getFunction()));
    return P && P->AmongPointers.contains(&I);
  }
  /// Do both passes of F run when the reverse pass comes to a call of it?
  bool isCombined(const UnitFunction &F) const { return Combined.contains(&F); }
  /// Does a caller need what F, which is combined, returns?
  bool givesResult(const UnitFunction &F) const;
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
  void planUnit();
  void findDerived();
  bool isDerived(const llvm::Instruction &I) const;
  bool startsOpenMpTeams() const;
  void findForgotten();
  void findImages();
  llvm::SmallVector<ForgottenPointers>
  forgottenIn(const llvm::GlobalVariable &G) const;
  void planFunctions();
  void findShortTapes(FunctionPlan &P) const;
  void findCombined();
  void findAtOnce();
  bool forgetUnfused();
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
  llvm::DenseSet<const UnitFunction *> Derived, Combined;
  /// Calls of combined functions that run where the primal comes to them, and
  /// those for which that did not go, as their loops are not fused.
  llvm::MapVector<const llvm::CallBase *, EarlyAdjoint> AtOnce;
  llvm::DenseSet<const llvm::CallBase *> Unfused;
  bool ChecksActivity = false, OpenMpTeams = false;
  llvm::MapVector<const llvm::GlobalVariable *,
                  llvm::SmallVector<ForgottenPointers>>
      Forgotten;
  std::vector<SeparateMemory> Separate;
  llvm::MapVector<unsigned, std::vector<ImagedVariable>> Imaged;
  std::vector<KnownBegin> WithoutImages;
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
std::string printPlan(const Unit &U, const UnitPlan &P);

} // namespace retro

#endif
