// The unit in the making: its functions come one by one, each goes through the
// stages of prepare/stages.cpp, and what it calls joins the unit. Members:
// prepare.cpp; stages.cpp (the list of stages), cloning.cpp (the copy of a
// function), prepared_clones.cpp (copies of one function).
#ifndef RETRO_PREPARE_PREPARER_H
#define RETRO_PREPARE_PREPARER_H

#include "base/diagnostics.h"
#include "base/toggles.h"
#include "base/unit.h"
#include "front/requests/traits.h"
#include "prepare/virtual_tables.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <map>

namespace retro {

class Preparer {
public:
  Preparer(Unit &U, Reporter &R)
      : U(U), R(R), Modes(traitsOf(U)), Tables(U.M) {}
  void run(llvm::Function &Target);
  bool may(Toggle T) const { return applies(T, Modes); }

  llvm::Function *cloneOf(llvm::Function &Source);
  void handlersOf(llvm::Function &F);
  void lowerIndirectBranches(llvm::Function &F, llvm::Function &Source,
                             const llvm::ValueToValueMapTy &VM);
  void lowerByValue(llvm::Function &F);
  void process(UnitFunction &UF); ///< one function
  void finish();                  ///< the unit, when all of it is there
  bool copyPrepared(UnitFunction &UF);
  void keepPrepared(const UnitFunction &UF);
  void dropPrepared();
  bool canKeepGrids() const;
  bool keepsGrids(UnitFunction &UF);
  void cut(UnitFunction &UF);
  llvm::SmallVector<std::pair<llvm::CallBase *, llvm::Function *>>
  inlinableCalls(UnitFunction &UF, bool Models);
  void nameVariadic(llvm::Function &F);
  llvm::Function *namedFor(llvm::Function &G, const llvm::CallBase &Call);
  void completeTasks(llvm::Function &F);
  bool hasInlinableModels(UnitFunction &UF);
  bool inlineCalls(UnitFunction &UF, bool Models);
  bool mayBeOfUnit(llvm::Function &F);
  bool promoteIndirectCalls(llvm::Function &F);
  bool hoistFromRegions(UnitFunction &UF);
  void retargetCalls(UnitFunction &UF);
  UnitFunction &instanceFor(UnitFunction &Caller, llvm::Function &Callee,
                            const llvm::CallBase &Call);
  bool isRecursive(llvm::Function &F);
  bool reaches(llvm::Function &From, llvm::Function &To);
  bool isCalledOften(llvm::Function &F);
  const llvm::SmallVectorImpl<llvm::Function *> &calleesOf(llvm::Function &F);
  llvm::SmallVector<llvm::Function *> targetsOf(const llvm::CallBase &Call);

  Unit &U;
  Reporter &R;
  const Traits Modes;
  llvm::DenseMap<llvm::Function *, bool> Recursive;
  const VirtualTables Tables;
  llvm::SmallPtrSet<const llvm::Function *, 8> Elsewhere; ///< (thread_states.h)
  llvm::DenseMap<llvm::Function *, llvm::SmallVector<llvm::Function *>> Callees;
  /// In how many places the functions that the target reaches call a function.
  llvm::DenseMap<llvm::Function *, unsigned> CallSites;
  llvm::DenseMap<llvm::Function *, UnitFunction *> Shared;
  llvm::SmallPtrSet<llvm::Function *, 8> Parts; ///< of large functions
  /// Functions with '...', by the types of a call's arguments (variadic.h).
  std::map<std::pair<llvm::Function *, llvm::SmallVector<llvm::Type *>>,
           llvm::Function *>
      Named;
  llvm::DenseMap<llvm::Function *, llvm::Function *> Tasks; ///< (tasks.h)
  /// The first clone of each function when it had been prepared, before its
  /// calls went to other clones.
  llvm::MapVector<llvm::Function *, llvm::Function *> PreparedClones;
  /// Clones of recursive functions, by how a call enters them.
  std::map<llvm::SmallVector<const llvm::Value *>,
           std::shared_ptr<llvm::DenseMap<llvm::Function *, llvm::Function *>>>
      Entries;
};

} // namespace retro

#endif
