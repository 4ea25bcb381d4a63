// Replaces a request by a call of what was made for it.
#ifndef RETRO_ANSWER_SPLICE_H
#define RETRO_ANSWER_SPLICE_H

#include "emit/common/derivative.h"
#include "front/requests/request.h"

namespace retro {

void spliceRequest(const Request &Req, const Derivative &D,
                   llvm::FunctionAnalysisManager &FAM, Reporter &R);
/// Answers a request that needs no derivative: a batch of evaluations, or the
/// shadow of a function pointer.
void spliceDirect(const Request &Req, Reporter &R);
/// Removes a request that failed, and leaves valid IR.
void dropRequest(llvm::CallBase &Call);

} // namespace retro

#endif
