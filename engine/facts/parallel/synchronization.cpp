#include "facts/parallel/synchronization.h"

#include "front/known/known_functions.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace retro {

Sync syncOf(const CallBase &C) {
  KnownCall K = knownCall(C);
  if (K.Kind != KnownKind::Synchronize)
    return Sync::None;
  return StringSwitch<Sync>(K.Row->Text)
      .Case("barrier", Sync::Barrier)
      .Case("block barrier", Sync::BlockBarrier)
      .Case("acquire", Sync::Acquire)
      .Case("release", Sync::Release)
      .Case("sequential", Sync::Sequential)
      .Case("end sequential", Sync::EndSequential)
      .Case("join", Sync::Join);
}

Value *syncOperand(const CallBase &C) {
  int N = knownCall(C).Row->A;
  return N < 0 ? nullptr : C.getArgOperand(static_cast<unsigned>(N));
}

} // namespace retro
