// Input: a module with requests, as the front end wrote it. Output: the same
// module, with calls of what std::string does to its characters, and of what
// memory resources do, which the optimizer leaves alone.
#ifndef RETRO_PREPARE_MEMORY_KEPT_CALLS_H
#define RETRO_PREPARE_MEMORY_KEPT_CALLS_H

#include "llvm/IR/Module.h"

namespace retro {

/// Keeps the optimizer from inlining the functions of strings, but for those
/// that tell where the characters lie, and calls of resources of std::pmr. True
/// if there is such a call.
bool keepLibraryCalls(llvm::Module &M);

} // namespace retro

#endif
