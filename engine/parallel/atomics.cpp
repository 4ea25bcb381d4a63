// Atomic operations on numbers. Sums whose intermediate values nobody reads
// commute, and so do their derivatives. What reads such a value has its turn:
// the operation becomes ordinary code between two calls that exclude other
// threads, and the reverse pass takes the turns in the opposite order.
#include "parallel/lowering.h"

#include "parallel/choices.h"
#include "unit.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace retro {
namespace {

/// The type of the number whose bits V is, if all that is done with V is to
/// say that it is one.
Type *numberType(const Value *V) {
  Type *T = V->getType();
  if (T->isFloatingPointTy())
    return T;
  if (auto *B = dyn_cast<BitCastInst>(V);
      B && B->getSrcTy()->isFloatingPointTy())
    return B->getSrcTy();
  Type *As = nullptr;
  SmallPtrSet<const Value *, 8> Seen;
  SmallVector<const Value *> Work{V};
  while (!Work.empty()) {
    const Value *X = Work.pop_back_val();
    if (!Seen.insert(X).second)
      continue;
    for (const User *U : X->users()) {
      if (isa<BitCastInst>(U) && U->getType()->isFloatingPointTy())
        As = U->getType();
      else if (isa<PHINode>(U))
        Work.push_back(U);
    }
  }
  return As;
}

/// The type of the number that A operates on, if it does.
Type *numberType(const AtomicRMWInst &A) {
  if (Type *T = numberType(static_cast<const Value *>(&A)))
    return T;
  if (Type *T = numberType(A.getValOperand()))
    return T;
  Type *T = operandType(A);
  return T->isFloatingPointTy() ? T : nullptr;
}

class AtomicLowering {
public:
  explicit AtomicLowering(Unit &U) : U(U) {}
  void run();

private:
  bool collect(UnitFunction &UF);
  void lower(LoadInst &L);
  void lower(StoreInst &S);
  void lower(AtomicRMWInst &A);
  bool lower(AtomicCmpXchgInst &X, LoopInfo &LI);
  CallInst *call(IRBuilder<> &B, const char *Name, Value *Place);
  Value *read(IRBuilder<> &B, Instruction &I, Value *Place, Type *Number,
              Align A);
  void write(IRBuilder<> &B, Value *V, Value *Place, Type *Number, Align A);

  Unit &U;
  SmallVector<LoadInst *> Loads;
  SmallVector<StoreInst *> Stores;
  SmallVector<AtomicRMWInst *> Updates;
  SmallVector<std::pair<AtomicCmpXchgInst *, UnitFunction *>> Exchanges;
};

CallInst *AtomicLowering::call(IRBuilder<> &B, const char *Name, Value *Place) {
  return B.CreateCall(
      U.M.getOrInsertFunction(Name, B.getVoidTy(), B.getPtrTy()), Place);
}

/// As a number: that its bits are asked for as an integer does not matter.
Value *AtomicLowering::read(IRBuilder<> &B, Instruction &I, Value *Place,
                            Type *Number, Align A) {
  LoadInst *L = B.CreateAlignedLoad(Number, Place, A);
  L->copyMetadata(I, {LLVMContext::MD_tbaa});
  return B.CreateBitCast(L, I.getType());
}

void AtomicLowering::write(IRBuilder<> &B, Value *V, Value *Place, Type *Number,
                           Align A) {
  B.CreateAlignedStore(B.CreateBitCast(V, Number), Place, A);
}

void AtomicLowering::lower(LoadInst &L) {
  IRBuilder<> B(&L);
  Value *P = L.getPointerOperand();
  call(B, "__retro_atomic_begin", P);
  L.replaceAllUsesWith(read(B, L, P, numberType(&L), L.getAlign()));
  call(B, "__retro_atomic_end", P);
  L.eraseFromParent();
}

void AtomicLowering::lower(StoreInst &S) {
  IRBuilder<> B(&S);
  Value *P = S.getPointerOperand(), *V = S.getValueOperand();
  call(B, "__retro_atomic_begin", P);
  write(B, V, P, numberType(V), S.getAlign());
  call(B, "__retro_atomic_end", P);
  S.eraseFromParent();
}

void AtomicLowering::lower(AtomicRMWInst &A) {
  IRBuilder<> B(&A);
  Value *P = A.getPointerOperand();
  Type *Number = numberType(A);
  call(B, "__retro_atomic_begin", P);
  Value *Old = read(B, A, P, Number, A.getAlign());
  write(B, buildAtomicRMWValue(A.getOperation(), B, Old, A.getValOperand()), P,
        Number, A.getAlign());
  call(B, "__retro_atomic_end", P);
  A.replaceAllUsesWith(Old);
  A.eraseFromParent();
}

/// The loop that reads, computes, and starts again where another thread was
/// faster: its one turn begins with the first read.
bool AtomicLowering::lower(AtomicCmpXchgInst &X, LoopInfo &LI) {
  Loop *L = LI.getLoopFor(X.getParent());
  auto *Expected = dyn_cast<PHINode>(X.getCompareOperand());
  if (!L || !Expected || Expected->getParent() != L->getHeader() ||
      L->getLoopLatch() != X.getParent() || !L->getLoopPreheader() ||
      L->getExitingBlock() != X.getParent())
    return false;
  auto *First = dyn_cast<LoadInst>(
      Expected->getIncomingValueForBlock(L->getLoopPreheader()));
  if (!First || First->getParent() != L->getLoopPreheader() ||
      First->getPointerOperand() != X.getPointerOperand())
    return false;
  for (BasicBlock *B : L->blocks())
    for (Instruction &I : *B)
      if (&I != &X && I.mayHaveSideEffects())
        return false;
  Type *Number = numberType(Expected);
  if (!Number)
    Number = numberType(X.getNewValOperand());
  for (User *V : X.users())
    if (!isa<ExtractValueInst>(V))
      return false;
  Value *P = X.getPointerOperand();
  IRBuilder<> B(First);
  call(B, "__retro_atomic_begin", P);
  First->replaceAllUsesWith(read(B, *First, P, Number, First->getAlign()));
  Loads.erase(find(Loads, First));
  First->eraseFromParent();
  B.SetInsertPoint(&X);
  write(B, X.getNewValOperand(), P, Number, X.getAlign());
  call(B, "__retro_atomic_end", P);
  for (User *V : make_early_inc_range(X.users())) {
    auto *E = cast<ExtractValueInst>(V);
    E->replaceAllUsesWith(
        E->getIndices()[0] == 0 ? static_cast<Value *>(Expected) : B.getTrue());
    E->eraseFromParent();
  }
  X.eraseFromParent();
  return true;
}

/// Is any of them more than a sum?
bool AtomicLowering::collect(UnitFunction &UF) {
  bool Ordered = false;
  for (Instruction &I : instructions(*UF.F)) {
    if (auto *L = dyn_cast<LoadInst>(&I); L && L->isAtomic() && numberType(L)) {
      Loads.push_back(L);
      Ordered = true;
    } else if (auto *S = dyn_cast<StoreInst>(&I);
               S && S->isAtomic() && numberType(S->getValueOperand())) {
      Stores.push_back(S);
      Ordered = true;
    } else if (auto *A = dyn_cast<AtomicRMWInst>(&I); A && numberType(*A)) {
      Updates.push_back(A);
      Ordered |= !isCommutingSum(*A);
    } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I);
               X && (numberType(X->getCompareOperand()) ||
                     numberType(X->getNewValOperand()))) {
      Exchanges.push_back({X, &UF});
      Ordered = true;
    }
  }
  return Ordered;
}

void AtomicLowering::run() {
  bool Ordered = false;
  for (auto &UF : U.Functions)
    Ordered |= collect(*UF);
  if (!Ordered)
    return;
  SmallPtrSet<UnitFunction *, 4> Changed;
  for (auto [X, UF] : Exchanges) {
    DominatorTree DT(*UF->F);
    LoopInfo LI(DT);
    if (lower(*X, LI))
      Changed.insert(UF);
  }
  for (LoadInst *L : Loads)
    lower(*L);
  for (StoreInst *S : Stores)
    lower(*S);
  for (AtomicRMWInst *A : Updates)
    lower(*A);
  for (UnitFunction *UF : Changed)
    for (BasicBlock &B : *UF->F)
      ConstantFoldTerminator(&B, true);
  for (UnitFunction *UF : Changed)
    removeUnreachableBlocks(*UF->F);
}

} // namespace

bool isCommutingSum(const AtomicRMWInst &A) {
  return (A.getOperation() == AtomicRMWInst::FAdd ||
          A.getOperation() == AtomicRMWInst::FSub) &&
         A.use_empty();
}

void lowerAtomics(Unit &U) {
  // A kernel's threads cannot wait for each other's turns.
  if (!U.M.getTargetTriple().isGPU())
    AtomicLowering(U).run();
}

} // namespace retro
