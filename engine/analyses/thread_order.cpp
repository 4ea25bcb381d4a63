// One thread sees what another wrote when it acquires what that one released
// (C++, [intro.races]). Barriers, locks and their like have adjoints; any other
// acquiring operation is an edge that the reverse pass had to run the other
// way.
#include "analyses/thread_order.h"

#include "front/known_functions.h"
#include "parallel/lowering.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

/// The ordering by which I, an atomic operation, learns something.
static AtomicOrdering orderingOf(const Instruction &I) {
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->getOrdering();
  if (auto *A = dyn_cast<AtomicRMWInst>(&I)) // nobody looks: nothing is learned
    return A->use_empty() ? AtomicOrdering::Monotonic : A->getOrdering();
  if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
    return X->getSuccessOrdering();
  return AtomicOrdering::NotAtomic;
}

/// The compiler's own: is a static variable initialized?
static bool readsGuard(const Instruction &I) {
  auto *L = dyn_cast<LoadInst>(&I);
  return L && isa<GlobalVariable>(L->getPointerOperand()) &&
         L->getPointerOperand()->getName().starts_with("_ZGV");
}

/// Does F order memory between blocks of a launch? Within one they meet at
/// barriers, which on amdgcn are fences too.
static bool ordersBlocks(const FenceInst &F) {
  SmallVector<StringRef> Names;
  F.getContext().getSyncScopeNames(Names);
  static const StringSet<> Within = {
      "singlethread",     "wavefront", "wavefront-one-as",   "workgroup",
      "workgroup-one-as", "block",     "singlethread-one-as"};
  return !Within.contains(Names[F.getSyncScopeID()]);
}

static bool learnsFromOthers(const Instruction &I, bool Gpu) {
  if (auto *F = dyn_cast<FenceInst>(&I))
    return Gpu ? ordersBlocks(*F)
               : F->getSyncScopeID() != SyncScope::SingleThread &&
                     F->getOrdering() != AtomicOrdering::Release;
  if (auto *C = dyn_cast<CallBase>(&I)) {
    StringRef Name =
        C->getCalledFunction() ? C->getCalledFunction()->getName() : "";
    return Name == "__kmpc_flush" || Name == "llvm.nvvm.membar.gl" ||
           Name == "llvm.nvvm.membar.sys";
  }
  // CUDA's atomic functions are relaxed, whatever clang makes of them.
  return !Gpu && isAcquireOrStronger(orderingOf(I)) && !readsGuard(I);
}

void reportThreadOrder(const Unit &U, Reporter &R) {
  const bool Gpu = isGpu(U.M);
  if (U.DerivMode != Mode::Reverse)
    return; // tangents are made beside what they are the tangents of
  for (const auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F))
      if ((Gpu || UF->Concurrent) && learnsFromOthers(I, Gpu))
        R.error(Diag::ThreadOrder, &I);
}

} // namespace retro
