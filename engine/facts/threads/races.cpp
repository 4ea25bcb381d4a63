// Input: what each function of a unit adds to shadow memory. Output: how, and
// why so. Where threads meet and that is missed, a sum is lost.
#include "facts/threads/races.h"

#include "base/faults.h"
#include "base/toggles.h"
#include "facts/activity/needs.h"
#include "facts/threads/device_races.h"
#include "facts/threads/race_combining.h"
#include "front/requests/traits.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

RaceAnalysis::RaceAnalysis(const ActivityAnalysis &Act,
                           const WriteSummary &Writes)
    : Act(Act), Writes(Writes) {
  for (auto &UF : Act.unit().Functions)
    if (UF->Concurrent)
      collect(*UF);
}

/// Memory of a function's own that no other thread can have heard of.
bool RaceAnalysis::isPrivateObject(const Value *Object) {
  auto [It, New] = Private.try_emplace(Object, false);
  if (!New)
    return It->second;
  bool IsAllocated = isa<AllocaInst>(Object);
  if (auto *C = dyn_cast<CallBase>(Object))
    IsAllocated = knownCall(*C).isAllocation();
  return Private[Object] = IsAllocated && !PointerMayBeCaptured(
                                              Object, /*ReturnCaptures=*/false,
                                              /*MaxUsesToExplore=*/1 << 20);
}

bool RaceAnalysis::isPrivate(UnitFunction &UF, const Value *Ptr) {
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(Ptr, Objects, &UF.LI, /*MaxLookup=*/0);
  return all_of(Objects, [&](const Value *O) { return isPrivateObject(O); });
}

void RaceAnalysis::collect(UnitFunction &UF) {
  auto Add = [&](const Instruction &I, const Value *Ptr, uint64_t Bytes) {
    if (!isPrivate(UF, Ptr))
      Reads.push_back({&I, &UF, Ptr, Bytes, {Act.shape().classId(Ptr)}});
  };
  const DataLayout &DL = UF.F->getDataLayout();
  for (Instruction &I : instructions(*UF.F)) {
    if (auto *L = dyn_cast<LoadInst>(&I)) {
      if (Act.active(L))
        Add(I, L->getPointerOperand(),
            DL.getTypeStoreSize(L->getType()).getFixedValue());
      continue;
    }
    auto *C = dyn_cast<CallBase>(&I);
    if (!C || Act.unit().callee(*C))
      continue;
    KnownCall K = knownCall(*C);
    if (K.isCopy() && transferIsActive(Act, *C)) {
      Add(I, C->getArgOperand(static_cast<unsigned>(K.Row->B)), 0);
    } else if (K.Kind == KnownKind::Custom || K.Kind == KnownKind::Blas ||
               K.Kind == KnownKind::None) {
      SharedRead R{&I, &UF, nullptr, 0, {}};
      for (Value *A : C->args())
        if (A->getType()->isPointerTy() && Act.shadowed(A))
          R.Classes.push_back(Act.shape().classId(A));
      if (!R.Classes.empty())
        Reads.push_back(R);
    }
  }
}

/// Memory from outside that nobody writes.
bool RaceAnalysis::isOnlyRead(unsigned Class) const {
  auto [It, New] = OnlyRead.try_emplace(Class, false);
  const MemoryClass &C = Act.shape().classAt(Class);
  if (New)
    It->second = C.fromOutside() && C.Globals.empty() &&
                 none_of(Act.unit().Functions, [&](const auto &F) {
                   return Writes.writtenBy(*F).contains(Class);
                 });
  return It->second;
}

/// Equal pointers that are only read may all be noalias: so may their shadows.
bool RaceAnalysis::mayCoincide(const SharedRead &A, const SharedRead &B) const {
  return any_of(A.Classes, [&](unsigned X) {
    return any_of(B.Classes, [&](unsigned Y) {
      return Act.shape().mayCoincide(X, Y) || (isOnlyRead(X) && isOnlyRead(Y));
    });
  });
}

bool overwritesItself(const LoadInst &L, const Unit &U) {
  if (L.isAtomic())
    return false;
  for (const Instruction *I = L.getNextNode(); I; I = I->getNextNode()) {
    if (auto *S = dyn_cast<StoreInst>(I);
        S && !S->isAtomic() &&
        S->getPointerOperand()->stripPointerCasts() ==
            L.getPointerOperand()->stripPointerCasts() &&
        S->getValueOperand()->getType() == L.getType())
      return true;
    auto *C = dyn_cast<CallBase>(I);
    if (I->isAtomic() || isa<FenceInst>(I) ||
        (C &&
         (U.callee(*C) || !C->doesNotAccessMemory() || C->isConvergent()) &&
         !knownCall(*C).isPure() && !knownCall(*C).isRule()))
      return false;
  }
  return false;
}

/// What a proof on a device has to hold apart from One: it looks for the base
/// pointers itself, so all memory from outside is among it.
std::vector<const SharedRead *>
RaceAnalysis::among(const SharedRead &One) const {
  auto FromOutside = [&](const SharedRead &R) {
    return any_of(R.Classes, [&](unsigned C) {
      return Act.shape().classAt(C).fromOutside();
    });
  };
  std::vector<const SharedRead *> Together;
  for (const SharedRead &O : Reads)
    if (mayCoincide(One, O) || (FromOutside(One) && FromOutside(O)))
      Together.push_back(&O);
  return Together;
}

/// -Rpass=retro: what needs no atomic operation; -Rpass-missed=retro: the rest.
void RaceAnalysis::remark(const UnitFunction &UF, const SharedRead &R,
                          Sharing How, StringRef Reason) {
  const Function &F = *UF.Source;
  OptimizationRemarkEmitter ORE(&F);
  DiagnosticLocation At(R.At->getDebugLoc());
  std::string Name = displayName(F);
  auto Say = [&](auto Remark) {
    Remark << "the adjoint of what '" << Name << "' reads here is added "
           << (How == Sharing::Atomic    ? "atomically: "
               : How == Sharing::Reduced ? "as the sum of a warp: "
                                         : "plainly: ")
           << Reason.str();
    ORE.emit(Remark);
  };
  if (How == Sharing::Atomic)
    Say(OptimizationRemarkMissed("retro", "AtomicAdjoint", At, &F.front()));
  else
    Say(OptimizationRemark("retro", "ExclusiveAdjoint", At, &F.front()));
}

SharedAdjoints RaceAnalysis::of(UnitFunction &UF) {
  SharedAdjoints Found;
  if (UF.Concurrent && isGpu(Act.unit().M))
    onDevice(UF, Found);
  else if (UF.Concurrent)
    onHost(UF, Found);
  return Found;
}

void RaceAnalysis::onHost(UnitFunction &UF, SharedAdjoints &Found) {
  const Traits Modes = traitsOf(Act.unit());
  std::optional<AffineProof> Proof;
  for (const SharedRead &R : Reads) {
    if (R.In != &UF || !R.Ptr)
      continue;
    auto Decide = [&]() -> Sharing {
      if (isPlanted(Fault::SharedSum))
        return Sharing::Affine;
      if (!isOn(Toggle::race_proofs))
        return Sharing::Atomic;
      if (auto *L = dyn_cast<LoadInst>(R.At);
          L && overwritesItself(*L, Act.unit()))
        return Sharing::Overwritten;
      SmallVector<const SharedRead *> Together;
      for (const SharedRead &O : Reads)
        if (mayCoincide(R, O)) {
          if (O.In != &UF || !O.Ptr)
            return Sharing::Atomic;
          Together.push_back(&O);
        }
      if (!Proof)
        Proof.emplace(UF, Act, Writes);
      if (Proof->disjoint(Together, R))
        return Sharing::Affine;
      return applies(Toggle::apart_if, Modes) &&
                     Proof->disjointIfApart(Together, R, Found)
                 ? Sharing::Apart
                 : Sharing::Atomic;
    };
    Sharing S = Decide();
    Found.Shared[R.At] = S;
    counters().race_proofs += S != Sharing::Atomic;
  }
  if (applies(Toggle::omp_combine, Modes))
    combine(UF, Found);
}

/// Lets threads add up their own parts of what several of them read, unless
/// something unknown reads it, too. Others may add to a place of their own
/// plainly: no barrier lies between, so nobody else has anything for it.
void RaceAnalysis::combine(UnitFunction &UF, SharedAdjoints &Found) {
  std::optional<Combining> Parts;
  SmallVector<const SharedRead *> Unknown;
  for (const SharedRead &R : Reads)
    if (!R.Ptr)
      Unknown.push_back(&R);
  for (const SharedRead &R : Reads) {
    if (R.In != &UF || !R.Ptr || Found.Shared[R.At] != Sharing::Atomic)
      continue;
    auto *L = dyn_cast<LoadInst>(R.At);
    if (!L || any_of(Unknown,
                     [&](const SharedRead *O) { return mayCoincide(R, *O); }))
      continue;
    if (!Parts)
      Parts.emplace(UF, Act, Writes);
    if (Parts->allows(*L, Found.Settled)) {
      Found.Shared[R.At] = Sharing::Combined;
      ++counters().omp_combine;
    }
  }
}

void RaceAnalysis::onDevice(UnitFunction &UF, SharedAdjoints &Found) {
  std::optional<DeviceProof> Proof;
  for (const SharedRead &R : Reads) {
    if (R.In != &UF || !R.Ptr)
      continue;
    auto Decide = [&]() -> DeviceProof::Verdict {
      if (isPlanted(Fault::SharedSum))
        return {Sharing::Affine, "a planted fault"};
      if (!isOn(Toggle::race_proofs))
        return {Sharing::Atomic, "proofs are off"};
      if (auto *L = dyn_cast<LoadInst>(R.At);
          L && overwritesItself(*L, Act.unit()))
        return {Sharing::Overwritten, "the thread overwrites it"};
      if (!Proof)
        Proof.emplace(Act, UF);
      return Proof->decide(R, among(R));
    };
    auto [How, Reason] = Decide();
    Found.Shared[R.At] = How;
    counters().race_proofs += How != Sharing::Atomic && How != Sharing::Reduced;
    counters().warp_sums += How == Sharing::Reduced;
    remark(UF, R, How, Reason);
  }
}

} // namespace retro
