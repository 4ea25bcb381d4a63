// Requests of functions and numbers in another format.
#ifndef RETRO_FORMATS_REQUESTS_H
#define RETRO_FORMATS_REQUESTS_H

#include "llvm/IR/Module.h"

namespace retro {

/// Answers those of a module; with BeforeLink, those whose functions are there.
/// Says whether there were any.
bool answerFormatRequests(llvm::Module &M, bool BeforeLink);

} // namespace retro

#endif
