// The emitted functions, held to what polish/ and the end of the unit take for
// granted. A call of a clone would be one of a function that is gone when the
// unit is: a crash far from here. One of a canonical function would be linked
// with nothing.
#include "emit/emitted_promises.h"

#include "base/assert.h"
#include "front/known/known_functions.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

void checkEmitted(const Unit &U, ArrayRef<Function *> New) {
  if (!ChecksPromises)
    return;
  for (const Function *F : New) {
    retroAssert(!F->isDeclaration(), "emit", F, "what was emitted has a body");
    retroAssert(F->getParent() == &U.M, "emit", F,
                "what was emitted is in the unit's module");
    retroAssert(pred_empty(&F->getEntryBlock()), "emit", F,
                "no loop begins with a function that was emitted");
    for (const Instruction &I : instructions(F))
      for (const Value *O : I.operands()) {
        auto *Named = dyn_cast<Function>(O);
        retroAssert(!Named || !U.find(Named), "emit", F,
                    "what was emitted names no function of the unit");
        retroAssert(!Named || !Named->getName().starts_with(CanonicalPrefix),
                    "emit", F,
                    "calls of libraries are what the libraries have again");
      }
  }
}

} // namespace retro
