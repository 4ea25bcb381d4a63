// What the reverse pass of one instruction reads.
#ifndef RETRO_FACTS_ACTIVITY_NEEDS_H
#define RETRO_FACTS_ACTIVITY_NEEDS_H

#include "base/plan.h"
#include "facts/activity/activity.h"
#include "front/known/known_functions.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace retro {

/// The rule of a floating-point instruction or a call of a math function.
std::optional<rules::RuleId> ruleOf(const llvm::Instruction &I);

/// The type of the adjoint that a store over active floats ends.
llvm::Type *storedAdjointType(const ActivityAnalysis &Act,
                              const llvm::StoreInst &S);

/// Plans by function, for the functions planned so far.
using PlanMap = llvm::DenseMap<const UnitFunction *, FunctionPlan *>;

class Needs {
public:
  Needs(const ActivityAnalysis &Act, const PlanMap &Plans)
      : Act(Act), Plans(Plans) {}

  /// Finds which functions of the unit have a reverse pass at all.
  void findWork();
  bool functionHasWork(const UnitFunction &F) const {
    return Working.contains(&F);
  }
  /// Must the reverse pass do something for this instruction?
  bool hasWork(const llvm::Instruction &I) const;
  /// Visits every item that the reverse pass of the instruction reads.
  void forEach(const llvm::Instruction &I,
               llvm::function_ref<void(Item)> Need) const;

private:
  void place(const llvm::Value *Ptr, llvm::function_ref<void(Item)> Need) const;
  void call(const llvm::CallBase &C, llvm::function_ref<void(Item)> Need) const;
  void unitCall(const llvm::CallBase &C, const UnitFunction &G,
                llvm::function_ref<void(Item)> Need) const;
  void sincos(const llvm::CallBase &C, const KnownCall &K,
              llvm::function_ref<void(Item)> Need) const;

  const ActivityAnalysis &Act;
  const PlanMap &Plans;
  llvm::DenseSet<const UnitFunction *> Working;
};

/// The mark that tells whether C threw, if what C has on the tape is not
/// complete then; else null.
const llvm::CallBase *incompleteAt(const Unit &U, const llvm::CallBase &C);

/// Does a memory transfer touch active floats at its destination?
bool transferIsActive(const ActivityAnalysis &Act, const llvm::CallBase &C);

} // namespace retro

#endif
