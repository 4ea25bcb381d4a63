// Replaces a request by a call of the function that was made for it.
#ifndef RETRO_ANSWER_SPLICE_H
#define RETRO_ANSWER_SPLICE_H

#include "emit/common/derivative.h"
#include "front/requests/request.h"

namespace retro {

void spliceRequest(const Request &Req, const Derivative &D,
                   llvm::FunctionAnalysisManager &FAM, Reporter &R);
/// Answers a request that needs no derivative: a batch of evaluations, the
/// shadow of a function pointer.
void spliceDirect(const Request &Req, Reporter &R);
/// Removes a request that failed, leaving valid IR behind.
void dropRequest(llvm::CallBase &Call);

} // namespace retro

#endif
