// Where memory that threads read under two names may be the same, the program
// can find out whether it is: each name's extent is known when a region begins.
// Without the extents it could only add atomically. Members of AffineProof
// (races.h).
#include "base/scev.h"
#include "facts/threads/races.h"
#include "front/known/known_functions.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"

using namespace llvm;

namespace retro {
namespace {

constexpr size_t MostExtents = 24; ///< of one function

/// Can V be computed wherever the region's arguments are known?
bool isGiven(const Value *V, unsigned Depth = 0) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return isa<ConstantInt>(V) ||
           (isa<Argument>(V) && cast<Argument>(V)->getArgNo() >= 2);
  return Depth < 8 && isa<BinaryOperator, CastInst>(I) &&
         isSafeToSpeculativelyExecute(I) &&
         all_of(
             I->operands(),
             [&](const Value *O) { return isGiven(O, Depth + 1); });
}

/// What a variable holds before At, by a store in that block.
const Value *storedBefore(const Instruction &At, const Value *Place) {
  for (const Instruction *I = At.getPrevNode(); I; I = I->getPrevNode())
    if (auto *S = dyn_cast<StoreInst>(I); S && S->getPointerOperand() == Place)
      return S->getValueOperand();
  return nullptr;
}

const Argument *argumentOf(const SCEV *S) {
  auto *U = dyn_cast<SCEVUnknown>(S);
  auto *A = U ? dyn_cast<Argument>(U->getValue()) : nullptr;
  return A && A->getType()->isPointerTy() ? A : nullptr;
}

/// The number of E among these; extents of one loop by one name are one.
std::optional<unsigned> numberOf(const SharedExtent &E,
                                 SmallVectorImpl<SharedExtent> &Extents) {
  for (auto [N, Old] : enumerate(Extents))
    if (Old.Base == E.Base && Old.Stride == E.Stride && Old.First == E.First &&
        Old.Last == E.Last) {
      Old.Low = std::min(Old.Low, E.Low);
      Old.High = std::max(Old.High, E.High);
      return static_cast<unsigned>(N);
    }
  if (Extents.size() == MostExtents)
    return std::nullopt;
  Extents.push_back(E);
  return static_cast<unsigned>(Extents.size() - 1);
}

} // namespace

/// All iterations of the loop that is shared out, as the runtime is told.
bool AffineProof::findIterations(const Form &F, SharedExtent &E) const {
  const Value *Place = nullptr;
  if (auto *U = dyn_cast<SCEVUnknown>(F.First))
    if (auto *L = dyn_cast<LoadInst>(U->getValue()))
      Place = L->getPointerOperand();
  if (!Place)
    return false;
  // One sharing out alone: code may be there twice, with other bounds.
  const CallBase *Init = nullptr;
  for (const User *U : Place->users()) {
    auto *C = dyn_cast<CallBase>(U);
    KnownCall K = C ? knownCall(*C) : KnownCall();
    if (K.Kind != KnownKind::Share || !isStatic(K.Row->word<ShareForm>()) ||
        C->getArgOperand(static_cast<unsigned>(K.Row->A)) != Place)
      continue;
    if (Init)
      return false;
    Init = C;
  }
  if (!Init)
    return false;
  const KnownFunction &Row = *knownCall(*Init).Row;
  E.First = storedBefore(*Init, Place);
  E.Last =
      storedBefore(*Init, Init->getArgOperand(static_cast<unsigned>(Row.B)));
  E.IsUnsigned = isUnsigned(Row.word<ShareForm>());
  return E.First && E.Last && isGiven(E.First) && isGiven(E.Last);
}

std::optional<SharedExtent> AffineProof::extentOf(const SharedRead &R) {
  SharedExtent E;
  if (auto F = formOf(R)) {
    E.Base = argumentOf(F->Base);
    E.Low = F->Low;
    E.High = F->High;
    E.Stride = F->Stride;
    return E.Base && findIterations(*F, E) ? std::optional(E) : std::nullopt;
  }
  const SCEV *At = scevOf(SE, R.Ptr);
  const SCEV *Base = SE.getPointerBase(At);
  E.Base = argumentOf(Base);
  if (!E.Base || !R.Bytes)
    return std::nullopt;
  const ConstantRange Far = SE.getSignedRange(SE.getMinusSCEV(At, Base));
  if (Far.getSignedMin().getSignificantBits() > 32 ||
      Far.getSignedMax().getSignificantBits() > 32)
    return std::nullopt;
  E.Low = Far.getSignedMin().getSExtValue();
  E.High = Far.getSignedMax().getSExtValue() + static_cast<int64_t>(R.Bytes);
  return E;
}

bool AffineProof::disjointIfApart(ArrayRef<const SharedRead *> Together,
                                  const SharedRead &One,
                                  SharedAdjoints &Found) {
  std::optional<Form> F = isSharedOutOnce() ? formOf(One) : std::nullopt;
  std::optional<SharedExtent> Mine = F ? extentOf(One) : std::nullopt;
  if (!Mine || meets(*F->Share, nullptr))
    return false;
  SmallVector<const SharedRead *> Same;
  SmallVector<SharedExtent> Others;
  for (const SharedRead *R : Together) {
    std::optional<SharedExtent> E = extentOf(*R);
    if (E && E->Base != Mine->Base)
      Others.push_back(*E);
    else
      Same.push_back(R);
  }
  if (Others.empty() || !disjoint(*F, Same))
    return false;
  auto Tried = Found.Extents;
  auto N = numberOf(*Mine, Tried);
  SmallVector<unsigned> Rest;
  for (const SharedExtent &E : Others)
    if (auto Of = N ? numberOf(E, Tried) : std::nullopt)
      Rest.push_back(*Of);
    else
      return false;
  Found.Extents = std::move(Tried);
  for (unsigned Of : Rest)
    Found.ApartIf.insert({std::min(*N, Of), std::max(*N, Of)});
  return true;
}

} // namespace retro
