// malloc and free, as the engine calls them in a module.
#ifndef RETRO_IR_HEAP_H
#define RETRO_IR_HEAP_H

#include "llvm/IR/Module.h"

namespace retro {

/// ptr (i64), and void (ptr).
llvm::FunctionCallee mallocOf(llvm::Module &M);
llvm::FunctionCallee freeOf(llvm::Module &M);

} // namespace retro

#endif
