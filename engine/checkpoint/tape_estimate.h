// How much would the tape of a function's loops take? Asked of a plan that is
// made to be looked at.
#ifndef RETRO_CHECKPOINT_TAPE_ESTIMATE_H
#define RETRO_CHECKPOINT_TAPE_ESTIMATE_H

#include "front/registered/registrations.h"
#include "front/requests/request.h"

#include "llvm/IR/PassManager.h"

#include <map>

namespace retro {

/// Trips of a loop, where they are not known before the one around it, and of
/// loops of called functions.
constexpr uint64_t AssumedTrips = 16;

/// What a request is answered with.
struct Surroundings {
  llvm::ModuleAnalysisManager &MAM;
  llvm::FunctionAnalysisManager &FAM;
  Registrations &Registered;
};

/// Of each iteration of a loop so many bytes, times the trips of loops in it.
struct TapeTerm {
  uint64_t Bytes = 0;
  llvm::SmallVector<unsigned, 2> Inner; ///< labels of loops
};

/// Of the loop attribute that names a loop by a number: it stays with copies.
constexpr const char *LoopLabel = "retro.loop";
/// Stands for a loop that has lost its label.
constexpr unsigned NoLabel = ~0u;

/// By the labels of outermost loops of the request's target.
using TapeEstimate = std::map<unsigned, std::vector<TapeTerm>>;

/// The tape of this gradient; nothing where it cannot be made.
std::optional<TapeEstimate> estimateTape(const Request &Req,
                                         const Surroundings &S);

} // namespace retro

#endif
