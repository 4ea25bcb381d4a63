// The size of the tape of a function's loops, estimated from a plan that is
// made for it alone.
#ifndef RETRO_CHECKPOINT_TAPE_ESTIMATE_H
#define RETRO_CHECKPOINT_TAPE_ESTIMATE_H

#include "front/registered/registrations.h"
#include "front/requests/request.h"

#include "llvm/IR/PassManager.h"

#include <map>

namespace retro {

/// The trips of a loop, where they are not known before the loop around it, and
/// of loops in functions that are called.
constexpr uint64_t AssumedTrips = 16;

/// What a request is answered with.
struct Surroundings {
  llvm::ModuleAnalysisManager &MAM;
  llvm::FunctionAnalysisManager &FAM;
  Registrations &Registered;
};

/// Bytes of each iteration of a loop, times the trips of inner loops.
struct TapeTerm {
  uint64_t Bytes = 0;
  llvm::SmallVector<unsigned, 2> Inner; ///< labels of loops
};

/// The attribute that labels a loop by a number. Copies of the loop keep it.
constexpr const char *LoopLabel = "retro.loop";
/// The label of a loop that has lost its label.
constexpr unsigned NoLabel = ~0u;

/// By the labels of outermost loops of the request's target.
using TapeEstimate = std::map<unsigned, std::vector<TapeTerm>>;

/// The tape of this request's gradient; nothing where the gradient cannot be
/// made.
std::optional<TapeEstimate> estimateTape(const Request &Req,
                                         const Surroundings &S);

} // namespace retro

#endif
