// What is derived: all that two requests must agree in to share one
// derivative. A field that is missing here would give a request the code that
// was made for another one.
#ifndef RETRO_PLUGIN_GOAL_H
#define RETRO_PLUGIN_GOAL_H

#include "front/requests/request.h"

namespace retro {

struct Goal {
  llvm::Function *Target;
  Mode Direction;
  std::vector<Activity> Activities;
  bool PrimalReturn, ConstReturn;
  unsigned Width;
  bool Split, RuntimeActivity, StrongZero, Errors;
  std::optional<uint64_t> Allocated;
  bool NoFree;
  std::vector<unsigned> SparseArgs;
  PoolWish Pool;
  bool SizeOnly; ///< the size of the tape, not a derivative
  bool SharedParts;
  bool DerivedAgain;

  Goal(const Request &Req, bool DerivedAgain)
      : Target(Req.Target), Direction(Req.mode()), Activities(Req.activities()),
        PrimalReturn(Req.PrimalReturn), ConstReturn(Req.ConstReturn),
        Width(Req.Width), Split(Req.isSplit()),
        RuntimeActivity(Req.RuntimeActivity), StrongZero(Req.StrongZero),
        Errors(Req.estimatesErrors()), Allocated(Req.Allocated),
        NoFree(Req.NoFree), SparseArgs(Req.sparseArgs()), Pool(Req.Pool),
        SizeOnly(Req.Kind == Entry::PoolSize && !Req.isSplit()),
        SharedParts(Req.SharedBytes != nullptr), DerivedAgain(DerivedAgain) {}

  auto operator<=>(const Goal &) const = default;
};

} // namespace retro

#endif
