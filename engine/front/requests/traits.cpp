// Input: a module, a request or a unit. Output: the traits of the derivative
// that it tells. An optimization that is told the wrong trait runs where it
// must not.
#include "front/requests/traits.h"

#include "base/unit.h"
#include "front/known/known_functions.h"
#include "front/requests/request.h"

using namespace llvm;

namespace retro {

Traits traitsOf(const Module &M) {
  return Traits()
      .set(Trait::Gpu, isGpu(M))
      .set(Trait::RuntimeActivity, runtimeActivityRequested())
      .set(Trait::CheckPlan, checkPlanRequested());
}

Traits traitsOf(const Request &Req) {
  return Traits()
      .set(Trait::Forward, Req.mode() == Mode::Forward)
      .set(Trait::Lanes, Req.Width > 1)
      .set(Trait::Split, Req.isSplit() || splitForced())
      .set(Trait::Sparse, Req.isSparse())
      .set(Trait::RuntimeActivity, Req.RuntimeActivity)
      .set(Trait::Pool, Req.Pool != PoolWish::None);
}

/// What is asked of the whole module is asked of U as far as the unit says so:
/// units that are made to be looked at may be of another kind.
Traits traitsOf(const Unit &U) {
  return Traits()
      .set(Trait::Gpu, isGpu(U.M))
      .set(Trait::Forward, U.DerivMode == Mode::Forward)
      .set(Trait::Lanes, U.Width > 1)
      .set(Trait::Split, U.Split)
      .set(Trait::Sparse, U.KeepAccumulations)
      .set(Trait::RuntimeActivity, U.comparesShadows())
      .set(Trait::Pool, U.Pool != PoolWish::None)
      .set(Trait::Again, U.DerivedAgain)
      .set(Trait::CheckPlan, checkPlanRequested());
}

} // namespace retro
