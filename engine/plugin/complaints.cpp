// Reports what is wrong before anything is derived, or when a pool was asked
// for and cannot be used. Without it a registration with a mistake in it would
// be met as a crash in the middle of an analysis.
#include "plugin/complaints.h"

#include "front/requests/request.h"
#include "plan/planner.h"
#include "prepare/calls/stand_in.h"

using namespace llvm;

namespace retro {

bool reportProblems(const Registrations &Registered, CallBase &AnyRequest) {
  for (const RegistrationProblem &P : Registered.problems()) {
    Reporter R(&AnyRequest);
    std::string What = P.Array
                           ? "'" + displayName(P.Array->getName()) + "'"
                           : "the annotation of '" + displayName(*P.Near) + "'";
    R.error(Diag::BadRegistration, P.Array, P.Near, {What, P.Text});
  }
  return Registered.problems().empty();
}

bool reportInlined(const Registrations &Registered, CallBase &AnyRequest) {
  bool Valid = true;
  for (auto &[F, Reg] : Registered.all())
    if (Reg.hasOwnDerivative() && mayBeInlinedBefore(*F)) {
      Reporter(&AnyRequest)
          .error(Diag::InlinedBefore, nullptr, F, {F->getName().str()});
      Valid = false;
    }
  return Valid;
}

void checkPool(const Request &Req, const UnitPlan &Plan, Reporter &R) {
  const PoolPlan &Pool = Plan.pool();
  if (Req.Kind == Entry::PoolSize && Req.Pool == PoolWish::Caller &&
      Pool.Used && !Pool.WhyNotMeasured.empty())
    R.error(Diag::PoolSize, Plan.unmeasured(),
            {Req.Target->getName().str(), Pool.WhyNotMeasured});
}

} // namespace retro
