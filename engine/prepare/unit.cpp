// How a unit gets its functions, and how it ends. Every request deletes its
// copies here, or the user's module would keep them.
#include "prepare/unit.h"

#include "base/toggles.h"
#include "front/known/exceptions.h"
#include "front/registered/registrations.h"
#include "front/requests/request.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace retro {

UnitFunction &Unit::add(Function *Clone, Function *Source) {
  Functions.push_back(std::make_unique<UnitFunction>());
  UnitFunction &UF = *Functions.back();
  UF.F = Clone;
  // The clone may lie where a deleted function lay, of which analyses still
  // have results.
  FAM.clear(*Clone, Clone->getName());
  UF.Source = UF.Plain = Source;
  ByFunction[Clone] = &UF;
  return UF;
}

void Unit::replace(UnitFunction &UF, Function *By) {
  FAM.clear(*UF.F, UF.F->getName());
  FAM.clear(*By, By->getName());
  ByFunction.erase(UF.F);
  UF.F->eraseFromParent();
  UF.F = By;
  ByFunction[By] = &UF;
  UF.DT.recalculate(*By); // it knows blocks by their numbers in a function
}

void configure(Unit &U, const Request &Req) {
  U.configure(Req.Width, Req.isSplit(),
              Req.RuntimeActivity || runtimeActivityRequested());
  U.ResultWanted = Req.PrimalReturn;
  U.StrongZero = Req.StrongZero || strongZeroRequested();
  U.Errors = Req.estimatesErrors();
  append_range(U.Separate, Req.sparseArgs());
  append_range(U.Separate, Req.Apart);
  U.Bounded = Req.Bounded;
  for (unsigned N = 0; N < Req.Args.size(); ++N)
    if (Req.Args[N].Act == Activity::Const)
      U.Fixed.push_back(N);
}

void discardUnit(Unit &U) {
  for (auto &UF : U.Functions) {
    U.FAM.clear(*UF->F, UF->F->getName());
    UF->F->dropAllReferences();
  }
  for (auto &UF : U.Functions)
    UF->F->eraseFromParent();
  U.Functions.clear();
  // Functions that run without a derivative are left in the module.
  for (auto [F, Original] : U.Hoisted)
    if (F->use_empty()) {
      U.FAM.clear(*F, F->getName());
      F->eraseFromParent();
    }
  U.Hoisted.clear();
  for (PreaccumulatedLoop &L : U.Preaccumulated) {
    U.Registered.remove(L.Primal);
    L.Primal->removeFnAttr(RegisteredAttribute);
    stripDebugInfo(*L.Primal);
    for (Function *F : {L.Primal, L.Augmented, L.Reverse})
      if (F->use_empty()) {
        U.FAM.clear(*F, F->getName());
        F->eraseFromParent();
      }
  }
  U.Preaccumulated.clear();
  for (Function &F : make_early_inc_range(U.M))
    if (F.use_empty() && isExceptionMark(F.getName()))
      F.eraseFromParent();
}

} // namespace retro
