// Recognizes the calls by which a program marks a loop for checkpointing. A
// mark that is missed would leave the loop on the tape.
#include "front/requests/checkpoint_marks.h"

#include "front/known/known_functions.h"

using namespace llvm;

namespace retro {

static bool isMark(const Instruction &I, Concern Of) {
  auto *C = dyn_cast<CallInst>(&I);
  if (!C || !C->getCalledFunction())
    return false;
  const KnownFunction *Row = lookupKnown(*C->getCalledFunction());
  return Row && Row->Kind == KnownKind::Inactive && Row->says(Of);
}

bool isCheckpointMark(const Instruction &I) {
  return isMark(I, Concern::CheckpointedLoop);
}

bool isStateMark(const Instruction &I) {
  return isMark(I, Concern::CheckpointedState);
}

} // namespace retro
