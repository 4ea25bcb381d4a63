// Calls of the runtime beside the primal's code: each number gets an identity,
// and the runtime is told which come from which. What is said to be inactive
// and depends on an active input is then reported when the program runs.
// Without it such a number would only show as a wrong gradient.
#include "emit/checks/activity_trace.h"

#include "front/names/runtime.h"
#include "front/registered/registrations.h"

#include "llvm/ADT/PostOrderIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// What the runtime knows as the address of active inputs.
constexpr unsigned Input = 2;
/// Is I the address, or computed from the number, that operand N is?
bool passesOn(const Instruction &I, unsigned N) {
  switch (I.getOpcode()) {
  case Instruction::GetElementPtr:
    return N == 0;
  case Instruction::AddrSpaceCast:
  case Instruction::IntToPtr:
  case Instruction::PtrToInt:
    return true;
  default:
    return passesDerivative(I, N);
  }
}

/// Arguments whose numbers calls pass on.
constexpr unsigned MaxPassed = 64;

} // namespace

ActivityTrace::ActivityTrace(ShadowEmitter &S, Instruction &Entry)
    : S(S), Act(S.Act), IdTy(Type::getInt32Ty(S.T.getContext())) {
  IRBuilder<> B(&Entry);
  bool First = S.UF.Root || S.UF.Seeded;
  Trace = callRuntime(B, First ? Rt::check_open : Rt::check_entered);
}

/// Numbers, pointers, and integers that are one of them.
bool ActivityTrace::isTracked(const Value *V) const {
  Type *T = V->getType();
  if (T->isIntOrIntVectorTy())
    return Act.adjointType(V) || Act.shape().carriesPointer(V);
  return !T->isVoidTy() && !T->isTokenTy() && !T->isMetadataTy() &&
         !T->isLabelTy();
}

Value *ActivityTrace::idOf(const Value *V) {
  auto It = Ids.find(V);
  if (It != Ids.end())
    return It->second;
  bool IsInput = isa<GlobalVariable>(V) && Act.shadowed(V);
  return ConstantInt::get(IdTy, IsInput ? Input : 0);
}

/// Where a number is computed that is held inactive; else null.
Value *ActivityTrace::claim(Builder &B, const Instruction &I) {
  if (!I.getType()->isFPOrFPVectorTy() || Act.active(&I))
    return ConstantPointerNull::get(B.getPtrTy());
  return B.CreateGlobalString(S.E.R.placeText(I));
}

Value *ActivityTrace::sizeOf(Builder &B, Type *T) {
  return B.getInt64(
      S.T.getParent()->getDataLayout().getTypeStoreSize(T).getFixedValue());
}

/// Can a result be in what an access writes?
Value *ActivityTrace::isResult(Builder &B, const Value *Ptr, Type *T) {
  auto Cells = T ? Act.shape().cellsOf(Ptr, T)
                 : SmallVector<const Cell *, 4>(Act.shape().cellsIn(Ptr, -1));
  return B.getInt32(any_of(Cells, [](const Cell *C) {
    return C->Kind == CellKind::Float && C->Useful;
  }));
}

/// Memory that the request or the program says has no derivative.
bool ActivityTrace::isDeclaredInactive(const Value *Ptr) const {
  const MemoryClass &M = Act.shape().classOf(Ptr);
  return ((M.Origins & FromConst) && !M.MayBeConstant) ||
         any_of(M.Globals, [&](const GlobalVariable *G) {
           return Act.unit().Registered.isInactive(*G);
         });
}

void ActivityTrace::arguments() {
  IRBuilder<> B(cast<Instruction>(Trace)->getNextNode());
  for (Argument &A : S.UF.F->args()) {
    if (!isTracked(&A))
      continue;
    Value *Id = nullptr;
    if (!S.UF.Root && !S.UF.Seeded) {
      if (A.getArgNo() < MaxPassed)
        Id =
            callRuntime(B, Rt::check_passed, {Trace, B.getInt32(A.getArgNo())});
    } else if (S.hasShadow(&A)) {
      Id = B.getInt32(Input);
    } else if (Act.varied(&A)) {
      Id = callRuntime(B, Rt::check_input, {Trace});
    }
    if (Id)
      Ids[&A] = Id;
  }
}

void ActivityTrace::called(const CallBase &C, CallBase &New) {
  Calls[&C] = &New;
}

void ActivityTrace::visitUnitCall(const CallBase &C, UnitFunction &G,
                                  CallBase &New) {
  IRBuilder<> B(&New);
  for (Argument &A : G.F->args())
    if (unsigned N = A.getArgNo(); N < MaxPassed && isTracked(&A))
      callRuntime(B, Rt::check_pass,
                  {Trace, B.getInt32(N), idOf(C.getArgOperand(N))});
  callRuntime(B, Rt::check_enter, {Trace});
  if (!isTracked(&C))
    return;
  B.SetInsertPoint(New.getNextNode());
  Value *Id = callRuntime(B, Rt::check_returned, {Trace});
  Ids[&C] = callRuntime(B, Rt::check_value,
                        {Trace, Id, B.getInt32(0), B.getInt32(0), claim(B, C)});
}

void ActivityTrace::store(Builder &B, const Value *Ptr, Type *T, Value *Id) {
  if (isDeclaredInactive(Ptr))
    Id = B.getInt32(0);
  callRuntime(B, Rt::check_store,
              {Trace, S.primal(Ptr), sizeOf(B, T), Id, isResult(B, Ptr, T)});
}

Value *ActivityTrace::load(Builder &B, const Instruction &I, const Value *Ptr,
                           Value *Claim) {
  Type *T = I.getType();
  return callRuntime(B, Rt::check_load,
                     {Trace, S.primal(Ptr), sizeOf(B, T), idOf(Ptr),
                      B.getInt32(containsFloat(T) ||
                                 (T->isIntegerTy() && Act.adjointType(&I))),
                      Claim});
}

/// The operation returns the number that was in the place. What is there
/// afterwards is a number of its own, which may be active only if the place is.
void ActivityTrace::update(const AtomicRMWInst &A, Instruction &Clone) {
  const Value *Place = A.getPointerOperand();
  Type *T = A.getType();
  // Memory is known while it holds what was stored.
  IRBuilder<> B(&Clone);
  auto *NoClaim = ConstantPointerNull::get(B.getPtrTy());
  Ids[&A] = load(B, A, Place, claim(B, A));
  Value *Id = idOf(A.getValOperand());
  const bool Number = T->isFPOrFPVectorTy();
  if (A.getOperation() != AtomicRMWInst::Xchg) {
    Value *Old = load(B, A, Place, NoClaim);
    bool Claims = Number && !Act.touchesActive(Place, T);
    Id = callRuntime(B, Rt::check_value,
                     {Trace, Old, Id, B.getInt32(Number),
                      Claims ? B.CreateGlobalString(S.E.R.placeText(A))
                             : static_cast<Value *>(NoClaim)});
  }
  B.SetInsertPoint(Clone.getNextNode());
  store(B, Place, T, Id);
}

Value *ActivityTrace::join(Builder &B, const Instruction &I,
                           ArrayRef<const Value *> Operands) {
  auto *None = ConstantInt::get(IdTy, 0);
  Value *All = None;
  for (const Value *O : Operands) {
    Value *Id = idOf(O);
    if (Id == None)
      continue;
    All = All == None ? Id
                      : callRuntime(B, Rt::check_value,
                                    {Trace, All, Id, B.getInt32(0),
                                     ConstantPointerNull::get(B.getPtrTy())});
  }
  Value *Claim = claim(B, I);
  bool Number = I.getType()->isFPOrFPVectorTy();
  if (All == None || (!Number && isa<ConstantPointerNull>(Claim)))
    return All;
  return callRuntime(B, Rt::check_value,
                     {Trace, All, None, B.getInt32(Number), Claim});
}

void ActivityTrace::visitCall(const CallBase &C, Builder &B) {
  KnownCall K = knownCall(C);
  auto Arg = [&](int N) { return C.getArgOperand(static_cast<unsigned>(N)); };
  if (K.isCopy()) {
    Value *To = Arg(K.Row->A), *From = Arg(K.Row->B);
    if (isDeclaredInactive(To))
      return;
    callRuntime(B, Rt::check_copy,
                {Trace, S.primal(To), S.primal(From),
                 B.CreateZExtOrTrunc(S.primal(Arg(K.Row->C)), B.getInt64Ty()),
                 idOf(From), isResult(B, To, nullptr)});
  } else if (K.isAllocation()) {
    Value *Bytes = B.CreateZExtOrTrunc(S.primal(Arg(K.Row->A)), B.getInt64Ty());
    if (K.Row->B >= 0)
      Bytes = B.CreateMul(
          Bytes, B.CreateZExtOrTrunc(S.primal(Arg(K.Row->B)), B.getInt64Ty()));
    callRuntime(B, Rt::check_forget, {Trace, S.primal(&C), Bytes});
  } else if (K.isDifferentiable()) {
    SmallVector<const Value *> Operands;
    for (unsigned N = 0; N < C.arg_size(); ++N)
      if (K.hasDerivative(N))
        Operands.push_back(C.getArgOperand(N));
    Value *Id = join(B, C, Operands);
    Ids[&C] = Id;
    for (unsigned N = 0; N < C.arg_size(); ++N)
      if (Type *T = K.outputType(C, N))
        store(B, C.getArgOperand(N), T, Id);
  }
  int Returned = K.returnedOperand();
  if (Returned >= 0 && isTracked(&C))
    Ids[&C] = idOf(Arg(Returned));
}

void ActivityTrace::visitPhi(const PHINode &Phi, Instruction &Clone) {
  if (!isTracked(&Phi))
    return;
  BasicBlock &At = *Clone.getParent();
  IRBuilder<> B(&At, At.begin());
  PHINode *Id = Phis[&Phi] = B.CreatePHI(IdTy, 2);
  B.SetInsertPoint(&At, At.getFirstInsertionPt());
  Ids[&Phi] = Id;
  Ids[&Phi] = join(B, Phi, {&Phi});
}

void ActivityTrace::visitReturn(const ReturnInst &Ret, Instruction &Clone) {
  IRBuilder<> B(&Clone);
  const Value *V = Ret.getReturnValue();
  Value *Id = V ? idOf(V) : B.getInt32(0);
  if (!S.UF.Root && !S.UF.Seeded)
    callRuntime(B, Rt::check_return, {Trace, Id});
  else
    callRuntime(B, Rt::check_close,
                {Trace, V && Act.useful(V) ? Id : B.getInt32(0)});
}

void ActivityTrace::visit(const Instruction &I) {
  if (auto *C = dyn_cast<CallBase>(&I))
    if (UnitFunction *G = Act.unit().callee(*C))
      if (CallBase *New = Calls.lookup(C))
        return visitUnitCall(*C, *G, *New);
  Instruction *Clone = S.findCloned(I);
  auto *Store = dyn_cast<StoreInst>(&I);
  if (!Clone || (Store && Act.storesUnneeded(*Store)))
    return;
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return visitPhi(*Phi, *Clone);
  if (auto *Ret = dyn_cast<ReturnInst>(&I))
    return visitReturn(*Ret, *Clone);
  if (I.isTerminator())
    return;
  // Variables may stand before the trace.
  auto *Opened = cast<Instruction>(Trace);
  bool Early =
      Clone->getParent() == Opened->getParent() && Clone->comesBefore(Opened);
  IRBuilder<> B((Early ? Opened : Clone)->getNextNode());
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    if (isTracked(L))
      Ids[L] = load(B, *L, L->getPointerOperand(), claim(B, *L));
  } else if (Store) {
    const Value *Stored = Store->getValueOperand();
    store(B, Store->getPointerOperand(), Stored->getType(), idOf(Stored));
  } else if (auto *A = dyn_cast<AtomicRMWInst>(&I)) {
    update(*A, *Clone);
  } else if (auto *A = dyn_cast<AllocaInst>(&I)) {
    if (auto Size = A->getAllocationSize(S.T.getParent()->getDataLayout()))
      callRuntime(B, Rt::check_forget,
                  {Trace, S.primal(A), B.getInt64(Size->getFixedValue())});
  } else if (auto *C = dyn_cast<CallBase>(&I)) {
    visitCall(*C, B);
  } else if (isTracked(&I)) {
    SmallVector<const Value *> Operands;
    for (unsigned N = 0; N < I.getNumOperands(); ++N)
      if (passesOn(I, N))
        Operands.push_back(I.getOperand(N));
    Ids[&I] = join(B, I, Operands);
  }
}

void ActivityTrace::fillPhis() {
  for (auto [Phi, Id] : Phis)
    for (unsigned N = 0; N < Phi->getNumIncomingValues(); ++N)
      Id->addIncoming(idOf(Phi->getIncomingValue(N)),
                      S.endOf(*Phi->getIncomingBlock(N)));
}

void ActivityTrace::run() {
  arguments();
  ReversePostOrderTraversal<Function *> RPO(S.UF.F);
  for (BasicBlock *Block : RPO)
    for (Instruction &I : *Block)
      visit(I);
  fillPhis();
}

} // namespace retro
