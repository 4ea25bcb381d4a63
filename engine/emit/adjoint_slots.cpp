// The adjoints of values in the reverse pass: a variable for each, which
// simplification makes a value, and sums in it. Without the variables what two
// blocks add to one adjoint would have to meet in phis that nobody has planned.
// Members of ReverseSweep (emit/common/reverse_sweep.h).
#include "base/faults.h"
#include "emit/common/reverse_sweep.h"

using namespace llvm;

namespace retro {

/// The block of the reverse pass that runs, once, before all that add to V's
/// adjoint; null: its entry. Variables that live longer than they need to cost
/// compile time that grows with the square of the function.
BasicBlock *ReverseSweep::beforeUses(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || UF.LI.getLoopFor(I->getParent()))
    return nullptr;
  if (!After)
    After.emplace(*UF.F);
  const BasicBlock *Last = I->getParent();
  for (const User *U : I->users()) {
    auto *X = cast<Instruction>(U);
    if (X->isTerminator())
      return nullptr;
    Last = After->findNearestCommonDominator(Last, X->getParent());
    if (!Last)
      return nullptr;
  }
  auto Runs = [&](const BasicBlock *X) {
    auto V = P.Blocks.find(X);
    return X == P.exitBlock || (V != P.Blocks.end() && V->second.Works);
  };
  while (UF.LI.getLoopFor(Last) || !Runs(Last)) {
    const auto *Up = After->getNode(Last)->getIDom();
    Last = Up ? Up->getBlock() : nullptr;
    if (!Last)
      return nullptr;
  }
  return Blocks.lookup(Last);
}

AllocaInst *ReverseSweep::adjointSlot(const Value *V) {
  AllocaInst *&Slot = Adjoints[V];
  if (!Slot) {
    IRBuilder<> EB(EntryPoint);
    Type *Ty = Act.adjointType(V);
    Slot = EB.CreateAlloca(Ty, nullptr, V->getName() + ".adj");
    if (BasicBlock *At = beforeUses(V))
      EB.SetInsertPoint(At, At->begin());
    EB.CreateStore(Constant::getNullValue(Ty), Slot);
  }
  return Slot;
}

/// Is V used in its own block only? Then its adjoint is zero whenever the
/// reverse of the block begins.
bool ReverseSweep::staysInBlock(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return I && all_of(I->users(), [&](const User *U) {
           auto *X = cast<Instruction>(U);
           return X->getParent() == I->getParent() && !isa<PHINode>(X) &&
                  !X->isTerminator();
         });
}

// Most adjoints live in one block. They are passed on as values there, or LLVM
// would have to find that out, in time that grows with the square of the block.
Value *ReverseSweep::adjoint(const Value *V) {
  SlotValue &S = Current[V];
  if (!S.In && staysInBlock(V))
    return Constant::getNullValue(Act.adjointType(V));
  if (S.In && S.In == B.GetInsertBlock())
    return S.G;
  AllocaInst *Slot = adjointSlot(V);
  return B.CreateLoad(Slot->getAllocatedType(), Slot);
}

void ReverseSweep::setAdjoint(const Value *V, Value *G) {
  AllocaInst *Slot = adjointSlot(V);
  retroAssert(G->getType() == Slot->getAllocatedType(), "emit", UF.F,
              "an adjoint has the type that adjoints of its value have");
  B.CreateStore(G, Slot);
  Current[V] = {B.GetInsertBlock(), G};
}

void ReverseSweep::dropUnreadSlots() {
  E.forLanes([&] {
    for (auto &[V, Slot] : Adjoints.all())
      if (Slot && all_of(Slot->users(), IsaPred<StoreInst>)) {
        for (User *U : make_early_inc_range(Slot->users()))
          cast<Instruction>(U)->eraseFromParent();
        Slot->eraseFromParent();
        Slot = nullptr;
      }
  });
}

Value *ReverseSweep::add(Value *A, Value *C) {
  Type *Ty = A->getType();
  if (auto *Z = dyn_cast<Constant>(A); Z && Z->isNullValue())
    return C;
  if (Ty->isFPOrFPVectorTy()) {
    // The sign of a zero adjoint means nothing; 0 + x is x.
    FastMathFlags FMF = B.getFastMathFlags();
    FMF.setNoSignedZeros();
    FMF.setAllowReassoc();
    Value *S = B.CreateFAdd(A, C);
    if (auto *I = dyn_cast<Instruction>(S))
      I->setFastMathFlags(FMF);
    return S;
  }
  // Aggregates: number by number; what is no number has no adjoint.
  Value *R = A;
  unsigned N = Ty->isStructTy() ? Ty->getStructNumElements()
               : Ty->isArrayTy()
                   ? static_cast<unsigned>(Ty->getArrayNumElements())
                   : 0;
  for (unsigned I = 0; I < N; ++I) {
    Value *X = B.CreateExtractValue(A, I);
    if (containsFloat(X->getType()))
      R = B.CreateInsertValue(R, add(X, B.CreateExtractValue(C, I)), I);
  }
  return R;
}

void ReverseSweep::addAdjoint(const Value *V, Value *G) {
  if (!Act.active(V))
    return;
  G = derivativeAs(B, G, Act.adjointType(V));
  setAdjoint(V, isPlanted(Fault::DroppedSum) ? G : add(adjoint(V), G));
}

Value *ReverseSweep::takeAdjoint(const Value *V) {
  Value *G = adjoint(V);
  setAdjoint(V, Constant::getNullValue(G->getType()));
  return G;
}

} // namespace retro
