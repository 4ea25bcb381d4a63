// A request: one call of an entry point of the calling convention, parsed.
#ifndef RETRO_FRONT_REQUEST_H
#define RETRO_FRONT_REQUEST_H

#include "diagnostics.h"
#include "plan.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <optional>
#include <vector>

namespace retro {

/// One parameter of the differentiated function as the request binds it.
struct BoundArgument {
  Activity Act = Activity::Const;
  llvm::Value *Primal = nullptr;
  llvm::Value *Shadow = nullptr; ///< Dup, DupNoNeed: shadow or tangent.
};

struct Request {
  llvm::CallBase *Call = nullptr;
  Mode DerivMode = Mode::Reverse;
  llvm::Function *Target = nullptr;
  std::vector<BoundArgument> Args; ///< one per parameter of Target
  bool PrimalReturn = false;
  bool ConstReturn = false;
  llvm::Value *Sret = nullptr; ///< where the caller wants the result struct

  /// The activities, the key under which one gradient serves equal requests.
  std::vector<Activity> activities() const;
};

/// Is this a call of an entry point (__enzyme_autodiff and its kin)?
bool isRequest(const llvm::CallBase &Call);

/// All requests of a function, in order.
std::vector<llvm::CallBase *> requestsIn(llvm::Function &F);

/// The function a request names, or null.
llvm::Function *targetOf(const llvm::CallBase &Call);

/// Parses; reports and returns nothing when the request is wrong.
std::optional<Request> parseRequest(llvm::CallBase &Call, Reporter &R);

} // namespace retro

#endif
