#include "base/runtime.h"
#include "emit/common/emit.h"

#include "emit/tape/dynamic_shared.h"
#include "emit/words/combine.h"
#include "facts/activity/mpi_calls.h"
#include "facts/writes/global_shadows.h"
#include "front/registered/registrations.h"

#include "base/toggles.h"
#include "facts/parallel/device.h"
#include "facts/parallel/synchronization.h"
#include "ir/device_code.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {

Type *UnitEmitter::memoryType(Type *T) {
  return T->isIntegerTy(1) ? Type::getInt8Ty(T->getContext()) : T;
}

Constant *UnitEmitter::shadowConstant(Constant *C) {
  if (auto *G = dyn_cast<GlobalVariable>(C)) {
    if (!Act.shadowed(G))
      return G;
    if (auto *S = GlobalShadows.lookup({G, Lane}))
      return S;
    if (GlobalVariable *S = Act.unit().Registered.shadowOf(*G))
      return GlobalShadows[{G, Lane}] = S;
    std::string Name = nameOf(Named::shadow, G->getName());
    if (Lane)
      Name += "." + std::to_string(Lane);
    auto *S = M.getNamedGlobal(Name);
    // The shadow that a derivative inside of this one has is memory like any
    // other here, with a shadow of its own.
    for (; S && mentions(Act.unit(), S); S = M.getNamedGlobal(Name))
      Name += ".outer";
    if (!S) {
      S = new GlobalVariable(
          M, G->getValueType(), false, GlobalValue::InternalLinkage,
          Constant::getNullValue(G->getValueType()), Name, nullptr,
          G->getThreadLocalMode(), G->getAddressSpace());
      S->setAlignment(G->getAlign());
      if (isOfBlock(*G))
        S->setInitializer(PoisonValue::get(G->getValueType()));
      if (isDynamicShared(*G)) {
        HasDynamicShared = true;
        SharedAlign = partAlign(*G);
      }
    }
    GlobalShadows[{G, Lane}] = S;
    // Pointers in it point to shadows; numbers start at zero.
    std::function<Constant *(Constant *)> Image =
        [&](Constant *K) -> Constant * {
      if (K->getType()->isPointerTy())
        return shadowConstant(K);
      if (isa<ConstantAggregate>(K)) {
        SmallVector<Constant *> Ops;
        for (Value *O : K->operands())
          Ops.push_back(Image(cast<Constant>(O)));
        if (auto *ST = dyn_cast<StructType>(K->getType()))
          return ConstantStruct::get(ST, Ops);
        if (auto *AT = dyn_cast<ArrayType>(K->getType()))
          return ConstantArray::get(AT, Ops);
      }
      return Constant::getNullValue(K->getType());
    };
    if (G->hasInitializer() && !isOfBlock(*G))
      S->setInitializer(Image(G->getInitializer()));
    return S;
  }
  if (auto *CE = dyn_cast<ConstantExpr>(C)) {
    SmallVector<Constant *> Ops;
    for (Value *O : CE->operands())
      Ops.push_back(O->getType()->isPointerTy()
                        ? shadowConstant(cast<Constant>(O))
                        : cast<Constant>(O));
    return CE->getWithOperands(Ops);
  }
  if (isa<ConstantAggregate>(C)) {
    SmallVector<Constant *> Ops;
    for (Value *O : C->operands())
      Ops.push_back(shadowConstant(cast<Constant>(O)));
    if (auto *ST = dyn_cast<StructType>(C->getType()))
      return ConstantStruct::get(ST, Ops);
    if (auto *AT = dyn_cast<ArrayType>(C->getType()))
      return ConstantArray::get(AT, Ops);
  }
  return C; // null, undef, functions
}

void UnitEmitter::clearGlobalShadows(IRBuilder<> &B) {
  auto All = GlobalShadows;
  SmallVector<GlobalVariable *> OfThreads;
  for (auto [Of, S] : All) {
    if (Act.unit().Registered.shadowOf(*Of.first))
      continue; // what is in it at the start is the user's
    if (isGpu(M) && !isOfBlock(*S)) {
      // Every thread would clear what the others have added to.
      if (!cast<GlobalVariable>(Of.first)->isConstant())
        R.error(Diag::DeviceGlobal, cast<GlobalVariable>(Of.first),
                Act.unit().root().Source, {Of.first->getName().str()});
      continue;
    }
    bool Pointers = false;
    for (Cell &C : Act.shape().classOf(Of.first).Cells)
      Pointers |= C.Kind == CellKind::Pointer;
    if (Pointers && !isOfBlock(*S)) {
      // They point to shadows from the start.
      clearNumbers(B, *cast<GlobalVariable>(Of.first), *S);
      continue;
    }
    if (isOfBlock(*S) && Act.unit().Split &&
        Act.unit().DerivMode == Mode::Reverse)
      continue; // it is the reverse pass's, which may be a kernel of its own
    clear(B, *S);
    if (S->isThreadLocal())
      OfThreads.push_back(S);
    // Which region is a thread's first would be asked for both derivatives.
    if (S->isThreadLocal() && Act.unit().opensTeams())
      R.error(Diag::Parallel, cast<GlobalVariable>(Of.first),
              Act.unit().root().Source, {Of.first->getName().str()});
  }
  forgetFreshness(B);
  if (!OfThreads.empty())
    clearInTeams(B, OfThreads);
}

void UnitEmitter::clearBlockShadows(IRBuilder<> &B) {
  for (auto [Of, S] : GlobalShadows)
    if (isOfBlock(*S))
      clear(B, *S);
}

void UnitEmitter::clear(IRBuilder<> &B, GlobalVariable &S) {
  uint64_t Bytes = M.getDataLayout().getTypeStoreSize(S.getValueType());
  if (isOfBlock(S))
    return clearInBlock(B, S,
                        Bytes
                            ? B.getInt32(static_cast<uint32_t>(Bytes))
                            : dynamicSharedPart(B, sharedParts(), SharedAlign));
  B.CreateMemSet(&S, B.getInt8(0), Bytes, S.getAlign());
}

/// Shadows of dynamic shared memory were variables so far.
void UnitEmitter::placeDynamicShadows() {
  for (auto [Of, S] : GlobalShadows)
    if (isDynamicShared(*Of.first))
      placeInPart(*S, *Of.first, Of.second + 1, sharedParts());
  GlobalShadows.remove_if(
      [](const auto &Entry) { return isDynamicShared(*Entry.first.first); });
}

/// Memory has one of three roles throughout a call of the derivative.
void UnitEmitter::makeScopes() {
  if (TapeScope)
    return;
  MDBuilder MDB(M.getContext());
  MDNode *Domain = MDB.createAnonymousAliasScopeDomain("retro");
  auto List = [&](StringRef Name) {
    return MDNode::get(M.getContext(),
                       {MDB.createAnonymousAliasScope(Domain, Name)});
  };
  TapeScope = List("tape");
  ShadowScope = List("shadow");
  CombinerScope = List("combiner");
}

void UnitEmitter::markTapeAccess(Instruction *I) {
  if (Toggles::get().alias_scopes) {
    makeScopes();
    I->setMetadata(LLVMContext::MD_alias_scope, TapeScope);
    ++counters().alias_scopes;
  }
}

UnitEmitter::Role
UnitEmitter::roleOf(const Value *Ptr,
                    const SmallPtrSetImpl<const Value *> &Shadows) const {
  SmallSetVector<const Value *, 8> Work;
  Work.insert(Ptr);
  bool Shadow = false, Other = false;
  for (size_t I = 0; I < Work.size(); ++I) {
    const Value *V = Work[I];
    if (I > 32)
      return Role::Either;
    if (Shadows.contains(V))
      Shadow = true;
    else if (auto *G = dyn_cast<GEPOperator>(V))
      Work.insert(G->getPointerOperand());
    else if (isa<SelectInst, PHINode>(V))
      for (const Value *O : cast<User>(V)->operands()) {
        if (O->getType()->isPointerTy())
          Work.insert(O);
      }
    else
      Other = true;
  }
  return Shadow && Other ? Role::Either : Shadow ? Role::Shadow : Role::Primal;
}

/// The tape is memory that nothing but the tape accesses touches, and shadows
/// are memory that the primal does not touch, in whatever iteration: the
/// scopes hold for the whole call.
void UnitEmitter::markOtherAccesses(Function &F) {
  SmallPtrSet<const Value *, 32> Shadows;
  for (const WeakTrackingVH &V : ShadowPointers)
    if (V)
      Shadows.insert(V);
  for (auto [G, S] : GlobalShadows)
    Shadows.insert(S);
  MDNode *Both = MDNode::concatenate(TapeScope, ShadowScope);
  MDNode *Tape = TapeScope, *OfCombiner = Both;
  if (Combines) {
    Both = MDNode::concatenate(Both, CombinerScope);
    Tape = MDNode::concatenate(Tape, CombinerScope);
  }
  SmallVector<BasicBlock *> Blocks(make_pointer_range(F));
  DeclaredScopes Declared(Blocks);
  // The shadow of constant memory is that memory.
  bool Separate = !Act.unit().RuntimeActivity;
  for (BasicBlock &B : F)
    for (Instruction &I : B) {
      const Value *Ptr = getLoadStorePointerOperand(&I);
      if (auto *A = dyn_cast<AtomicRMWInst>(&I))
        Ptr = A->getPointerOperand();
      if (isCombinerCall(&I))
        I.setMetadata(LLVMContext::MD_noalias, TapeScope);
      if (Ptr && isCombiner(getUnderlyingObject(Ptr))) {
        I.setMetadata(LLVMContext::MD_alias_scope, CombinerScope);
        I.setMetadata(LLVMContext::MD_noalias, OfCombiner);
      }
      auto [Own, Others] = Declared.takeNotes(I);
      if (!Ptr || I.hasMetadata(LLVMContext::MD_alias_scope) ||
          isa<AllocaInst>(Ptr))
        continue;
      Role Is = Separate ? roleOf(Ptr, Shadows) : Role::Either;
      if (!Separate)
        Own = Others = nullptr;
      if (Is == Role::Shadow)
        Own = MDNode::concatenate(Own, ShadowScope);
      I.setMetadata(LLVMContext::MD_alias_scope, Own);
      I.setMetadata(
          LLVMContext::MD_noalias,
          MDNode::concatenate(Others, Is == Role::Primal ? Both : Tape));
    }
}

/// Declared in the roots: an inlined call has scopes of its own, for memory
/// may have other roles in another call.
void UnitEmitter::markAliasing(ArrayRef<Function *> Roots) {
  if (!Toggles::get().alias_scopes)
    return;
  makeScopes();
  Combines = any_of(NewFunctions, [](Function *F) {
    return any_of(instructions(F),
                  [](Instruction &I) { return isCombiner(&I); });
  });
  for (Function *F : NewFunctions)
    markOtherAccesses(*F);
  for (Function *Root : Roots) {
    IRBuilder<> B(&Root->getEntryBlock(), Root->getEntryBlock().begin());
    if (Combines)
      B.CreateNoAliasScopeDeclaration(CombinerScope);
    B.CreateNoAliasScopeDeclaration(TapeScope);
    B.CreateNoAliasScopeDeclaration(ShadowScope);
  }
}

bool UnitEmitter::returnsActive(const UnitFunction &F) const {
  if (F.Seeded)
    if (ReturnInst *Ret = returnOf(*F.F);
        Ret && Ret->getReturnValue() && Act.active(Ret->getReturnValue()))
      return true;
  for (BasicBlock &B : *F.F)
    if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator()))
      if (Ret->getReturnValue())
        for (auto *U : F.F->users())
          if (auto *C = dyn_cast<CallBase>(U);
              C && Act.unit().callee(*C) == &F && Act.active(C))
            return true;
  return false;
}

bool UnitEmitter::returnsShadow(const UnitFunction &F) const {
  for (BasicBlock &B : *F.F)
    if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator()))
      return Ret->getReturnValue() && Act.shadowed(Ret->getReturnValue());
  return false;
}

bool UnitEmitter::checksActivity() const {
  return checkPlanRequested() && !Act.unit().KeepAccumulations &&
         none_of(Act.unit().Functions,
                 [](const auto &F) { return F->Concurrent; });
}

/// Functions that touch shadows or adjoints, directly or in what they call.
void UnitEmitter::findDerived() {
  Unit &U = Act.unit();
  for (bool Again = true; Again;) {
    Again = false;
    for (auto &UF : U.Functions) {
      if (Derived.contains(UF.get()))
        continue;
      // An instrumented pass is instrumented throughout.
      bool Yes = checksActivity() && !UF->F->isVarArg();
      Yes |= any_of(UF->F->args(), [&](Argument &A) {
        return Act.active(&A) || Act.shadowed(&A);
      });
      for (BasicBlock &B : *UF->F)
        for (Instruction &I : B) {
          if (Yes)
            break;
          Yes = Act.active(&I) || Act.shadowed(&I);
          if (auto *S = dyn_cast<StoreInst>(&I))
            Yes |= Act.shadowed(S->getPointerOperand());
          if (auto *C = dyn_cast<CallBase>(&I)) {
            Yes |= syncOf(*C) != Sync::None || mpiHasWork(*C);
            if (UnitFunction *G = U.callee(*C))
              Yes |= Derived.contains(G);
            else
              for (Value *A : C->args())
                Yes |= A->getType()->isPointerTy() && Act.shadowed(A);
          }
        }
      if (Yes)
        Again |= Derived.insert(UF.get()).second;
    }
  }
}

//===----------------------------------------------------------------------===//

/// Has C call the user's function in the place of its clone, which takes
/// addresses of what the user's function takes by value.
void callSource(CallBase &C, Function &Source) {
  C.setCalledFunction(&Source);
  for (unsigned N = 0; N < Source.arg_size(); ++N)
    for (auto K : {Attribute::ByVal, Attribute::StructRet, Attribute::InReg,
                   Attribute::Nest, Attribute::Alignment})
      if (Source.hasParamAttribute(N, K)) {
        C.removeParamAttr(N, K);
        C.addParamAttr(N, Source.getParamAttribute(N, K));
      }
}

SmallVector<ReturnInst *> cloneInto(Function &T, const UnitFunction &UF,
                                    ValueToValueMapTy &VM) {
  SmallVector<ReturnInst *> Returns;
  // The clones are of the unit, in this module: only local changes.
  CloneFunctionInto(&T, UF.F, VM, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  declareScopes(UF, VM);
  T.setLinkage(GlobalValue::InternalLinkage);
  T.setComdat(nullptr);
  T.setCallingConv(CallingConv::C);
  return Returns;
}

void ShadowEmitter::cloneBody() {
  cloneInto(T, UF, VM);
  // Calls of functions that have nothing to derive go to the user's function.
  for (BasicBlock &B : T)
    for (Instruction &I : B)
      if (auto *C = dyn_cast<CallBase>(&I))
        if (UnitFunction *G = Act.unit().callee(*C); G && !E.needsDerived(*G))
          callSource(*C, *G->Source);
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
  if (Act.unit().RuntimeActivity)
    return primal(V); // constant
  E.R.error(Diag::UnknownShadow, dyn_cast<Instruction>(V),
            {"a pointer of unknown origin"});
  return PoisonValue::get(V->getType());
}

Value *ShadowEmitter::zeroed(IRBuilder<> &B, Value *Ptr, Value *Bytes,
                             MaybeAlign A) {
  B.CreateMemSet(Ptr, B.getInt8(0), Bytes, A);
  return Ptr;
}

void ShadowEmitter::storeShadow(StoreInst &S) {
  Value *V = S.getValueOperand();
  if (!Act.shadowed(S.getPointerOperand()))
    return;
  bool HoldsPointer = Act.shadowed(V);
  // Null and other constants written over a pointer are written to the shadow.
  if (!HoldsPointer && isa<Constant>(V) && !containsFloatType(V->getType()))
    for (Cell *C : Act.shape().cellsOf(S.getPointerOperand(), V->getType()))
      HoldsPointer |= C->Kind == CellKind::Pointer;
  if (!HoldsPointer)
    return;
  IRBuilder<> B = after(S);
  Value *P = S.getPointerOperand();
  Value *Place =
      guard(B, P).place(shadow(P), V->getType(), S.getAlign(), entryPoint());
  B.CreateAlignedStore(shadow(V), Place, S.getAlign(), S.isVolatile());
  if (GlobalVariable *Flag = E.freshness(S))
    B.CreateStore(B.getInt8(1), Flag);
}

/// The shadow nodes are rearranged as the nodes are.
void ShadowEmitter::mirror(CallBase &C) {
  if (none_of(C.args(), [&](Value *A) { return Act.shadowed(A); }))
    return;
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

/// The shadow of new memory is new memory, zero.
void ShadowEmitter::allocationShadow(CallBase &C) {
  KnownCall K = knownCall(C);
  IRBuilder<> B = after(C);
  SmallVector<Value *> Args;
  for (Value *A : C.args())
    Args.push_back(primal(A));
  CallInst *S = B.CreateCall(C.getFunctionType(), primal(C.getCalledOperand()),
                             Args, C.getName() + ".shadow");
  S->setAttributes(C.getAttributes());
  S->setCallingConv(C.getCallingConv());
  if (K.Kind != KnownKind::AllocZero) {
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

bool ShadowEmitter::emitShadow(Instruction &I) {
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    storeShadow(*S);
    return true;
  }
  if (auto *C = dyn_cast<CallBase>(&I)) {
    KnownCall K = knownCall(*C);
    if (K.isCopy())
      copyPointers(*C);
    else if (K.Kind == KnownKind::Set)
      clearPointers(*C);
    else if (K.isAllocation() && Act.shadowed(C))
      allocationShadow(*C);
    else if (K.Kind == KnownKind::Mirror)
      mirror(*C);
    else if (K.returnedOperand() < 0 && !C->getReturnedArgOperand() &&
             Act.shadowed(C) && !Act.unit().callee(*C)) {
      E.R.error(Diag::UnknownShadow, C,
                {"it is returned by '" +
                 C->getCalledOperand()->getName().str() + "'"});
      Shadows[C] = PoisonValue::get(C->getType());
    }
    if (Act.shadowed(C) && !Shadows.count(C) && !Act.unit().callee(*C)) {
      Value *From =
          K.returnedOperand() >= 0
              ? C->getArgOperand(static_cast<unsigned>(K.returnedOperand()))
              : C->getReturnedArgOperand();
      if (From)
        Shadows[C] = shadow(From);
    }
    return K.isCopy() || K.Kind == KnownKind::Set || K.isAllocation();
  }
  if (!Act.shadowed(&I))
    return false;
  if (auto *A = dyn_cast<AllocaInst>(&I)) {
    IRBuilder<> B = after(I);
    AllocaInst *S =
        B.CreateAlloca(A->getAllocatedType(),
                       A->getArraySize() ? primal(A->getArraySize()) : nullptr,
                       A->getName() + ".shadow");
    S->setAlignment(A->getAlign());
    Value *One =
        B.getInt64(E.M.getDataLayout().getTypeAllocSize(A->getAllocatedType()));
    Value *Number =
        B.CreateZExtOrTrunc(primal(A->getArraySize()), B.getInt64Ty());
    zeroed(B, S, B.CreateMul(One, Number), A->getAlign());
    Shadows[&I] = S;
    return true;
  }
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    auto *C = cast<PHINode>(cloned(I));
    PHINode *S = PHINode::Create(Phi->getType(), Phi->getNumIncomingValues(),
                                 Phi->getName() + ".shadow", C->getIterator());
    S->setDebugLoc(Phi->getDebugLoc());
    Shadows[&I] = S;
    if (E.Lane == 0)
      ShadowPhis.push_back(Phi);
    return true;
  }
  switch (I.getOpcode()) {
  case Instruction::Load:
  case Instruction::GetElementPtr:
  case Instruction::Select:
  case Instruction::Freeze:
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::ExtractValue:
  case Instruction::InsertValue: {
    IRBuilder<> B = after(I);
    if (auto *L = dyn_cast<LoadInst>(&I))
      if (Value *Kept = keptShadow(B, *L)) {
        Shadows[&I] = Kept;
        return true;
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
    return true;
  }
  default:
    return false;
  }
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
