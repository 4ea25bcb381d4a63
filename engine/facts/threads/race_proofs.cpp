// Threads that share out the iterations of a loop, each of which reads memory
// at Base + Stride (First + k) + r for r in [Low, High) in its k-th iteration:
// with High - Low <= |Stride| no two iterations read the same byte. Their
// additions to the shadow need no atomic operation then, without which none of
// them would run in vectors. Members of AffineProof (races.h).
#include "base/scev.h"
#include "facts/parallel/forks.h"
#include "facts/parallel/synchronization.h"
#include "facts/threads/races.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

const SCEV *stripCasts(const SCEV *S) {
  while (auto *C = dyn_cast<SCEVCastExpr>(S))
    S = C->getOperand();
  return S;
}

bool isInit(const CallBase &C) {
  KnownCall K = knownCall(C);
  return K.Kind == KnownKind::Share && !K.Row->says(ShareForm::Next);
}

} // namespace

AffineProof::AffineProof(UnitFunction &UF, const ActivityAnalysis &Act,
                         const WriteSummary &Writes)
    : UF(UF), Act(Act), Writes(Writes),
      SE(Act.unit().FAM.getResult<ScalarEvolutionAnalysis>(*UF.F)) {
  for (Instruction &I : instructions(*UF.F))
    if (auto *C = dyn_cast<CallBase>(&I))
      if (KnownCall K = knownCall(*C);
          K.Kind == KnownKind::Share && !hasValues(K.Row->word<ShareForm>())) {
        FirstAt.insert(C->getArgOperand(static_cast<unsigned>(K.Row->A)));
        LastAt.insert(C->getArgOperand(static_cast<unsigned>(K.Row->B)));
      }
}

/// Is V the same in all threads of the team? Of what a region is given, all
/// but the places of the thread's number.
bool AffineProof::isUniform(const Value *V, unsigned Depth) const {
  if (auto *C = dyn_cast<Constant>(V))
    return !C->isThreadDependent();
  if (auto *A = dyn_cast<Argument>(V))
    return A->getArgNo() >= 2;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > 8)
    return false;
  if (auto *L = dyn_cast<LoadInst>(I)) {
    unsigned Class = Act.shape().classId(L->getPointerOperand());
    for (auto &F : Act.unit().Functions)
      if (F->Concurrent)
        for (unsigned W : Writes.writtenBy(*F))
          if (Act.shape().mayCoincide(W, Class))
            return false;
    return isUniform(L->getPointerOperand(), Depth + 1);
  }
  if (I->mayReadOrWriteMemory() || isa<PHINode, AllocaInst, CallBase>(I))
    return false;
  return all_of(I->operands(),
                [&](const Value *O) { return isUniform(O, Depth + 1); });
}

bool AffineProof::isUniform(const SCEV *S) const {
  return !SCEVExprContains(S, [&](const SCEV *X) {
    if (isa<SCEVAddRecExpr>(X))
      return true;
    auto *U = dyn_cast<SCEVUnknown>(X);
    return U && !isUniform(U->getValue());
  });
}

/// The first iteration of the share, or of a piece of it.
bool AffineProof::isFirst(const SCEV *S, const Loop *Share) const {
  S = stripCasts(S);
  if (auto *R = dyn_cast<SCEVAddRecExpr>(S))
    return R->getLoop() != Share && R->getLoop()->contains(Share) &&
           isFirst(R->getStart(), Share);
  auto *U = dyn_cast<SCEVUnknown>(S);
  auto *L = U ? dyn_cast<LoadInst>(U->getValue()) : nullptr;
  return L && FirstAt.contains(L->getPointerOperand());
}

/// Does the loop end where the thread's share does?
bool AffineProof::isSharedOut(const Loop &L) const {
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  return !isa<SCEVCouldNotCompute>(Count) &&
         SCEVExprContains(Count, [&](const SCEV *X) {
           auto *U = dyn_cast<SCEVUnknown>(X);
           auto *Ld = U ? dyn_cast<LoadInst>(U->getValue()) : nullptr;
           return Ld && LastAt.contains(Ld->getPointerOperand());
         });
}

/// Takes the steps of loops off S, up to and with those of the loop that is
/// shared out. Returns what is left, the start, or null.
const SCEV *AffineProof::startOfShare(const SCEV *S, Form &F) const {
  for (;;) {
    auto *Rec = dyn_cast<SCEVAddRecExpr>(S);
    if (!Rec || !Rec->isAffine())
      return nullptr;
    auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
    if (!Step || Step->getAPInt().getSignificantBits() > 32)
      return nullptr;
    int64_t Bytes = Step->getAPInt().getSExtValue();
    S = Rec->getStart();
    if (isSharedOut(*Rec->getLoop())) {
      F.Share = Rec->getLoop();
      F.Stride = Bytes;
      return S;
    }
    // A loop in the share, of a number of iterations that is known.
    auto *Most = dyn_cast<SCEVConstant>(
        SE.getConstantMaxBackedgeTakenCount(Rec->getLoop()));
    if (!Most || Most->getAPInt().getActiveBits() > 24)
      return nullptr;
    int64_t Far = Bytes * static_cast<int64_t>(Most->getAPInt().getZExtValue());
    (Far < 0 ? F.Low : F.High) += Far;
  }
}

std::optional<AffineProof::Form> AffineProof::formOf(const SharedRead &R) {
  if (!R.Bytes)
    return std::nullopt;
  Form F;
  F.High = static_cast<int64_t>(R.Bytes);
  const SCEV *S = startOfShare(scevOf(SE, R.Ptr), F);
  if (!S)
    return std::nullopt;
  // The start: Base + Stride First + a constant.
  SmallVector<const SCEV *> Terms{S}, Rest;
  if (auto *A = dyn_cast<SCEVAddExpr>(S))
    Terms.assign(A->operands().begin(), A->operands().end());
  for (const SCEV *T : Terms) {
    if (auto *C = dyn_cast<SCEVConstant>(T)) {
      F.Low += C->getAPInt().getSExtValue();
      F.High += C->getAPInt().getSExtValue();
      continue;
    }
    auto *M = dyn_cast<SCEVMulExpr>(T);
    auto *By = M && M->getNumOperands() == 2
                   ? dyn_cast<SCEVConstant>(M->getOperand(0))
                   : nullptr;
    const SCEV *Of = By ? M->getOperand(1) : T;
    int64_t Times = By ? By->getAPInt().getSExtValue() : 1;
    if (Times == F.Stride && !F.First && isFirst(Of, F.Share))
      F.First = stripCasts(Of);
    else
      Rest.push_back(T);
  }
  if (!F.First || Rest.empty() ||
      !all_of(Rest, [&](const SCEV *T) { return isUniform(T); }))
    return std::nullopt;
  F.Base = Rest.size() == 1 ? Rest[0] : SE.getAddExpr(Rest);
  return F;
}

/// Can a thread run Other (null: another start of the same sharing out) while
/// another one runs Share? Barriers keep them apart.
bool AffineProof::meets(const Loop &Share, const Instruction *Other) const {
  auto Reaches = [&](ArrayRef<const Instruction *> From, auto Is) {
    SmallPtrSet<const BasicBlock *, 16> Seen;
    SmallVector<const Instruction *> Work(From);
    while (!Work.empty()) {
      const Instruction *I = Work.pop_back_val();
      bool Stopped = false;
      for (; I; I = I->getNextNode()) {
        if (Is(*I))
          return true;
        auto *C = dyn_cast<CallBase>(I);
        if ((Stopped = C && syncOf(*C) == Sync::Barrier))
          break;
        if (I->isTerminator())
          for (const BasicBlock *S : successors(I->getParent()))
            if (Seen.insert(S).second)
              Work.push_back(&S->front());
      }
    }
    return false;
  };
  SmallVector<BasicBlock *> Exits;
  Share.getUniqueExitBlocks(Exits);
  SmallVector<const Instruction *> After;
  for (BasicBlock *B : Exits)
    After.push_back(&B->front());
  if (Other)
    return Reaches(After, [&](const Instruction &I) { return &I == Other; }) ||
           Reaches({Other}, [&](const Instruction &I) {
             return I.getParent() == Share.getHeader();
           });
  return Reaches(After, [&](const Instruction &I) {
    auto *C = dyn_cast<CallBase>(&I);
    return C && isInit(*C);
  });
}

/// A team for each thread of another team: they share nothing out.
bool AffineProof::isSharedOutOnce() {
  return all_of(UF.F->users(), [&](const User *U) {
    auto *C = dyn_cast<CallBase>(U);
    UnitFunction *Caller = C ? Act.unit().find(C->getFunction()) : nullptr;
    return !C || (isFork(*C) && Caller && !Caller->Concurrent);
  });
}

bool AffineProof::disjoint(ArrayRef<const SharedRead *> Together,
                           const SharedRead &One) {
  std::optional<Form> F = isSharedOutOnce() ? formOf(One) : std::nullopt;
  return F && !meets(*F->Share, nullptr) && disjoint(*F, Together);
}

bool AffineProof::disjoint(const Form &F,
                           ArrayRef<const SharedRead *> Together) {
  int64_t Low = F.Low, High = F.High;
  for (const SharedRead *R : Together) {
    if (!F.Share->contains(R->At)) {
      if (meets(*F.Share, R->At))
        return false;
      continue;
    }
    std::optional<Form> G = formOf(*R);
    if (!G || G->Share != F.Share || G->Base != F.Base || G->First != F.First ||
        G->Stride != F.Stride)
      return false;
    Low = std::min(Low, G->Low);
    High = std::max(High, G->High);
  }
  return High - Low <= std::abs(F.Stride);
}

} // namespace retro
