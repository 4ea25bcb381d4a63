// Several requests at one point become one in vector mode.
#ifndef RETRO_ANSWER_ROWS_IN_LANES_H
#define RETRO_ANSWER_ROWS_IN_LANES_H

#include "base/unit.h"

namespace retro {

/// Makes one request of several gradients of one function at the same place
/// that stand one after the other in F: the primal runs once for all of them.
/// Only where the function reads and writes a few bytes that are known, so that
/// nothing between the requests, and none of them, can be told that the others
/// have moved. Returns how many requests fewer there are.
unsigned gatherRequests(llvm::Function &F, llvm::ModuleAnalysisManager &MAM,
                        llvm::FunctionAnalysisManager &FAM,
                        Registrations &Registered);

} // namespace retro

#endif
