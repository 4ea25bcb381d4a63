// Input: a function that has been through all stages of polish. Output:
// nothing, or the end of the compiler, with the stage that left something to
// do. What is left would be slow without a reason, or wrong code of the back
// end, both of which no verifier sees.
#include "polish/polished_promises.h"

#include "base/assert.h"
#include "loops/peeling.h"
#include "polish/number_addresses.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

void checkPolished(Function &F, FunctionAnalysisManager &FAM, bool Grids) {
  if (!ChecksPromises)
    return;
  retroAssert(!F.isDeclaration() && pred_empty(&F.getEntryBlock()), "polish",
              &F, "what was made fast has a body, and no loop begins with it");
  retroAssert(!Grids || !isPeelingForbidden(F, FAM), "allow-peeling", &F,
              "LLVM may take iterations out of each loop");
  for (const Instruction &I : instructions(F))
    retroAssert(!isNumberAddress(I), "number-addresses", &F,
                "the bits of a number are frozen before they are an address");
}

} // namespace retro
