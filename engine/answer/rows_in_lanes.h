// Makes one request in vector mode of several requests in a row.
#ifndef RETRO_ANSWER_ROWS_IN_LANES_H
#define RETRO_ANSWER_ROWS_IN_LANES_H

#include "base/unit.h"

namespace retro {

/// Where several requests for the gradient of one function stand one after the
/// other in F, makes one of them, for which the primal runs once. This is done
/// only if the function reads and writes a few known bytes, so that neither the
/// code between the requests nor the requests themselves can tell that the
/// others have moved. Returns how many fewer requests there are.
unsigned gatherRequests(llvm::Function &F, llvm::ModuleAnalysisManager &MAM,
                        llvm::FunctionAnalysisManager &FAM,
                        Registrations &Registered);

} // namespace retro

#endif
