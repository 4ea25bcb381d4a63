// Declares malloc and free in a module, with the types that the engine calls
// them with. Two declarations of one function with different types would be two
// functions for LLVM's analyses.
#include "ir/heap.h"

#include "front/names/foreign.h"
using namespace llvm;

namespace retro {

FunctionCallee mallocOf(Module &M) { return foreignCallee(M, Foreign::malloc); }

FunctionCallee freeOf(Module &M) { return foreignCallee(M, Foreign::free); }

} // namespace retro
