// Recognizes the calls by which a program marks a loop for checkpointing. A
// mark that is missed would leave the loop on the tape.
#include "front/requests/checkpoint_marks.h"

#include "front/known/known_functions.h"

using namespace llvm;

namespace retro {

static bool isMark(const Instruction &I, StringRef Text) {
  auto *C = dyn_cast<CallInst>(&I);
  if (!C || !C->getCalledFunction())
    return false;
  const KnownFunction *Row = lookupKnown(*C->getCalledFunction());
  return Row && Row->Kind == KnownKind::Inactive && Row->Text == Text;
}

bool isCheckpointMark(const Instruction &I) { return isMark(I, "checkpoint"); }

bool isStateMark(const Instruction &I) { return isMark(I, "checkpoint-state"); }

} // namespace retro
