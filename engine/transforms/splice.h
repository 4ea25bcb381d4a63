// Replaces a request by a call of the function that was made for it.
#ifndef RETRO_TRANSFORMS_SPLICE_H
#define RETRO_TRANSFORMS_SPLICE_H

#include "front/request.h"

namespace retro {

void spliceRequest(const Request &Req, llvm::Function &Derivative, Reporter &R);
/// Removes a request that failed, leaving valid IR behind.
void dropRequest(llvm::CallBase &Call);

} // namespace retro

#endif
