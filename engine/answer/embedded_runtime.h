// The functions that derivatives call, linked into the module from bitcode in
// the plugin.
#ifndef RETRO_ANSWER_EMBEDDED_RUNTIME_H
#define RETRO_ANSWER_EMBEDDED_RUNTIME_H

#include "llvm/IR/Module.h"

namespace retro {

/// Links what the module's derivatives call.
void linkRuntimes(llvm::Module &M);

} // namespace retro

#endif
