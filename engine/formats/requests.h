// Requests of functions and numbers in another format.
#ifndef RETRO_FORMATS_REQUESTS_H
#define RETRO_FORMATS_REQUESTS_H

#include "llvm/IR/Module.h"

namespace retro {

/// Answers such requests of a module; with BeforeLink, only those whose
/// functions have a body in it. Returns whether it has answered any.
bool answerFormatRequests(llvm::Module &M, bool BeforeLink);

} // namespace retro

#endif
