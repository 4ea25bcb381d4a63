// Declares malloc and free in a module, with the types that the engine calls
// them with.
#include "ir/heap.h"

using namespace llvm;

namespace retro {

FunctionCallee mallocOf(Module &M) {
  LLVMContext &C = M.getContext();
  return M.getOrInsertFunction("malloc", PointerType::getUnqual(C),
                               Type::getInt64Ty(C));
}

FunctionCallee freeOf(Module &M) {
  LLVMContext &C = M.getContext();
  return M.getOrInsertFunction("free", Type::getVoidTy(C),
                               PointerType::getUnqual(C));
}

} // namespace retro
