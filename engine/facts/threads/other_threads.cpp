// Input: a unit and the shape of its memory. Output: whether threads that it
// starts may write an atomic object. Without it a future beside threads would
// be refused whose task the thread runs itself that waits for it.
#include "facts/threads/other_threads.h"

#include "facts/parallel/forks.h"
#include "front/known/known_functions.h"
#include "front/known/stand_in_links.h"

#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

/// Might C, a call of no function of the unit, write memory in a way that is
/// not known? What the program registers may do anything.
static bool writesUnknown(const CallBase &C) {
  const Function *F = C.getCalledFunction();
  return C.mayWriteToMemory() && !C.doesNotReturn() &&
         (!F || registeredRow(*F) || !(F->isIntrinsic() || knownCall(C).Row));
}

OtherThreads::OtherThreads(const ActivityAnalysis &Act) : Act(Act) {
  const Unit &U = Act.unit();
  auto Enter = [&](const Function &F, bool All) {
    for (const Instruction &I : instructions(F)) {
      auto *C = dyn_cast<CallBase>(&I);
      const UnitFunction *G = C ? U.callee(*C) : nullptr;
      if (G && (All || isFork(*C) || isSpawn(*C)))
        Run.insert(G->F);
      if (All && C && !G)
        Unknown |= writesUnknown(*C);
      // What counts references has a place for itself.
      if (All && I.isAtomic() &&
          isa<StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(I) &&
          !I.hasMetadata(ReferenceCount))
        Writes.push_back(&I);
    }
  };
  for (const auto &UF : U.Functions)
    Enter(*UF->F, false);
  for (size_t N = 0; N < Run.size(); ++N)
    Enter(*Run[N], true);
}

bool OtherThreads::mayWrite(const Instruction &I) const {
  const auto Read = MemoryLocation::getOrNone(&I);
  if (Unknown || !Read || Run.contains(I.getFunction()))
    return true;
  const unsigned Class = Act.shape().classId(Read->Ptr);
  return any_of(Writes, [&](const Instruction *W) {
    const MemoryLocation Written = MemoryLocation::get(W);
    return Written.Size == Read->Size &&
           Act.shape().classId(Written.Ptr) == Class;
  });
}

} // namespace retro
