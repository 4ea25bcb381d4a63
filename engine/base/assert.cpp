// How the engine ends when one of its stages has not kept a promise.
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
