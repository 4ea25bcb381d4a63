// Which functions of a module may be differentiated, as far as the module
// tells. What is done for derivatives alone is done in these, and the rest of
// the program stays as it is. Without it the rest of the program would be
// optimized in another way than without the plugin.
#include "plugin/reached.h"

#include "front/known/entry_points.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

SetVector<Function *> reachedByRequests(Module &M) {
  SetVector<Function *> Reached;
  auto Reach = [&](Value *V) {
    auto *F = dyn_cast<Function>(V->stripPointerCastsAndAliases());
    if (F && !F->isDeclaration())
      Reached.insert(F);
  };
  for (Function &F : M)
    for (CallBase *C : requestsIn(F))
      for (Value *V : C->args())
        if (Function *Named = functionBehind(V))
          Reach(Named);
  for (unsigned N = 0; N < Reached.size(); ++N)
    for (Instruction &I : instructions(*Reached[N]))
      for (Value *V : I.operands())
        if (isa<Constant>(V))
          Reach(V);
  return Reached;
}

} // namespace retro
