// What the reverse pass can compute again: of one instruction it says whether
// its value may be computed a second time from its operands, and whether that
// is cheaper than to keep it. What is refused here goes to the tape; without
// loads and cheap functions among it, tapes would hold nearly every value.
// Declared in planner.h.
#include "plan/planner.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {

bool isRepeatable(const Instruction &I, const Unit &U) {
  if (isa<LoadInst>(I))
    return true;
  if (I.mayReadOrWriteMemory() || I.isTerminator() ||
      isa<PHINode, AllocaInst, FreezeInst>(I))
    return false;
  if (auto *C = dyn_cast<CallBase>(&I)) {
    KnownCall K = knownCall(*C);
    if (K.Kind == KnownKind::Math) {
      // Cheap functions are computed again, transcendental ones kept.
      using enum rules::RuleId;
      switch (K.Row->Rule) {
      case Fabs:
      case Copysign:
      case Fmin:
      case Fmax:
      case Minimum:
      case Maximum:
      case Fma:
      case Flat:
        return true;
      default:
        // Few iterations of a sparse derivative run: they need no tape.
        return U.KeepAccumulations;
      }
    }
    return isa<IntrinsicInst>(C) && C->doesNotAccessMemory() &&
           C->hasFnAttr(Attribute::Speculatable);
  }
  return true;
}

} // namespace retro
