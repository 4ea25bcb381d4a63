// Forward mode: the primal goes in, and comes out with the tangent of every
// active value beside it, from the same rules as adjoints. It has neither plan
// nor tape: all that a tangent reads is there when it is computed. Without it a
// request for a derivative along a direction could not be answered. Members of
// TangentSweep (emit/common/tangent_sweep.h).
#include "emit/common/tangent_sweep.h"

#include "emit/checks/activity_trace.h"
#include "emit/words/ir_ops.h"
#include "emit/words/memory_adjoint.h"
#include "emit/words/sign_mask.h"
#include "facts/activity/blas_calls.h"
#include "facts/activity/custom_calls.h"
#include "facts/activity/mpi_calls.h"
#include "facts/activity/operation_errors.h"
#include "facts/parallel/forks.h"
#include "front/known/entry_points.h"
#include "front/registered/launches.h"

using namespace llvm;

namespace retro {

Value *TangentSweep::tangent(const Value *V) {
  if (!Act.active(V))
    return Constant::getNullValue(Act.adjointType(V) ? Act.adjointType(V)
                                                     : V->getType());
  return Tangents.lookup(V);
}

void TangentSweep::run() {
  cloneBody();
  if (Act.unit().Errors) {
    Logger = errorLogger(E.M);
    ErrorFunction = ownErrorFunction(E.M);
    if (ErrorFunction)
      nameMemory();
  }
  std::optional<ActivityTrace> Instrumented;
  if (E.Plan->checksActivity() && !Tape)
    Trace = &Instrumented.emplace(*this, *entryPoint());
  visitAll([&](Instruction &I) { visit(I); });
  fillShadowPhis();
  E.forLanes([&] { fillTangentPhis(); });
  if (Trace)
    Trace->run();
  Trace = nullptr;
  dropUnneeded();
  if (Tape)
    replay();
}

/// Results that nobody reads are not computed.
void TangentSweep::dropUnneeded() {
  for (Instruction &I : instructions(UF.F))
    if (auto *S = dyn_cast<StoreInst>(&I); S && Act.storesUnneeded(*S)) {
      cloned(*S)->eraseFromParent();
      VM.erase(S);
    } else if (auto *L = dyn_cast<LoadInst>(&I); L && Act.readsUnneeded(*L)) {
      cast<LoadInst>(cloned(*L))->setVolatile(false);
    }
}

void TangentSweep::fillTangentPhis() {
  for (const PHINode *Phi : Phis) {
    auto *C = cast<PHINode>(cloned(*Phi));
    auto *D = cast<PHINode>(Tangents[Phi]);
    for (unsigned N = 0; N < Phi->getNumIncomingValues(); ++N) {
      BasicBlock *From = C->getIncomingBlock(N);
      IRBuilder<> B(From->getTerminator());
      D->addIncoming(
          derivativeAs(B, tangent(Phi->getIncomingValue(N)), D->getType()),
          From);
    }
  }
}

void TangentSweep::visit(Instruction &I) {
  auto *C = dyn_cast<CallBase>(&I);
  E.forLanes([&] { endIfConstant(I); });
  if (UnitFunction *G = C ? Act.unit().callee(*C) : nullptr;
      G && E.needsDerived(*G))
    return unitCall(*C, *G);
  else if (G && isFork(*C))
    return plainFork(*C, *G);
  else if (G && isSpawn(*C))
    return plainSpawn(*C, *G);
  if (C && mpiHasWork(*C))
    return mpiCall(*C);
  if (C && isNote(*C))
    return noteWord(*C);
  if (C && isCustom(*C)) {
    if (carriesDerivative(Act, *C))
      customCall(*C, *customRule(Act.unit(), *C));
    return;
  }
  // Lanes stand one after the other, after what they share.
  Shared.forget();
  if (E.width() > 1 && !I.isTerminator())
    Before = &*after(I).GetInsertPoint();
  E.forLanes([&] { visitLane(I); });
  Before = nullptr;
}

void TangentSweep::visitLane(Instruction &I) {
  if (auto *C = dyn_cast<CallBase>(&I)) {
    visitCall(*C);
    return;
  }
  emitShadow(I);
  if (auto *S = dyn_cast<StoreInst>(&I))
    return storeTangent(*S);
  if (auto *A = dyn_cast<AtomicRMWInst>(&I); A && Act.touchesActive(*A))
    return atomicTangent(*A);
  if (Act.active(&I)) {
    IRBuilder<> B = after(I);
    Tangents[&I] = activeTangent(I, B);
  }
}

void TangentSweep::storeTangent(StoreInst &S) {
  if (!Act.touchesActive(S))
    return;
  Type *Ty = storedAdjointType(Act, S);
  IRBuilder<> B = after(S);
  Value *V = S.getValueOperand(), *Ptr = S.getPointerOperand();
  Value *D = Act.active(V) ? tangent(V) : Constant::getNullValue(Ty);
  if (ErrorFunction)
    D = storedError(S, D, B);
  SmallVector<unsigned> Path;
  Value *P = guard(B, Ptr).place(shadow(Ptr), Ty, S.getAlign(), entryPoint());
  forEachFloat(E.M.getDataLayout(), Ty, 0, Path,
               [&](Type *F, uint64_t Off, ArrayRef<unsigned> At) {
                 Value *Part = At.empty() ? D : B.CreateExtractValue(D, At);
                 StoreInst *New = B.CreateAlignedStore(
                     Part, B.CreatePtrAdd(P, B.getInt64(Off)),
                     shadowAlign(E.M.getDataLayout(), F, S.getAlign(), Off));
                 keepLike(*New, S);
                 ObjectScopes::noteLike(*New, S);
               });
}

Value *TangentSweep::loadTangent(LoadInst &L, IRBuilder<> &B) {
  Type *Ty = Act.adjointType(&L);
  Value *P = shadow(L.getPointerOperand());
  Value *R = Constant::getNullValue(Ty);
  SmallVector<unsigned> Path;
  forEachFloat(E.M.getDataLayout(), Ty, 0, Path,
               [&](Type *F, uint64_t Off, ArrayRef<unsigned> At) {
                 LoadInst *V = B.CreateAlignedLoad(
                     F, B.CreatePtrAdd(P, B.getInt64(Off)),
                     shadowAlign(E.M.getDataLayout(), F, L.getAlign(), Off));
                 keepLike(*V, L);
                 ObjectScopes::noteLike(*V, L);
                 R = At.empty() ? static_cast<Value *>(V)
                                : B.CreateInsertValue(R, V, At);
               });
  return guard(B, L.getPointerOperand()).value(R);
}

/// Its operands follow when all have their tangents (fillTangentPhis).
Value *TangentSweep::phiTangent(PHINode &Phi) {
  auto *C = cast<PHINode>(cloned(Phi));
  if (E.lane() == 0)
    Phis.push_back(&Phi);
  return PHINode::Create(Act.adjointType(&Phi), C->getNumIncomingValues(),
                         "tan", C->getIterator());
}

/// The same operation on tangents: it moves numbers, and changes none.
Value *TangentSweep::copyTangent(Instruction &I, IRBuilder<> &B) {
  Instruction *D = cloned(I)->clone();
  for (unsigned N = 0; N < I.getNumOperands(); ++N) {
    bool Control = (isa<SelectInst>(I) && N == 0) ||
                   (isa<ExtractElementInst>(I) && N == 1) ||
                   (isa<InsertElementInst>(I) && N == 2);
    if (!Control)
      D->setOperand(N, tangentLike(I.getOperand(N), I, B));
  }
  D->dropUnknownNonDebugMetadata();
  // Integers that hold numbers have tangents of the numbers' type.
  if (!isa<CastInst>(D))
    D->mutateType(Act.adjointType(&I));
  if (isa<FPMathOperator>(D)) {
    D->setHasNoNaNs(false);
    D->setHasNoInfs(false);
  }
  B.Insert(D);
  if (auto *S = dyn_cast<SelectInst>(&I);
      S && Act.unit().Errors && choosesByOrder(*S))
    return choiceError(*S, D, B);
  return D;
}

Value *TangentSweep::activeTangent(Instruction &I, IRBuilder<> &B) {
  Value *D = movedTangent(I, B);
  return Act.unit().Errors ? resultError(I, D, B) : D;
}

/// The tangent of an operation that computes with numbers, or only moves them;
/// null where I does neither.
Value *TangentSweep::movedTangent(Instruction &I, IRBuilder<> &B) {
  if (auto Use = ruleOf(I))
    return ruleTangent(I, *Use, B);
  if (auto *L = dyn_cast<LoadInst>(&I))
    return loadTangent(*L, B);
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return phiTangent(*Phi);
  if (isa<BitCastInst>(I))
    return B.CreateBitCast(tangent(I.getOperand(0)), Act.adjointType(&I));
  if (I.isBitwiseLogicOp())
    return maskTangent(I, B);
  if (isa<SIToFPInst, UIToFPInst>(I)) // active by what it rounds
    return nullptr;
  if (isa<FPExtInst, FPTruncInst, FreezeInst, SelectInst, ExtractElementInst,
          InsertElementInst, ShuffleVectorInst, ExtractValueInst,
          InsertValueInst>(I))
    return copyTangent(I, B);
  E.unplanned(I);
  return nullptr;
}

/// The tangent of an operand of I, of the type that I's tangent needs: integers
/// stand for numbers where I's are numbers.
Value *TangentSweep::tangentLike(Value *Operand, const Instruction &I,
                                 IRBuilder<> &B) {
  Type *T = Operand->getType();
  Type *Numbers = Act.adjointType(&I);
  if (T == I.getType())
    return derivativeAs(B, tangent(Operand), Numbers);
  if (auto *X = dyn_cast<InsertValueInst>(&I))
    return derivativeAs(
        B, tangent(Operand),
        ExtractValueInst::getIndexedType(Numbers, X->getIndices()));
  if (Act.active(Operand) || !T->isIntOrIntVectorTy())
    return tangent(Operand);
  Type *F = Numbers->getScalarType();
  if (auto *V = dyn_cast<FixedVectorType>(T))
    F = FixedVectorType::get(F, V->getNumElements());
  return Constant::getNullValue(F);
}

Value *TangentSweep::ruleTangent(Instruction &I, rules::RuleId Rule,
                                 IRBuilder<> &B) {
  FastMathFlags FMF;
  if (isa<FPMathOperator>(I)) {
    FMF = I.getFastMathFlags();
    FMF.setNoNaNs(false);
    FMF.setNoInfs(false);
  }
  B.setFastMathFlags(FMF);
  bool Pair = I.getType()->isStructTy();
  auto Fetch = [&](int N) -> Value * {
    if (N >= 0)
      return primal(I.getOperand(static_cast<unsigned>(N)));
    return Pair ? B.CreateExtractValue(primal(&I), 0) : primal(&I);
  };
  // What is known first is added first: a recurrence has no longer a chain of
  // operations in its tangent than in itself.
  auto Rank = [&](int N) {
    Value *O = I.getOperand(static_cast<unsigned>(N));
    return isa<Argument>(O) ? 0 : isa<PHINode>(O) ? 1 : 2;
  };
  SmallVector<int, 3> Order;
  for (int N = 0; N < rules::arityOf(Rule); ++N)
    if (Act.active(I.getOperand(static_cast<unsigned>(N))))
      Order.push_back(N);
  Value *Sum = nullptr;
  if (Act.unit().Errors) {
    Order.clear();
    Sum = carriedError(I, Rule, Fetch, B);
  }
  stable_sort(Order, [&](int X, int Y) { return Rank(X) < Rank(Y); });
  for (int N : Order) {
    Value *O = I.getOperand(static_cast<unsigned>(N));
    Value *D =
        Shared.pull(B, Rule, Fetch, tangent(O), N, Act.unit().StrongZero);
    Sum = Sum ? B.CreateFAdd(Sum, D) : D;
  }
  if (Pair && Sum)
    Sum = B.CreateInsertValue(Constant::getNullValue(I.getType()), Sum, 0);
  return Sum;
}

/// The derivative of a mask of sign bits is the mask's effect on the sign.
Value *TangentSweep::maskTangent(Instruction &I, IRBuilder<> &B) {
  Type *F = Act.adjointType(&I);
  Type *IT = I.getType();
  Value *Sum = Constant::getNullValue(F);
  for (unsigned N = 0; N < 2; ++N) {
    Value *A = I.getOperand(N);
    if (!Act.active(A))
      continue;
    SignEffect S = signEffect(I, N, F);
    Value *Bits = B.CreateBitCast(tangent(A), IT);
    Value *D = nullptr;
    switch (S) {
    case SignEffect::None:
      E.unplanned(I);
      return Sum;
    case SignEffect::Flat:
      continue;
    default:
      D = applySign(B, S, Bits, primal(A), primal(I.getOperand(1 - N)), F);
    }
    D = B.CreateBitCast(D, F);
    if (Act.unit().Errors)
      D = B.CreateUnaryIntrinsic(Intrinsic::fabs, D);
    Sum = B.CreateFAdd(Sum, D);
  }
  return Sum;
}

static Value *operand(const CallBase &C, int N) {
  return C.getArgOperand(static_cast<unsigned>(N));
}

/// The shadow goes with its memory.
void TangentSweep::freeShadow(CallBase &C, KnownCall K) {
  Value *P = operand(C, K.Row->A);
  if (isa<ConstantPointerNull>(P) || !Act.shadowed(P))
    return;
  auto *Call = cast<CallBase>(cloned(C));
  auto *S = cast<CallBase>(Call->clone());
  IRBuilder<> B(Call); // whose operands are there still
  S->setArgOperand(static_cast<unsigned>(K.Row->A), freedShadow(B, P));
  S->insertAfter(Call->getIterator());
}

/// What is copied from memory without a shadow has no tangent.
void TangentSweep::clearCopied(CallBase &C, KnownCall K) {
  Value *To = operand(C, K.Row->A);
  if (!Act.shadowed(To) || Act.shadowed(operand(C, K.Row->B)) ||
      !transferIsActive(Act, C))
    return;
  IRBuilder<> B = after(C);
  B.CreateMemSet(shadow(To), B.getInt8(0),
                 guard(B, To).value(primal(operand(C, K.Row->C))),
                 MaybeAlign());
}

void TangentSweep::visitCall(CallBase &C) {
  KnownCall K = knownCall(C);
  if (K.Kind == KnownKind::Free)
    return freeShadow(C, K);
  emitShadow(C);
  if (K.isCopy())
    return clearCopied(C, K);
  if (K.Kind == KnownKind::Sincos)
    return sincosTangent(C, K);
  if (K.Kind == KnownKind::Blas && blasHasWork(Act, C))
    return blasTangent(C);
  if (Act.active(&C))
    activeCall(C, K);
}

void TangentSweep::activeCall(CallBase &C, KnownCall K) {
  IRBuilder<> B = after(C);
  if (auto Use = ruleOf(C)) {
    Tangents[&C] = activeTangent(C, B);
  } else if (K.Kind == KnownKind::Complex) {
    Tangents[&C] = complexTangent(C, B);
  } else if (K.Kind == KnownKind::Shuffle) {
    Tangents[&C] = shuffleTangent(C, K, B);
  } else if (K.Kind == KnownKind::Reduce) {
    Tangents[&C] = B.CreateFAddReduce(tangent(C.getArgOperand(0)),
                                      tangent(C.getArgOperand(1)));
  } else {
    E.unplanned(C);
  }
}

void TangentSweep::sincosTangent(CallBase &C, KnownCall K) {
  Value *X = C.getArgOperand(0);
  IRBuilder<> B = after(C);
  IROps Ops(B, Act.unit().StrongZero);
  Value *P = primal(X);
  Value *D = tangent(X);
  auto Times = [&](rules::Fn F) {
    return rules::guarded<IROps>(Ops, D, B.CreateFMul(D, Ops.call(F, P)),
                                 rules::Guard::Product);
  };
  Value *S = Times(rules::Fn::Cos);
  Value *Co = B.CreateFNeg(Times(rules::Fn::Sin));
  if (Act.unit().Errors) {
    S = sincosError(C, S, rules::Fn::Sin, B);
    Co = sincosError(C, Co, rules::Fn::Cos, B);
  }
  if (K.Row->A < 0) {
    if (Act.active(&C))
      Tangents[&C] = B.CreateInsertValue(
          B.CreateInsertValue(Constant::getNullValue(C.getType()), S, 0), Co,
          1);
    return;
  }
  auto Put = [&](int N, Value *V) {
    Value *Ptr = C.getArgOperand(static_cast<unsigned>(N));
    if (Act.touchesActive(Ptr, X->getType()))
      B.CreateAlignedStore(V,
                           guard(B, Ptr).place(shadow(Ptr), V->getType(),
                                               Align(1), entryPoint()),
                           Align(1));
  };
  Put(K.Row->A, S);
  Put(K.Row->B, Co);
}

void TangentSweep::unitCall(CallBase &C, UnitFunction &G) {
  IRBuilder<> B(cloned(C));
  SmallVector<Value *> Ops;
  for (Value *A : C.args())
    Ops.push_back(primal(A));
  for (Argument &A : G.F->args()) {
    Value *V = C.getArgOperand(A.getArgNo());
    E.forLanes([&] {
      if (Act.active(&A))
        Ops.push_back(derivativeAs(B, tangent(V), Act.adjointType(&A)));
      if (Act.shadowed(&A))
        Ops.push_back(shadow(V));
    });
  }
  if (isFork(C))
    return forkCall(C, G, Ops);
  if (isSpawn(C))
    return spawnCall(C, G, Ops);
  if (Tape)
    Ops.push_back(Tape);
  CallInst *New = B.CreateCall(&E.tangentOf(G), Ops);
  if (Trace)
    Trace->called(C, *New);
  if (C.getType()->isVoidTy())
    return replaceCloned(C, nullptr);
  unsigned Field = 0;
  Value *Result = B.CreateExtractValue(New, Field++);
  E.forLanes([&] {
    if (E.returnsActive(G))
      Tangents[&C] = B.CreateExtractValue(New, Field++);
    if (E.returnsShadow(G))
      Shadows[&C] = B.CreateExtractValue(New, Field++);
  });
  replaceCloned(C, Result);
}

} // namespace retro
