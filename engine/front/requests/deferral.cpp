// Decides which requests wait for the link. A request that is answered too
// early reports a missing body that the link would have brought; one that waits
// although no link follows is never answered.
#include "front/requests/deferral.h"

#include "front/known/entry_points.h"
#include "front/known/known_functions.h"
#include "front/known/stand_in_links.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// Is the code that runs for F known before the link?
bool isSettled(const Function &F) {
  if (F.isDeclaration())
    return F.isIntrinsic() || registeredRow(F) || lookupKnown(F);
  return !F.isInterposable();
}

} // namespace

bool waitsForLink(const CallBase &Request) {
  if (entryOf(Request) == Entry::VirtualReverse)
    return false;
  Function *Target = targetOf(Request);
  if (!Target)
    return true;
  SetVector<Function *> Reached;
  Reached.insert(primalOf(*Target));
  for (size_t I = 0; I < Reached.size(); ++I) {
    Function &F = *Reached[I];
    if (!isSettled(F))
      return true;
    for (Instruction &In : instructions(F)) {
      auto *C = dyn_cast<CallBase>(&In);
      if (!C || C->isInlineAsm())
        continue;
      // An indirect call may enter a function of another module.
      Function *G =
          isRequest(*C)
              ? targetOf(*C)
              : dyn_cast<Function>(
                    C->getCalledOperand()->stripPointerCastsAndAliases());
      if (!G)
        return true;
      Reached.insert(primalOf(*G));
    }
  }
  return false;
}

} // namespace retro
