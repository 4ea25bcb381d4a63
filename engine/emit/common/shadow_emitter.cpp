// The shadow of each value that leads to memory with derivatives, beside its
// copy in a pass that runs the primal. New memory gets new shadow memory, zero;
// an address is computed from shadows as it is from addresses; a pointer that
// is stored is stored in the shadow, too. Numbers are the business of the
// sweeps. Without it no sweep would find the place of a derivative in memory.
#include "emit/common/shadow_emitter.h"

#include "facts/memory/thrown_objects.h"
#include "facts/types/declared_types.h"
#include "front/known/exceptions.h"
#include "front/names/runtime.h"
#include "plan/refusals/refused_shadows.h"

#include "base/uniqued.h"
#include "emit/common/cloned_body.h"

#include "llvm/ADT/PostOrderIterator.h"

using namespace llvm;

namespace retro {

void ShadowEmitter::cloneBody() {
  cloneInto(T, UF, VM);
  // Calls of functions that have nothing to derive go to the user's function.
  for (BasicBlock &B : T)
    for (Instruction &I : B)
      if (auto *C = dyn_cast<CallBase>(&I))
        if (UnitFunction *G = Act.unit().callee(*C); G && !E.needsDerived(*G))
          callSource(*C, *G->Plain);
}

void ShadowEmitter::replaceCloned(const CallBase &C, Value *V) {
  Instruction *Old = cloned(C);
  if (V) {
    Old->replaceAllUsesWith(V);
    VM[&C] = V;
  } else {
    VM.erase(&C);
  }
  Old->eraseFromParent();
}

void ShadowEmitter::visitAll(function_ref<void(Instruction &)> Visit) {
  ReversePostOrderTraversal<Function *> RPO(UF.F);
  for (BasicBlock *B : RPO)
    for (Instruction &I : *B)
      Visit(I);
}

IRBuilder<> ShadowEmitter::after(const Instruction &I) {
  if (Before)
    return IRBuilder<>(Before);
  Instruction *C = cloned(I);
  BasicBlock::iterator At = isa<PHINode>(C)
                                ? C->getParent()->getFirstInsertionPt()
                                : std::next(C->getIterator());
  return IRBuilder<>(C->getParent(), At);
}

Value *ShadowEmitter::shadow(const Value *V) {
  if (auto *C = dyn_cast<Constant>(V))
    return E.shadowConstant(uniqued(C));
  if (!Act.shadowed(V))
    return primal(V); // never dereferenced
  if (Value *S = Shadows.lookup(V))
    return E.noteShadow(S);
  if (V->getType()->isAggregateType() ? Act.unit().RuntimeActivity
                                      : Act.comparesShadow(V))
    return primal(V); // constant
  if (auto *I = dyn_cast<Instruction>(V))
    E.unplanned(*I);
  return PoisonValue::get(V->getType());
}

Value *ShadowEmitter::zeroed(IRBuilder<> &B, Value *Ptr, Value *Bytes,
                             MaybeAlign A) {
  B.CreateMemSet(Ptr, B.getInt8(0), Bytes, A);
  return Ptr;
}

void ShadowEmitter::storeShadow(StoreInst &S) {
  const ShadowStore What = shadowStored(Act, S);
  if (What == ShadowStore::Nothing)
    return;
  const bool IsPointer = What == ShadowStore::Pointer;
  Value *V = S.getValueOperand(), *P = S.getPointerOperand();
  IRBuilder<> B = after(S);
  Value *Place =
      guard(B, P).place(shadow(P), V->getType(), S.getAlign(), entryPoint());
  // A constant over a pointer may be the bits of a number, whose derivative is
  // zero, and never is an address.
  Value *Shadow = !IsPointer ? primal(V)
                  : isa<ConstantInt, ConstantDataVector>(V)
                      ? Constant::getNullValue(V->getType())
                      : shadow(V);
  // Another block may be there when the next derivative begins: what is said of
  // this one must not be kept.
  if (IsPointer && V->getType()->isPointerTy() && Act.mayLackShadow(V))
    Shadow = B.CreateSelect(B.CreateICmpEQ(Shadow, primal(V)),
                            Constant::getNullValue(V->getType()), Shadow);
  if (IsPointer && E.Plan->isAmongPointers(S))
    callRuntime(
        B, Rt::places_forget,
        {Place, B.getInt64(S.getDataLayout().getTypeStoreSize(V->getType()))});
  StoreInst *New =
      B.CreateAlignedStore(Shadow, Place, S.getAlign(), S.isVolatile());
  // A second derivative is to know that it is nothing else.
  if (!IsPointer)
    New->setMetadata(NotedInteger, MDNode::get(New->getContext(), {}));
  if (GlobalVariable *Flag = E.freshness(S))
    B.CreateStore(B.getInt8(1), Flag);
}

/// The shadow nodes are rearranged as the nodes are.
void ShadowEmitter::mirror(CallBase &C) {
  if (none_of(C.args(), [&](Value *A) { return Act.shadowed(A); }))
    return;
  // Nothing looks for pointers in images.
  if (any_of(C.args(), [&](Value *A) {
        return A->getType()->isPointerTy() && Act.hasImage(A);
      })) {
    IRBuilder<> B = after(C);
    if (Act.shadowed(&C))
      Shadows[&C] = E.imageOf(B, primal(&C), C);
    return;
  }
  SmallVector<Value *> Args;
  for (Value *A : C.args())
    Args.push_back(A->getType()->isPointerTy() ? shadow(A) : primal(A));
  IRBuilder<> B = after(C);
  CallInst *S = B.CreateCall(C.getFunctionType(), C.getCalledOperand(), Args);
  S->setAttributes(C.getAttributes());
  S->setCallingConv(C.getCallingConv());
  if (Act.shadowed(&C))
    Shadows[&C] = S;
}

/// Memory as C allocates it.
Value *ShadowEmitter::allocateAgain(IRBuilder<> &B, CallBase &C,
                                    ArrayRef<Value *> Args) {
  CallInst *S = B.CreateCall(C.getFunctionType(), primal(C.getCalledOperand()),
                             Args, C.getName() + ".shadow");
  S->setAttributes(C.getAttributes());
  S->setCallingConv(C.getCallingConv());
  return S;
}

/// The shadow of new memory is new memory, zero.
void ShadowEmitter::allocationShadow(CallBase &C) {
  KnownCall K = knownCall(C);
  IRBuilder<> B = after(C);
  SmallVector<Value *> Args;
  for (Value *A : C.args())
    Args.push_back(primal(A));
  const bool IsImage = Act.hasImage(&C) || Act.mayHaveImage(&C);
  Value *S = IsImage ? E.imageOf(B, primal(&C), C) : allocateAgain(B, C, Args);
  if (IsImage || K.Kind != KnownKind::AllocZero) {
    Value *Bytes = B.CreateZExtOrTrunc(Args[static_cast<size_t>(K.Row->A)],
                                       B.getInt64Ty());
    if (K.Row->B >= 0)
      Bytes = B.CreateMul(
          Bytes, B.CreateZExtOrTrunc(Args[static_cast<size_t>(K.Row->B)],
                                     B.getInt64Ty()));
    zeroed(B, S, Bytes, MaybeAlign());
  }
  Shadows[&C] = S;
}

/// The shadow of an object that is thrown lies beside it; a handler's object is
/// looked for among these.
void ShadowEmitter::exceptionShadow(CallBase &C) {
  IRBuilder<> B = after(C);
  Value *Lane = B.getInt64(E.lane());
  if (isThrownObject(C))
    Shadows[&C] = callRuntime(B, Rt::exception_shadow,
                              {primal(&C), primal(C.getArgOperand(0)), Lane});
  else
    Shadows[&C] = callRuntime(B, Rt::caught_shadow, {primal(&C), Lane});
}

void ShadowEmitter::callShadow(CallBase &C) {
  KnownCall K = knownCall(C);
  // A handler looks for the shadow of what it caught. That an exception is
  // under way is kept, and asked for, as it is.
  if (isMark(C, marks::Exception)) {
    if (Act.shadowed(&C))
      Shadows[&C] = primal(&C);
    return;
  }
  if (Act.shadowed(&C) && Act.shape().followsExceptions() &&
      (isThrownObject(C) || isCaughtObject(C)))
    return exceptionShadow(C);
  if (K.isCopy())
    copyPointers(C);
  else if (K.Kind == KnownKind::Set)
    clearPointers(C);
  else if (K.isAllocation() && Act.shadowed(&C))
    allocationShadow(C);
  else if (K.Kind == KnownKind::Mirror)
    mirror(C);
  if (!Act.shadowed(&C) || Shadows.count(&C) || Act.unit().callee(C))
    return;
  if (Value *From =
          K.returnedOperand() >= 0
              ? C.getArgOperand(static_cast<unsigned>(K.returnedOperand()))
              : C.getReturnedArgOperand())
    Shadows[&C] = shadow(From);
}

/// A variable like A.
Value *ShadowEmitter::variableAgain(IRBuilder<> &B, AllocaInst &A) {
  AllocaInst *S =
      B.CreateAlloca(A.getAllocatedType(),
                     A.getArraySize() ? primal(A.getArraySize()) : nullptr,
                     A.getName() + ".shadow");
  S->setAlignment(A.getAlign());
  return S;
}

/// The shadow of a variable is a variable, zero.
void ShadowEmitter::variableShadow(AllocaInst &A) {
  IRBuilder<> B = after(A);
  Value *S =
      Act.hasImage(&A) ? E.imageOf(B, primal(&A), A) : variableAgain(B, A);
  Value *One =
      B.getInt64(E.M.getDataLayout().getTypeAllocSize(A.getAllocatedType()));
  Value *Number = B.CreateZExtOrTrunc(primal(A.getArraySize()), B.getInt64Ty());
  zeroed(B, S, B.CreateMul(One, Number), A.getAlign());
  Shadows[&A] = S;
}

/// Its operands follow when all have their shadows (fillShadowPhis).
void ShadowEmitter::phiShadow(PHINode &Phi) {
  auto *C = cast<PHINode>(cloned(Phi));
  PHINode *S = PHINode::Create(Phi.getType(), Phi.getNumIncomingValues(),
                               Phi.getName() + ".shadow", C->getIterator());
  S->setDebugLoc(Phi.getDebugLoc());
  Shadows[&Phi] = S;
  if (E.lane() == 0)
    ShadowPhis.push_back(&Phi);
}

/// The same operation on the shadows of its operands.
void ShadowEmitter::copyShadow(Instruction &I) {
  IRBuilder<> B = after(I);
  if (auto *L = dyn_cast<LoadInst>(&I))
    if (Value *Known =
            Act.hasImage(L) ? imageLoaded(B, *L) : keptShadow(B, *L)) {
      Shadows[&I] = Known;
      return;
    }
  // An integer that is moved as a pointer has no shadow. Should it be an
  // address after all, the program ends here and does not write to the primal.
  if (isa<IntToPtrInst>(I) && !Act.shadowed(I.getOperand(0)) &&
      !Act.unit().RuntimeActivity) {
    Shadows[&I] = Constant::getNullValue(I.getType());
    return;
  }
  Instruction *S = cloned(I)->clone();
  for (unsigned N = 0; N < I.getNumOperands(); ++N) {
    Value *O = I.getOperand(N);
    bool Index = isa<GetElementPtrInst>(I) && N > 0;
    bool Condition = isa<SelectInst>(I) && N == 0;
    bool Floats = O->getType()->isFPOrFPVectorTy();
    if (!Index && !Condition && !Floats)
      S->setOperand(N, shadow(O));
  }
  // Facts about the primal's value do not hold for the shadow's.
  S->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa});
  B.Insert(S, I.getName() + ".shadow");
  Shadows[&I] = S;
  if (auto *L = dyn_cast<LoadInst>(&I); L && Act.mayHaveImage(L))
    Shadows[&I] =
        B.CreateSelect(B.CreateICmpEQ(S, Constant::getNullValue(S->getType())),
                       imageLoaded(B, *L), S);
  else if (L && Act.unit().comparesShadows() &&
           (L->getType()->isPointerTy() || L->getType()->isIntegerTy(64)))
    Shadows[&I] = loadedShadow(B, *L, S);
}

void ShadowEmitter::emitShadow(Instruction &I) {
  if (auto *S = dyn_cast<StoreInst>(&I))
    return storeShadow(*S);
  if (auto *C = dyn_cast<CallBase>(&I))
    return callShadow(*C);
  if (!Act.shadowed(&I))
    return;
  if (auto *A = dyn_cast<AllocaInst>(&I))
    return variableShadow(*A);
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return phiShadow(*Phi);
  if (isRepeatedOnShadows(I))
    copyShadow(I);
}

void ShadowEmitter::fillShadowPhis() {
  for (PHINode *Phi : ShadowPhis) {
    auto *C = cast<PHINode>(cloned(*Phi));
    E.forLanes([&] {
      auto *S = cast<PHINode>(Shadows[Phi]);
      for (unsigned N = 0; N < Phi->getNumIncomingValues(); ++N)
        S->addIncoming(shadow(Phi->getIncomingValue(N)),
                       C->getIncomingBlock(N));
    });
  }
}

} // namespace retro
