// How the engine ends when one of its stages has not kept a promise. The
// sentence names the stage and the function, so that who reports it can say
// where; without it a broken promise would be met later, as a wrong gradient.
#include "base/assert.h"

#include "llvm/IR/Function.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace retro {

void failAssert(StringRef Stage, const Function *F, StringRef Promise) {
  report_fatal_error("retrograde: internal error: stage '" + Stage +
                         "' does not keep its promise" +
                         (F ? " of '" + F->getName() + "'" : Twine("")) + ": " +
                         Promise + " (report this program)",
                     false);
}

} // namespace retro
