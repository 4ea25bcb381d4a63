// Input: the facts of a unit. Output: what its plan says in both modes: which
// functions have a derivative, whose library starts teams, which shadows of
// static pointers an earlier derivative has left, and which of these pointers
// must not lead to what else is there. Emission would have to ask for each of
// these what the unit is, and could find one thing for a call and another for
// what it enters. Members of UnitPlan (planner.h).
#include "plan/planner.h"

#include "base/toggles.h"
#include "facts/activity/mpi_calls.h"
#include "facts/parallel/forks.h"
#include "facts/parallel/synchronization.h"
#include "facts/types/declared_types.h"
#include "front/names/foreign.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

/// Does I touch shadows or adjoints?
bool UnitPlan::isDerived(const Instruction &I) const {
  bool Yes = Act.active(&I) || Act.shadowed(&I);
  if (auto *S = dyn_cast<StoreInst>(&I))
    Yes |= Act.shadowed(S->getPointerOperand());
  if (auto *C = dyn_cast<CallBase>(&I)) {
    Yes |= syncOf(*C) != Sync::None || mpiHasWork(*C);
    if (const UnitFunction *G = Act.unit().callee(*C))
      Yes |= Derived.contains(G);
    else
      for (const Value *A : C->args())
        Yes |= A->getType()->isPointerTy() && Act.shadowed(A);
  }
  return Yes;
}

/// Functions that touch shadows or adjoints, directly or in what they call.
/// Calls of all others enter the user's function: without the distinction every
/// function that a program calls would be emitted again, and called with
/// shadows that it never reads.
void UnitPlan::findDerived() {
  auto Touches = [&](const UnitFunction &UF) {
    // An instrumented pass is instrumented throughout.
    return (ChecksActivity && !UF.F->isVarArg()) ||
           // What one of them takes from the heap another one gives back.
           UF.F->hasFnAttribute(OfResource) ||
           any_of(UF.F->args(),
                  [&](const Argument &A) {
                    return Act.active(&A) || Act.shadowed(&A);
                  }) ||
           any_of(instructions(UF.F),
                  [&](const Instruction &I) { return isDerived(I); });
  };
  for (bool Again = true; Again;) {
    Again = false;
    for (auto &UF : Act.unit().Functions)
      if (!Derived.contains(UF.get()) && Touches(*UF))
        Again |= Derived.insert(UF.get()).second;
  }
}

/// The program has it where it starts teams of its own.
bool UnitPlan::startsOpenMpTeams() const {
  const Unit &U = Act.unit();
  auto Forks = [](const Instruction &I) {
    auto *C = dyn_cast<CallBase>(&I);
    return C && isFork(*C);
  };
  return any_of(U.Functions,
                [&](const auto &UF) {
                  return any_of(instructions(UF->F), Forks);
                }) &&
         any_of(U.M, [](const Function &F) {
           return isA(F.getName(), NameKind::OpensTeam);
         });
}

/// Pointers in G to memory that an earlier derivative has allocated, but for
/// those that are made anew with what they lead to.
SmallVector<ForgottenPointers>
UnitPlan::forgottenIn(const GlobalVariable &G) const {
  SmallVector<ForgottenPointers> Out;
  for (const StaticPointers &P : Kept.unrenewed(Act, G))
    if (Act.mayLackShadow(P.Target) || Act.mayHaveImage(P.Target))
      Out.push_back(P.Places);
  return Out;
}

/// What is derived again points to its shadows from the start.
void UnitPlan::findForgotten() {
  if (Act.unit().DerivedAgain)
    return;
  const MemoryShape &Shape = Act.shape();
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id) {
    if (!Shape.isRepresentative(Id) || !Shape.classAt(Id).Shadowed)
      continue;
    for (const GlobalVariable *G : Shape.classAt(Id).Globals)
      if (auto Found = forgottenIn(*G); !Found.empty())
        Forgotten[G] = std::move(Found);
  }
}

/// What the images of a derivative have to know of memory that has a shadow of
/// its own.
void UnitPlan::findImages() {
  if (!Act.hasImages())
    return;
  Unit &U = Act.unit();
  const MemoryShape &Shape = Act.shape();
  auto Where = [&](unsigned Id) { return Shape.classAt(Id).Where; };
  for (unsigned Of = 0; Of < Shape.numClasses(); ++Of) {
    if (!Shape.isRepresentative(Of) || Where(Of) == MemoryClass::Shadows::Own)
      continue;
    auto Matters = [&](unsigned Id) {
      return Where(Id) != MemoryClass::Shadows::Own ||
             (Shape.classAt(Id).Shadowed &&
              holdAlike(Shape, Id, Of, {CellKind::Float}));
    };
    for (const KnownBegin &X : variables(U, Shape, Matters))
      Imaged[Of].push_back({X, Where(X.Class) != MemoryClass::Shadows::Own ||
                                   Shape.classAt(X.Class).LedBy != 0});
  }
  copy_if(givenMemory(U, Shape), std::back_inserter(WithoutImages),
          [&](const KnownBegin &X) {
            return Shape.classAt(X.Class).Shadowed &&
                   Where(X.Class) != MemoryClass::Shadows::Images;
          });
}

void UnitPlan::planUnit() {
  ChecksActivity = checkPlanRequested() && !Act.unit().KeepAccumulations &&
                   none_of(Act.unit().Functions,
                           [](const auto &F) { return F->Concurrent; });
  OpenMpTeams = startsOpenMpTeams();
  findDerived();
  findForgotten();
  Separate = findSeparateMemory(Act, Kept);
  findImages();
}

} // namespace retro
