// Input: a module with requests, as the front end wrote it. Output: the same
// module, with calls of what std::string does to its characters, which the
// optimizer leaves alone.
#ifndef RETRO_PREPARE_MEMORY_KEPT_STRINGS_H
#define RETRO_PREPARE_MEMORY_KEPT_STRINGS_H

#include "llvm/IR/Module.h"

namespace retro {

/// Keeps the optimizer from inlining the functions of strings, but for those
/// that tell where the characters lie. True if there is such a call.
bool keepStrings(llvm::Module &M);

} // namespace retro

#endif
