// Functions of the module that requests reach.
#ifndef RETRO_PLUGIN_REACHED_H
#define RETRO_PLUGIN_REACHED_H

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"

namespace retro {

/// The functions that requests of the module name, and those that these call or
/// take the address of, as far as they are defined in it.
llvm::SetVector<llvm::Function *> reachedByRequests(llvm::Module &M);

} // namespace retro

#endif
