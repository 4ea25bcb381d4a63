// Input: the classes of memory, and all calls of a unit. Output: the memory
// that is the unit's alone. Memory that a derivative were to take from its tape
// though another function keeps a pointer to it, or frees it, would be gone
// when that looks for it.
#include "facts/writes/own_memory.h"

#include "front/known/known_functions.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

bool isHeapAlone(const MemoryClass &C) {
  return C.Shadowed && C.Origins == FromHeap && !C.fromOutside() && !C.Linked &&
         !C.MayBeConstant && !C.Foreign && !C.Mirrored &&
         C.Where == MemoryClass::Shadows::Own;
}

/// Does the call give memory as aligned as any number and pointer needs, and no
/// more?
bool isPlainAllocation(const CallBase &C, KnownKind K) {
  return C.arg_size() == (K == KnownKind::AllocZero ? 2u : 1u) &&
         C.getRetAlign().valueOrOne() <= Align(16);
}

/// May the call keep a pointer that it is given, free what it leads to, or give
/// memory in another way than others do?
bool mayTake(const Unit &U, const CallBase &C) {
  KnownCall K = knownCall(C);
  if (K.isAllocation())
    return !isPlainAllocation(C, K.Kind);
  if (K.isPlainMemory() || isAssumeLikeIntrinsic(&C) || isa<MemIntrinsic>(&C))
    return false;
  return !U.callee(C) || K.Kind != KnownKind::None;
}

} // namespace

DenseSet<unsigned> findOwnMemory(const ActivityAnalysis &Act) {
  const Unit &U = Act.unit();
  const MemoryShape &Shape = Act.shape();
  DenseSet<unsigned> Own;
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id)
    if (Shape.isRepresentative(Id) && isHeapAlone(Shape.classAt(Id)))
      Own.insert(Id);
  auto Drop = [&](ArrayRef<unsigned> Classes) {
    for (unsigned Id : Classes)
      Own.erase(Id);
  };
  for (auto &UF : U.Functions)
    for (const Instruction &I : instructions(*UF->F)) {
      if (Own.empty())
        return Own;
      if (auto *C = dyn_cast<CallBase>(&I); C && mayTake(U, *C)) {
        SmallVector<const Value *> Seen(C->args());
        Seen.push_back(C);
        Drop(Shape.reachedFrom(Seen));
      }
      auto *R = dyn_cast<ReturnInst>(&I);
      if (R && UF->Root && R->getReturnValue())
        Drop(Shape.reachedFrom(R->getReturnValue()));
    }
  return Own;
}

} // namespace retro
