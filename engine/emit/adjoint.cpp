// The adjoint of each instruction: it takes the adjoint of the result and adds
// to those of the operands. A kind of instruction that had no function here
// would lose a derivative; it is refused instead (UnitEmitter::refuse). Members
// of ReverseSweep (emit/common/reverse_sweep.h).
#include "base/faults.h"
#include "base/toggles.h"
#include "emit/checks/plan_check.h"
#include "emit/common/reverse_sweep.h"
#include "emit/words/combine.h"
#include "emit/words/ir_ops.h"
#include "emit/words/memory_adjoint.h"
#include "emit/words/sign_mask.h"
#include "facts/parallel/forks.h"
#include "front/registered/launches.h"

using namespace llvm;

namespace retro {

FastMathFlags ReverseSweep::ruleFlags(const Instruction &I) {
  FastMathFlags FMF;
  if (isa<FPMathOperator>(I)) {
    FMF = I.getFastMathFlags();
    // Rules rely on NaN and infinity where they guard against them.
    FMF.setNoNaNs(false);
    FMF.setNoInfs(false);
  }
  return FMF;
}

void ReverseSweep::ruleAdjoint(Instruction &I, rules::RuleId Rule) {
  const FastMathFlags FMF = ruleFlags(I);
  Value *G = takeAdjoint(&I);
  bool Pair = I.getType()->isStructTy(); // {value, flat second result}
  if (Pair)
    G = B.CreateExtractValue(G, 0);
  B.setFastMathFlags(FMF);
  auto Fetch = [&](int N) -> Value * {
    if (N >= 0)
      return primal(I.getOperand(static_cast<unsigned>(N)));
    Value *R = primal(&I);
    return Pair ? B.CreateExtractValue(R, 0) : R;
  };
  for (int N = 0; N < rules::arityOf(Rule); ++N) {
    Value *O = I.getOperand(static_cast<unsigned>(N));
    if (!Act.active(O))
      continue;
    bool Guard = P.Guarded.contains(&I.getOperandUse(static_cast<unsigned>(N)));
    Value *Part = Shared.pull(B, Rule, Fetch, G, N, Guard);
    if (isPlanted(Fault::WrongSign) && Rule == rules::RuleId::Div && N == 1)
      Part = B.CreateFNeg(Part);
    addAdjoint(O, Part);
  }
}

Adding ReverseSweep::adding(const Instruction &I) const {
  auto It = P.Shared.find(&I);
  auto Is = [&](Sharing How) {
    return It != P.Shared.end() && It->second == How;
  };
  return Is(Sharing::Atomic)            ? Adding::Atomic
         : Is(Sharing::Reduced)         ? Adding::Reduced
         : Is(Sharing::Combined)        ? Adding::Combined
         : Is(Sharing::Apart)           ? Adding::Apart
         : Act.unit().KeepAccumulations ? Adding::Kept
                                        : Adding::Plain;
}

void ReverseSweep::visitLoadInst(LoadInst &L) {
  Value *G = takeAdjoint(&L), *Ptr = L.getPointerOperand();
  Value *At =
      guard(Ptr).place(shadow(Ptr), G->getType(), L.getAlign(), EntryPoint);
  Adding How = adding(L);
  if (checkPlanRequested() && P.Shared.count(&L))
    checkExclusive(B, L, At, How == Adding::Plain || How == Adding::Kept, E.R);
  if (P.NotedReads.contains(&L))
    return addNoted(At, G);
  Position From = here();
  if (P.Updates.contains(&L))
    putInMemory(B, At, G, L.getAlign());
  else if (How == Adding::Combined)
    combineToMemory(B, emitCombiner(*EntryPoint), At, G);
  else if (How == Adding::Apart)
    addIfApart(At, G, L.getAlign());
  else
    addToMemory(B, At, G, L.getAlign(), How);
  describeAccesses(L, From);
}

void ReverseSweep::visitBitCastInst(BitCastInst &I) {
  addAdjoint(I.getOperand(0), takeAdjoint(&I));
}

void ReverseSweep::visitSelectInst(SelectInst &I) {
  Value *G = takeAdjoint(&I);
  Value *Zero = Constant::getNullValue(G->getType());
  Value *C = primal(I.getOperand(0));
  if (Act.active(I.getOperand(1)))
    addAdjoint(I.getOperand(1), B.CreateSelect(C, G, Zero));
  if (Act.active(I.getOperand(2)))
    addAdjoint(I.getOperand(2), B.CreateSelect(C, Zero, G));
}

void ReverseSweep::visitExtractElementInst(ExtractElementInst &I) {
  Value *G = takeAdjoint(&I);
  Value *Vec = I.getOperand(0);
  Value *N = primal(I.getOperand(1));
  Value *Old = adjoint(Vec);
  Value *Sum = B.CreateFAdd(B.CreateExtractElement(Old, N), G);
  setAdjoint(Vec, B.CreateInsertElement(Old, Sum, N));
}

void ReverseSweep::visitInsertElementInst(InsertElementInst &I) {
  Value *G = takeAdjoint(&I);
  Value *N = primal(I.getOperand(2));
  addAdjoint(I.getOperand(1), B.CreateExtractElement(G, N));
  Value *Zero = Constant::getNullValue(G->getType()->getScalarType());
  addAdjoint(I.getOperand(0), B.CreateInsertElement(G, Zero, N));
}

/// Each element gets the sum of those that it went to.
void ReverseSweep::visitShuffleVectorInst(ShuffleVectorInst &S) {
  Value *G = takeAdjoint(&S);
  int Width = static_cast<int>(
      cast<FixedVectorType>(S.getOperand(0)->getType())->getNumElements());
  for (unsigned Side = 0; Side < 2; ++Side) {
    if (!Act.active(S.getOperand(Side)))
      continue;
    Value *Sum = Constant::getNullValue(Act.adjointType(S.getOperand(Side)));
    for (unsigned K = 0; K < S.getShuffleMask().size(); ++K) {
      int From = S.getMaskValue(K);
      if (From < 0 || (From >= Width) != (Side == 1))
        continue;
      uint64_t Lane = static_cast<uint64_t>(From % Width);
      Value *X = B.CreateFAdd(B.CreateExtractElement(Sum, Lane),
                              B.CreateExtractElement(G, K));
      Sum = B.CreateInsertElement(Sum, X, Lane);
    }
    addAdjoint(S.getOperand(Side), Sum);
  }
}

void ReverseSweep::visitExtractValueInst(ExtractValueInst &X) {
  Value *G = takeAdjoint(&X);
  Value *Agg = X.getAggregateOperand();
  if (!Act.active(Agg))
    return;
  Value *Zero = Constant::getNullValue(Act.adjointType(Agg));
  addAdjoint(Agg, B.CreateInsertValue(Zero, G, X.getIndices()));
}

void ReverseSweep::visitInsertValueInst(InsertValueInst &X) {
  Value *G = takeAdjoint(&X);
  Value *Part = B.CreateExtractValue(G, X.getIndices());
  addAdjoint(X.getInsertedValueOperand(), Part);
  Value *Zero = Constant::getNullValue(Part->getType());
  addAdjoint(X.getAggregateOperand(),
             B.CreateInsertValue(G, Zero, X.getIndices()));
}

void ReverseSweep::emitAdjoint(Instruction &I) {
  if (auto *C = dyn_cast<CallBase>(&I))
    return callAdjoint(*C);
  if (auto Use = ruleOf(I))
    return ruleAdjoint(I, *Use);
  visit(I);
}

void ReverseSweep::visitFreezeInst(FreezeInst &I) {
  addAdjoint(I.getOperand(0), takeAdjoint(&I));
}

/// An extension or a truncation of numbers.
void ReverseSweep::visitCastInst(CastInst &I) {
  Value *G = takeAdjoint(&I);
  addAdjoint(I.getOperand(0), B.CreateFPCast(G, I.getOperand(0)->getType()));
}

ReverseSweep::Position ReverseSweep::here() const {
  BasicBlock *In = B.GetInsertBlock();
  return {In, In->empty() ? nullptr : &In->back()};
}

/// Is it the tag of a type, as the tags of C are? Fortran's tags tell arguments
/// apart, and two arguments that are only read may be one. A tag may also say
/// that the memory is constant, which a shadow is not.
static bool isOfType(const MDNode *Tag) {
  if (Tag->getNumOperands() > 3)
    return false;
  const MDNode *Root = Tag;
  for (unsigned Up = 0; Root && Up < 16; ++Up) {
    // A tag is {type, access, ...}, a type {name, parent, ...}, a root {name}.
    const auto *Name = dyn_cast<MDString>(Root->getOperand(0));
    if (Name && Root->getNumOperands() == 1)
      return Name->getString().starts_with("Simple C");
    Root = Root->getNumOperands() < 2 ? nullptr
                                      : dyn_cast<MDNode>(Root->getOperand(1));
  }
  return false;
}

/// What has been emitted since is the adjoint of a load or a store: it accesses
/// the same type, in memory of another role.
void ReverseSweep::describeAccesses(const Instruction &Primal, Position From) {
  auto [In, Behind] = From;
  if (In != B.GetInsertBlock())
    return;
  for (Instruction &I :
       make_range(Behind ? std::next(Behind->getIterator()) : In->begin(),
                  B.GetInsertPoint())) {
    if (!getLoadStorePointerOperand(&I))
      continue;
    Scopes.note(I, Primal);
    ObjectScopes::noteLike(I, Primal);
    MDNode *Tag = Primal.getMetadata(LLVMContext::MD_tbaa);
    if (Tag && getLoadStoreType(&I) == getLoadStoreType(&Primal) &&
        isOfType(Tag))
      I.setMetadata(LLVMContext::MD_tbaa, Tag);
  }
}

/// Reads the adjoint of S, before anything else of its block is reversed.
void ReverseSweep::readEarly(StoreInst &S) {
  Value *Ptr = S.getPointerOperand();
  Type *Ty = storedAdjointType(Act, S);
  Value *At = guard(Ptr).place(shadow(Ptr), Ty, S.getAlign(), EntryPoint);
  Position From = here();
  Early[{&S, E.lane()}] = readFromMemory(B, At, Ty, S.getAlign());
  describeAccesses(S, From);
}

void ReverseSweep::visitStoreInst(StoreInst &S) {
  Type *Ty = storedAdjointType(Act, S);
  if (Value *G = Early.lookup({&S, E.lane()}))
    return addAdjoint(S.getValueOperand(), G);
  Value *Ptr = S.getPointerOperand();
  ActivityGuard Guard = guard(Ptr);
  Value *At = Guard.place(shadow(Ptr), Ty, S.getAlign(), EntryPoint);
  if (P.Settled.contains(&S))
    settleMemory(B, emitCombiner(*EntryPoint), At, Ty);
  takePlace(S, At, Ty);
  Position From = here();
  Value *G = P.Updates.contains(&S) ? readFromMemory(B, At, Ty, S.getAlign())
                                    : takeFromMemory(B, At, Ty, S.getAlign());
  describeAccesses(S, From);
  addAdjoint(S.getValueOperand(), Guard.value(G));
}

/// Operations on the bits of floats that change only the sign, or keep or
/// drop whole numbers.
void ReverseSweep::visitBinaryOperator(BinaryOperator &I) {
  Type *F = Act.adjointType(&I);
  Value *Bits = B.CreateBitCast(takeAdjoint(&I), I.getType());
  for (unsigned N = 0; N < 2; ++N) {
    Value *A = I.getOperand(N);
    if (!Act.active(A))
      continue;
    SignEffect S = signEffect(I, N, F);
    if (S == SignEffect::None)
      return E.unplanned(I);
    if (S == SignEffect::Flat)
      continue;
    Value *D = applySign(B, S, Bits, primal(A), primal(I.getOperand(1 - N)), F);
    addAdjoint(A, B.CreateBitCast(D, F));
  }
}

void ReverseSweep::callAdjoint(CallBase &C) {
  if (auto Use = ruleOf(C))
    return ruleAdjoint(C, *Use);
  KnownCall K = knownCall(C);
  switch (K.Kind) {
  case KnownKind::Copy:
  case KnownKind::Move:
    return copyAdjoint(C);
  case KnownKind::Set:
    return setMemoryAdjoint(C);
  case KnownKind::Custom:
    return customAdjoint(C);
  case KnownKind::Mpi:
    return mpiAdjoint(C);
  case KnownKind::Sincos:
    return sincosAdjoint(C, K);
  case KnownKind::Complex:
    return complexAdjoint(C, K);
  case KnownKind::Blas:
    return blasAdjoint(C);
  case KnownKind::Reduce:
    return reduceAdjoint(C);
  case KnownKind::Shuffle:
    return shuffleAdjoint(C, K);
  default:
    return E.unplanned(C);
  }
}

void ReverseSweep::sincosAdjoint(CallBase &C, KnownCall K) {
  Value *X = C.getArgOperand(0);
  Value *GS, *GC;
  if (K.Row->A >= 0) {
    auto Take = [&](int N) -> Value * {
      Value *P = C.getArgOperand(static_cast<unsigned>(N));
      if (!Act.touchesActive(P, X->getType()))
        return Constant::getNullValue(X->getType());
      ActivityGuard Guard = guard(P);
      Value *At = Guard.place(shadow(P), X->getType(), Align(1), EntryPoint);
      return Guard.value(takeFromMemory(B, At, X->getType(), Align(1)));
    };
    GS = Take(K.Row->A);
    GC = Take(K.Row->B);
  } else {
    Value *G = takeAdjoint(&C);
    GS = B.CreateExtractValue(G, 0);
    GC = B.CreateExtractValue(G, 1);
  }
  if (!Act.active(X))
    return;
  Value *P = primal(X);
  IROps Ops(B, Act.unit().StrongZero);
  auto Times = [&](Value *G, rules::Fn F) {
    return rules::guarded<IROps>(Ops, G, B.CreateFMul(G, Ops.call(F, P)),
                                 rules::Guard::Product);
  };
  Value *S = Times(GS, rules::Fn::Cos);
  addAdjoint(X, B.CreateFSub(S, Times(GC, rules::Fn::Sin)));
}

void ReverseSweep::reduceAdjoint(CallBase &C) {
  Value *G = takeAdjoint(&C);
  addAdjoint(C.getArgOperand(0), G);
  Value *Vec = C.getArgOperand(1);
  if (Act.active(Vec))
    addAdjoint(Vec,
               B.CreateVectorSplat(
                   cast<VectorType>(Vec->getType())->getElementCount(), G));
}

} // namespace retro
