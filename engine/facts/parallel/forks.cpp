// Input: calls with attributes that prepare/threads has set. Output: which
// start teams or threads, and what these share. A region that is not known as
// one would be derived as if one thread ran it.
#include "facts/parallel/forks.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {

bool isSpawn(const CallBase &C) {
  return C.getAttributes().hasFnAttr(SpawnMark);
}

bool isFork(const CallBase &C) { return C.getAttributes().hasFnAttr(ForkMark); }

const CallBase *plainCall(const Use &X) {
  auto *C = dyn_cast<CallBase>(X.getUser());
  return C && C->isCallee(&X) && !isFork(*C) && !isSpawn(*C) ? C : nullptr;
}

bool isCommutingSum(const AtomicRMWInst &A) {
  return (A.getOperation() == AtomicRMWInst::FAdd ||
          A.getOperation() == AtomicRMWInst::FSub) &&
         A.use_empty();
}

} // namespace retro
