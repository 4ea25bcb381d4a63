// Which results in memory nobody needs: neither the caller, who has said so,
// nor what is derived. Without it the forward pass would compute, and keep the
// inputs of, what is thrown away. Members of ActivityAnalysis (activity.h).
#include "facts/activity/activity.h"

#include "facts/parallel/forks.h"
#include "front/known/known_functions.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

/// Can I's derivative be found without the value of its operand V, and is I
/// nothing but its result?
bool ActivityAnalysis::isFreeOf(const Instruction &I, const Value *V) const {
  if (!V->getType()->isFPOrFPVectorTy())
    return false;
  // A product's derivative is a multiple of the other factor's.
  auto Factor = [&](unsigned N) {
    const Value *Other = I.getOperand(1 - N);
    return I.getOperand(N) == V && Other != V && !active(Other);
  };
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FNeg:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::PHI:
  case Instruction::Freeze:
  case Instruction::Select:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    return true;
  case Instruction::FMul:
    return Factor(0) || Factor(1);
  case Instruction::FDiv:
    return Factor(0);
  case Instruction::Call:
    switch (cast<CallInst>(I).getIntrinsicID()) {
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
      return Factor(0) || Factor(1) ||
             (I.getOperand(0) != V && I.getOperand(1) != V);
    default:
      return false;
    }
  default:
    return false;
  }
}

/// What calls and operations on memory read, other than loads.
void ActivityAnalysis::findRead(DenseSet<unsigned> &Read) {
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto *C = dyn_cast<CallBase>(&I);
      if (C && !U.callee(*C)) {
        KnownCall K = knownCall(*C);
        if (K.Kind == KnownKind::Custom)
          for (unsigned Id : Shape.reachedBy(*C))
            Read.insert(Id);
        for (unsigned N = 0; N < C->arg_size(); ++N)
          if (Value *A = C->getArgOperand(N);
              A->getType()->isPointerTy() && !isa<Constant>(A) &&
              !(K.isCopy() && static_cast<int>(N) == K.Row->A))
            Read.insert(Shape.classId(A));
      } else if (!isa<StoreInst, LoadInst>(I)) {
        if (const Value *P = getPointerOperand(&I);
            P && I.mayReadFromMemory() && !isa<Constant>(P))
          Read.insert(Shape.classId(P));
      }
    }
}

/// Is what UF returns needed, whatever its calls are for?
bool ActivityAnalysis::returnsNeeded(const UnitFunction &UF) const {
  if (UF.Root)
    return U.ResultWanted;
  return UF.Seeded || !all_of(UF.F->uses(), [&](const Use &X) {
           const CallBase *C = plainCall(X);
           return C && U.find(C->getFunction());
         });
}

/// Memory that only DupNoNeed arguments reach.
static DenseSet<unsigned> onlyOfDupNoNeed(const MemoryShape &Shape) {
  DenseSet<unsigned> Found;
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id) {
    const MemoryClass &C = Shape.classAt(Id);
    if (Shape.isRepresentative(Id) && C.Origins == FromDup && !C.Needed)
      Found.insert(Id);
  }
  return Found;
}

/// Such memory of which nothing is read but to compute what is stored in such
/// memory; and values that are needed, as the results of calls may not be.
void ActivityAnalysis::findUnneeded() {
  if (U.Errors) // how much is rounded is seen by the value
    return;
  Unneeded = onlyOfDupNoNeed(Shape);
  MapVector<unsigned, SmallVector<StoreInst *>> Stores; ///< by class
  SmallVector<Instruction *> Work;
  auto Need = [&](Value *V) {
    if (auto *I = dyn_cast<Instruction>(V); I && Needed.insert(I).second)
      Work.push_back(I);
  };
  auto NeedClass = [&](unsigned Class) {
    SmallVector<unsigned> Found;
    for (unsigned Id : Unneeded)
      if (Shape.mayCoincide(Class, Id))
        Found.push_back(Id);
    for (unsigned Id : Found) {
      Unneeded.erase(Id);
      for (StoreInst *S : Stores[Id])
        Need(S->getValueOperand());
    }
  };
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      if (isa<ReturnInst>(I) && !returnsNeeded(*UF))
        continue;
      auto *S = dyn_cast<StoreInst>(&I);
      const unsigned Id = S ? Shape.classId(S->getPointerOperand()) : 0;
      const bool Drops = S && Unneeded.contains(Id);
      if (Drops)
        Stores[Id].push_back(S);
      for (Value *V : I.operands())
        if (!isFreeOf(I, V) && !(Drops && V == S->getValueOperand()))
          Need(V);
    }
  if (!Unneeded.empty()) {
    DenseSet<unsigned> Read;
    findRead(Read);
    for (unsigned Id : Read)
      NeedClass(Id);
  }
  while (!Work.empty()) {
    Instruction *I = Work.pop_back_val();
    if (auto *L = dyn_cast<LoadInst>(I))
      NeedClass(Shape.classId(L->getPointerOperand()));
    auto *C = dyn_cast<CallBase>(I);
    if (UnitFunction *G = C ? U.callee(*C) : nullptr)
      for (BasicBlock &B : *G->F)
        if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator());
            Ret && Ret->getReturnValue())
          Need(Ret->getReturnValue());
    for (Value *V : I->operands())
      if (isFreeOf(*I, V))
        Need(V);
  }
  findUnneededApart();
}

/// Stores into arrays that the program has found apart.
void ActivityAnalysis::findUnneededApart() {
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F))
      if (auto *S = dyn_cast<StoreInst>(&I);
          S && S->hasMetadata(ApartFrom) && isUnneeded(*S, *UF))
        UnneededStores.insert(S);
}

/// Of arrays that the program has found apart: does nothing that follows read
/// what S stores in memory that only DupNoNeed arguments reach?
bool ActivityAnalysis::isUnneeded(StoreInst &S, UnitFunction &UF) {
  const unsigned Id = Shape.classId(S.getPointerOperand());
  const MemoryClass &C = Shape.classAt(Id);
  if (!UF.Root || !S.isSimple() || C.Origins != FromDup || C.Needed)
    return false;
  // Other functions of the unit might be called from anywhere.
  return U.Functions.size() == 1 &&
         all_of(instructions(*UF.F), [&](Instruction &I) {
           auto *L = dyn_cast<LoadInst>(&I);
           return !I.mayReadFromMemory() ||
                  !isPotentiallyReachable(&S, &I, nullptr, &UF.DT, &UF.LI) ||
                  (L && (areApart(S, *L) ||
                         !Shape.mayCoincide(
                             Id, Shape.classId(L->getPointerOperand()))));
         });
}

} // namespace retro
