// The line from a request to its derivative: unit, facts, plan, code.
#ifndef RETRO_PLUGIN_DERIVATION_H
#define RETRO_PLUGIN_DERIVATION_H

#include "emit/common/derivative.h"
#include "front/requests/traits.h"
#include "plugin/goal.h"
#include "ranges/argument_ranges.h"

#include <map>

namespace retro {

class ActivityAnalysis;
class UnitPlan;

/// Makes the derivatives of a module, one for all requests that want the same.
class Deriver {
public:
  Deriver(llvm::Module &M, llvm::ModuleAnalysisManager &MAM,
          llvm::FunctionAnalysisManager &FAM, Registrations &Registered)
      : M(M), MAM(MAM), FAM(FAM), Registered(Registered) {}

  /// Says what all that is derived in the module has in common.
  void setCommon(Traits T) { Common = T; }
  /// Again: the derivative will be differentiated itself. Nothing after an
  /// error, and where a second version would not pay.
  Derivative derive(const Request &Req, bool Again, Reporter &R);
  /// Checks the state of a step that contains a checkpointed loop, while all of
  /// its code can still be seen.
  void checkState(const Request &Req, Reporter &R);

private:
  /// What a second version of a gradient, for arguments that do not overlap,
  /// needs to know of the first one.
  struct SecondVersion {
    ApartQuestion Question; ///< which version may run?
    uint64_t Weight = 0;    ///< of the first version's tape
  };

  bool isForOneSite(const Request &Req) const;
  void configureUnit(Unit &U, const Request &Req, const Goal &G) const;
  void prepare(Unit &U, const Request &Req, Reporter &R);
  Derivative emit(const Request &Req, Unit &U,
                  std::vector<llvm::Function *> &New, SecondVersion &Second,
                  Reporter &R) const;
  Derivative emitAs(const Request &Req, const ActivityAnalysis &Act,
                    const UnitPlan &Plan, std::vector<llvm::Function *> &New,
                    Reporter &R) const;
  bool isValid(const std::vector<llvm::Function *> &New, Reporter &R) const;
  void optimize(std::vector<llvm::Function *> &New, Traits Modes, bool Grids,
                Derivative &D);
  /// The traits of all that is derived in the module, and of what U is derived
  /// for.
  Traits traits(const Unit &U) const { return Common | traitsOf(U); }
  bool hasVersions(const Request &Req, const Unit &U) const;
  void addVersion(const Request &Req, bool Again, const SecondVersion &Second,
                  Derivative &D);

  llvm::Module &M;
  llvm::ModuleAnalysisManager &MAM;
  llvm::FunctionAnalysisManager &FAM;
  Registrations &Registered;
  Traits Common;
  std::map<Goal, Derivative> Derivatives;
};

} // namespace retro

#endif
