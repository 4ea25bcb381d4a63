#include "analyses/races.h"

#include "front/known_functions.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

class RaceAnalysis {
public:
  explicit RaceAnalysis(UnitFunction &UF) : UF(UF) {}

  /// May another thread read what I reads through Ptr, at the same time?
  bool mayMeet(const Instruction &I, const Value *Ptr);

private:
  bool isPrivate(const Value *Object);

  UnitFunction &UF;
  DenseMap<const Value *, bool> Private;
};

/// Memory of this function's own that no other thread can have heard of.
bool RaceAnalysis::isPrivate(const Value *Object) {
  auto [It, New] = Private.try_emplace(Object, false);
  if (!New)
    return It->second;
  bool Own = isa<AllocaInst>(Object);
  if (auto *C = dyn_cast<CallBase>(Object))
    Own = knownCall(*C).isAllocation();
  return Private[Object] =
             Own && !PointerMayBeCaptured(Object, /*ReturnCaptures=*/false);
}

bool RaceAnalysis::mayMeet(const Instruction &, const Value *Ptr) {
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(Ptr, Objects, &UF.LI);
  return !all_of(Objects, [&](const Value *O) { return isPrivate(O); });
}

} // namespace

void findRaces(UnitFunction &UF, ActivityAnalysis &Act, FunctionPlan &P) {
  if (!UF.Concurrent)
    return;
  RaceAnalysis Races(UF);
  for (Instruction &I : instructions(*UF.F)) {
    const Value *Ptr = nullptr;
    if (auto *L = dyn_cast<LoadInst>(&I); L && Act.active(L))
      Ptr = L->getPointerOperand();
    else if (auto *C = dyn_cast<CallBase>(&I))
      if (KnownCall K = knownCall(*C); K.isCopy())
        Ptr = C->getArgOperand(static_cast<unsigned>(K.Row->B));
    if (Ptr && Races.mayMeet(I, Ptr))
      P.Atomic.insert(&I);
  }
}

} // namespace retro
