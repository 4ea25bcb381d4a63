// Goes over the calls of a module by the names of what they call. Inlined,
// they would be loads and stores of words that are pointers, sizes or
// characters.
#include "prepare/memory/kept_calls.h"

#include "front/names/strings.h"
#include "front/requests/request.h"
#include "prepare/memory/memory_resources.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace retro {

bool keepLibraryCalls(Module &M) {
  // A request may stand in a template that is given its function, so that all
  // functions may be differentiated.
  if (none_of(M, [](Function &F) { return hasRequests(F); }))
    return false;
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *C = dyn_cast<CallBase>(&I);
      Function *G = C ? C->getCalledFunction() : nullptr;
      if (!G)
        continue;
      const StringMember K = stringMember(G->getName());
      if (!isLeftToLibrary(K) && !isOfResource(*G))
        continue;
      C->addFnAttr(Attribute::NoInline);
      // Of what a library returns nothing is known.
      if (K == StringMember::ChangesThis && C->getType()->isPointerTy())
        C->replaceAllUsesWith(C->getArgOperand(0));
      Changed = true;
    }
  return Changed;
}

} // namespace retro
