// Loads and stores of numbers in shadow memory, with the alignment that is
// promised there, and the ways in which threads add to it. An addition in a
// cheaper way than threads need would lose what another one adds at the same
// time.
#include "emit/words/memory_adjoint.h"

#include "emit/words/combine.h"
#include "front/names/runtime.h"
#include "ir/device_code.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {

void forEachFloat(
    const DataLayout &DL, Type *T, uint64_t Offset,
    SmallVectorImpl<unsigned> &Path,
    function_ref<void(Type *, uint64_t, ArrayRef<unsigned>)> Visit) {
  if (T->isFPOrFPVectorTy())
    return Visit(T, Offset, Path);
  uint64_t N = T->isStructTy()  ? T->getStructNumElements()
               : T->isArrayTy() ? T->getArrayNumElements()
                                : 0;
  for (unsigned I = 0; I < N; ++I) {
    Type *E =
        T->isStructTy() ? T->getStructElementType(I) : T->getArrayElementType();
    uint64_t At =
        T->isStructTy()
            ? DL.getStructLayout(cast<StructType>(T))->getElementOffset(I)
            : I * DL.getTypeAllocSize(E).getFixedValue();
    Path.push_back(I);
    forEachFloat(DL, E, Offset + At, Path, Visit);
    Path.pop_back();
  }
}

Value *derivativeAs(IRBuilder<> &B, Value *D, Type *T) {
  if (D->getType() == T)
    return D;
  Value *R = Constant::getNullValue(T);
  if (!T->isAggregateType())
    return B.CreateBitCast(D, T);
  const unsigned N = T->isStructTy()
                         ? T->getStructNumElements()
                         : static_cast<unsigned>(T->getArrayNumElements());
  for (unsigned I = 0; I < N; ++I)
    R = B.CreateInsertValue(
        R,
        derivativeAs(B, B.CreateExtractValue(D, I),
                     ExtractValueInst::getIndexedType(T, I)),
        I);
  return R;
}

Align shadowAlign(const DataLayout &DL, Type *T, Align A, uint64_t Offset) {
  return std::min(commonAlignment(A, Offset),
                  DL.getABITypeAlign(T->getScalarType()));
}

namespace {

Value *placeAt(IRBuilder<> &B, Value *P, uint64_t Offset) {
  return Offset ? B.CreatePtrAdd(P, B.getInt64(Offset)) : P;
}

constexpr const char *KeptMark = "retro.kept";

void setVolatile(Instruction &I, bool V) {
  if (auto *L = dyn_cast<LoadInst>(&I))
    L->setVolatile(V);
  else if (auto *S = dyn_cast<StoreInst>(&I))
    S->setVolatile(V);
}

void keep(Instruction &I) {
  setVolatile(I, true);
  I.setMetadata(KeptMark, MDNode::get(I.getContext(), {}));
}

} // namespace

void keepLike(Instruction &Shadow, const Instruction &Primal) {
  if (Primal.hasMetadata(KeptMark))
    keep(Shadow);
}

void releaseKept(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (I.hasMetadata(KeptMark)) {
        setVolatile(I, false);
        I.setMetadata(KeptMark, nullptr);
      }
}

static Value *read(IRBuilder<> &B, Value *Shadow, Type *T, Align A,
                   bool Clears) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  Value *R = Constant::getNullValue(T);
  SmallVector<unsigned> Path;
  forEachFloat(DL, T, 0, Path,
               [&](Type *F, uint64_t Off, ArrayRef<unsigned> At) {
                 Value *P = placeAt(B, Shadow, Off);
                 Align FA = shadowAlign(DL, F, A, Off);
                 Value *V = B.CreateAlignedLoad(F, P, FA);
                 if (Clears)
                   B.CreateAlignedStore(Constant::getNullValue(F), P, FA);
                 R = At.empty() ? V : B.CreateInsertValue(R, V, At);
               });
  return R;
}

Value *takeFromMemory(IRBuilder<> &B, Value *Shadow, Type *T, Align A) {
  return read(B, Shadow, T, A, true);
}

Value *readFromMemory(IRBuilder<> &B, Value *Shadow, Type *T, Align A) {
  return read(B, Shadow, T, A, false);
}

void putInMemory(IRBuilder<> &B, Value *Shadow, Value *G, Align A) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  SmallVector<unsigned> Path;
  forEachFloat(DL, G->getType(), 0, Path,
               [&](Type *F, uint64_t Off, ArrayRef<unsigned> At) {
                 B.CreateAlignedStore(
                     At.empty() ? G : B.CreateExtractValue(G, At),
                     placeAt(B, Shadow, Off), shadowAlign(DL, F, A, Off));
               });
}

void addAsWarp(IRBuilder<> &B, Value *Place, Value *G) {
  Type *T = G->getType();
  callRuntime(B, T->isFloatTy() ? Rt::warp_add_f32 : Rt::warp_add_f64,
              {B.CreateAddrSpaceCast(Place, B.getPtrTy()), G})
      ->setConvergent();
}

/// Number by number: no target adds vectors atomically.
static void addAtomically(IRBuilder<> &B, Value *P, Value *G, Align A) {
  auto *V = dyn_cast<FixedVectorType>(G->getType());
  Type *F = G->getType()->getScalarType();
  uint64_t Bytes =
      B.GetInsertBlock()->getDataLayout().getTypeStoreSize(F).getFixedValue();
  for (unsigned N = 0; N < (V ? V->getNumElements() : 1); ++N)
    fitAtomic(*B.CreateAtomicRMW(
        AtomicRMWInst::FAdd, placeAt(B, P, N * Bytes),
        V ? B.CreateExtractElement(G, N) : G,
        std::max(commonAlignment(A, N * Bytes), Align(Bytes)),
        AtomicOrdering::Monotonic));
}

void combineToMemory(IRBuilder<> &B, Value *Combiner, Value *Shadow, Value *G) {
  auto *V = dyn_cast<FixedVectorType>(G->getType());
  uint64_t Bytes = B.GetInsertBlock()
                       ->getDataLayout()
                       .getTypeStoreSize(G->getType()->getScalarType())
                       .getFixedValue();
  for (unsigned N = 0; N < (V ? V->getNumElements() : 1); ++N)
    addCombined(B, Combiner, placeAt(B, Shadow, N * Bytes),
                V ? B.CreateExtractElement(G, N) : G);
}

void settleMemory(IRBuilder<> &B, Value *Combiner, Value *Shadow, Type *T) {
  SmallVector<unsigned> Path;
  forEachFloat(B.GetInsertBlock()->getDataLayout(), T, 0, Path,
               [&](Type *E, uint64_t Offset, ArrayRef<unsigned>) {
                 auto *V = dyn_cast<FixedVectorType>(E);
                 uint64_t Bytes = E->getScalarSizeInBits() / 8;
                 for (unsigned N = 0; N < (V ? V->getNumElements() : 1); ++N)
                   emitSettle(B, Combiner,
                              placeAt(B, Shadow, Offset + N * Bytes));
               });
}

void addToMemory(IRBuilder<> &B, Value *Shadow, Value *G, Align A, Adding How) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  SmallVector<unsigned> Path;
  forEachFloat(
      DL, G->getType(), 0, Path,
      [&](Type *F, uint64_t Off, ArrayRef<unsigned> At) {
        Value *P = placeAt(B, Shadow, Off);
        Align FA = shadowAlign(DL, F, A, Off);
        Value *Part = At.empty() ? G : B.CreateExtractValue(G, At);
        if (How == Adding::Reduced && (F->isFloatTy() || F->isDoubleTy()))
          return addAsWarp(B, P, Part);
        if (How == Adding::Atomic || How == Adding::Reduced)
          return addAtomically(B, P, Part, FA);
        LoadInst *Old = B.CreateAlignedLoad(F, P, FA);
        StoreInst *New = B.CreateAlignedStore(B.CreateFAdd(Old, Part), P, FA);
        if (How == Adding::Kept) {
          keep(*Old);
          keep(*New);
        }
      });
}

} // namespace retro
