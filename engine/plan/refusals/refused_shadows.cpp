// Input: the plan of a unit. Output: an error at each address that leads to
// memory with derivatives by a way that shadows cannot follow, and at each
// variable whose shadow could not begin as zero. Emission would write to what
// is no shadow, or add to what an earlier derivative has left.
#include "plan/refusals/refused_shadows.h"

#include "facts/activity/custom_calls.h"
#include "facts/activity/mpi_calls.h"
#include "facts/activity/transfer_layout.h"
#include "facts/memory/thrown_objects.h"
#include "facts/parallel/device.h"
#include "facts/parallel/forks.h"
#include "front/known/exceptions.h"
#include "front/registered/registrations.h"
#include "plan/planner.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

bool isRepeatedOnShadows(const Instruction &I) {
  return isa<LoadInst, GetElementPtrInst, SelectInst, FreezeInst, BitCastInst,
             AddrSpaceCastInst, PtrToIntInst, IntToPtrInst, ExtractValueInst,
             InsertValueInst>(I);
}

namespace {

/// Do calls of another kind find, or make, the shadow of what C returns?
bool isServedElsewhere(const CallBase &C, const ActivityAnalysis &Act) {
  const KnownCall K = knownCall(C);
  return Act.unit().callee(C) || K.Kind == KnownKind::Synchronize ||
         K.Kind == KnownKind::Free || isCustom(C) || mpiHasWork(C);
}

/// Does a pass know where the shadow of what C returns lies?
bool hasShadow(const CallBase &C, const ActivityAnalysis &Act) {
  const KnownCall K = knownCall(C);
  return isServedElsewhere(C, Act) || isMark(C, marks::Exception) ||
         (Act.shape().followsExceptions() &&
          (isThrownObject(C) || isCaughtObject(C))) ||
         K.isCopy() || K.isAllocation() || K.Kind == KnownKind::Set ||
         K.Kind == KnownKind::Mirror || K.returnedOperand() >= 0 ||
         C.getReturnedArgOperand();
}

/// Does what is done for User read the shadow of its operand V?
bool readsShadow(const Instruction &User, const Value &V,
                 const ActivityAnalysis &Act) {
  if (isa<PHINode>(User) || isRepeatedOnShadows(User)) {
    const bool IsChoice = isa<SelectInst>(User) && User.getOperand(0) == &V;
    const bool IsIndex =
        isa<GetElementPtrInst>(User) && User.getOperand(0) != &V;
    const bool IsRead = isa<LoadInst>(User) && Act.active(&User);
    return (Act.shadowed(&User) || IsRead) && !IsChoice && !IsIndex;
  }
  if (auto *S = dyn_cast<StoreInst>(&User))
    return shadowStored(Act, *S) != ShadowStore::Nothing ||
           Act.touchesActive(*S);
  if (auto *A = dyn_cast<AtomicRMWInst>(&User))
    return Act.touchesActive(*A);
  if (auto *C = dyn_cast<CallBase>(&User))
    return !onlyInspects(*C);
  return isa<ReturnInst>(User);
}

bool holdsPointers(const GlobalVariable &G, const ActivityAnalysis &Act) {
  return any_of(Act.shape().classOf(&G).Cells,
                [](const Cell &C) { return C.Kind == CellKind::Pointer; });
}

/// The variables that what the unit runs names, and those that these lead to.
SmallSetVector<GlobalVariable *, 8> variablesOf(const ActivityAnalysis &Act,
                                                const UnitPlan &Plan) {
  SmallSetVector<GlobalVariable *, 8> Found;
  SmallSetVector<const Constant *, 32> Named;
  for (auto &UF : Act.unit().Functions)
    if (UF->Root || Plan.needsDerived(*UF))
      for (Instruction &I : instructions(UF->F))
        for (Value *O : I.operands())
          if (auto *K = dyn_cast<Constant>(O))
            Named.insert(K);
  for (size_t N = 0; N < Named.size(); ++N) {
    const Constant *K = Named[N];
    if (auto *G = dyn_cast<GlobalVariable>(K)) {
      if (!Act.shadowed(G))
        continue;
      Found.insert(const_cast<GlobalVariable *>(G));
      if (!G->hasInitializer())
        continue;
    } else if (isa<GlobalValue>(K)) {
      continue;
    }
    for (const Value *O : K->operands())
      Named.insert(cast<Constant>(O));
  }
  return Found;
}

} // namespace

void refuseShadow(const Instruction &I, const ActivityAnalysis &Act,
                  Reporter &R) {
  if (!Act.shadowed(&I) || isa<AllocaInst, PHINode>(I) ||
      isRepeatedOnShadows(I))
    return;
  if (auto *C = dyn_cast<CallBase>(&I)) {
    if (!hasShadow(*C, Act))
      R.error(Diag::UnknownShadow, C,
              {"it is returned by '" + C->getCalledOperand()->getName().str() +
               "'"});
    return;
  }
  const bool IsCompared = I.getType()->isAggregateType()
                              ? Act.unit().RuntimeActivity
                              : Act.comparesShadow(&I);
  if (!IsCompared && any_of(I.users(), [&](const User *U) {
        return readsShadow(*cast<Instruction>(U), I, Act);
      }))
    R.error(Diag::UnknownShadow, &I, {"a pointer of unknown origin"});
}

void refuseVariables(const ActivityAnalysis &Act, const UnitPlan &Plan,
                     Reporter &R) {
  const Unit &U = Act.unit();
  for (GlobalVariable *G : variablesOf(Act, Plan)) {
    if (U.Registered.shadowOf(*G))
      continue; // what is in its shadow at the start is the user's
    auto Refuse = [&](Diag Id) {
      R.error(Id, G, Act.unit().root().Source, {G->getName().str()});
    };
    // Every thread would clear what the others have added to.
    if (isGpu(U.M) && !isOfBlock(*G) && !G->isConstant())
      Refuse(Diag::DeviceGlobal);
    // Each derivative clears the numbers in a thread's shadow when the thread
    // first runs a region of it. Where a derivative of a derivative opens
    // teams, both would ask which region that is.
    if (!isGpu(U.M) && G->isThreadLocal() && U.opensTeams() &&
        !holdsPointers(*G, Act))
      Refuse(Diag::Parallel);
  }
}

} // namespace retro
