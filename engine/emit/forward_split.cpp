// Split mode in forward direction. The first pass is the primal; it puts what
// it reads from memory, and what calls return, on the tape in the order of
// execution. The second pass is the tangent sweep: it runs the same control
// flow, takes these values from the tape, and leaves the primal's memory alone.
// Without the tape the second pass would read what the program has written
// since. Members of UnitEmitter and TangentSweep (emit/common/).
#include "emit/calls/custom.h"
#include "emit/common/tangent_sweep.h"
#include "facts/activity/custom_calls.h"
#include "front/requests/request.h"
#include "prepare/memory/stack_memory.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// Is what the tape has of the first pass's variable compared with its address,
/// which the second pass has to know then?
bool isKnownByAddress(const Instruction &I) {
  return isa<AllocaInst>(I) && PointerMayBeCaptured(&I, true);
}

/// The variables of F that are known by their addresses: those come first on
/// the tape.
SmallVector<AllocaInst *> knownVariables(Function &F) {
  SmallVector<AllocaInst *> Out;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I);
        A && A->isStaticAlloca() && isKnownByAddress(I))
      Out.push_back(A);
  return Out;
}

/// Puts the variables of T before all else, and returns what follows.
Instruction *variablesFirst(Function &T) {
  BasicBlock &Entry = T.getEntryBlock();
  Instruction *Rest = &*Entry.getFirstNonPHIOrDbgOrAlloca();
  for (Instruction &I :
       make_early_inc_range(make_range(Rest->getIterator(), Entry.end())))
    if (auto *A = dyn_cast<AllocaInst>(&I); A && A->isStaticAlloca())
      A->moveBefore(Rest->getIterator());
  return Rest;
}

/// Does the second pass leave out what this instruction does?
bool isEffect(const ActivityAnalysis &Act, Instruction &I) {
  if (isa<StoreInst, FenceInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
    return true;
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    auto *G =
        dyn_cast<GlobalVariable>(getUnderlyingObject(L->getPointerOperand()));
    return !G || !G->isConstant();
  }
  if (auto *A = dyn_cast<AllocaInst>(&I))
    return !A->isStaticAlloca() && isKnownByAddress(I);
  auto *C = dyn_cast<CallBase>(&I);
  if (!C || isa<DbgInfoIntrinsic, LifetimeIntrinsic>(C) || isStackScope(I))
    return false;
  if (!Act.unit().callee(*C) && knownCall(*C).isPure())
    return false;
  return !C->doesNotAccessMemory() || !C->willReturn();
}

/// The rule of the user's that derives I in the second pass, or null.
const CustomRule *replayedRule(const ActivityAnalysis &Act,
                               const Instruction &I) {
  auto *C = dyn_cast<CallBase>(&I);
  return C && isCustom(*C) && carriesDerivative(Act, *C)
             ? customRule(Act.unit(), *C)
             : nullptr;
}

/// The first pass of one function.
class FirstPass : public ShadowEmitter {
public:
  using ShadowEmitter::ShadowEmitter;
  void run(Value *Tape) {
    cloneBody();
    if (SmallVector<AllocaInst *> Known = knownVariables(*UF.F);
        !Known.empty()) {
      IRBuilder<> B(variablesFirst(T));
      for (AllocaInst *A : Known)
        E.RT.append(B, Tape, cloned(*A));
    }
    for (Instruction &I : instructions(UF.F)) {
      auto *C = dyn_cast<CallBase>(&I);
      UnitFunction *G = C ? Act.unit().callee(*C) : nullptr;
      if (G && E.needsDerived(*G)) {
        auto *Old = cast<CallBase>(cloned(I));
        SmallVector<Value *> Args(Old->args());
        IRBuilder<> B(Old);
        for (const Argument *A : E.firstPassShadows(*G))
          Args.push_back(knownShadow(C->getArgOperand(A->getArgNo()), B));
        Args.push_back(Tape);
        CallInst *New = B.CreateCall(&E.augmentedOf(*G), Args);
        New->setDebugLoc(C->getDebugLoc());
        Old->replaceAllUsesWith(New);
        Old->eraseFromParent();
        VM[&I] = New;
      } else if (const CustomRule *Rule = replayedRule(Act, I)) {
        if (Rule->Augmented.F)
          customCall(*C, *Rule, Tape);
      } else if (isEffect(Act, I) && !I.getType()->isVoidTy()) {
        IRBuilder<> B = after(I);
        E.RT.append(B, Tape, memoryImage(B, cloned(I)));
      }
    }
  }

private:
  void customCall(CallBase &C, const CustomRule &Rule, Value *Tape);
  Value *knownShadow(Value *V, IRBuilder<> &B);
  Value *memoryImage(IRBuilder<> &B, Value *V) {
    Type *MT = memoryType(V->getType());
    return MT == V->getType() ? V : B.CreateZExt(V, MT);
  }
};

/// Shadows belong to the second pass; the first knows those that it is given,
/// and places in them. Null for others.
Value *FirstPass::knownShadow(Value *V, IRBuilder<> &B) {
  if (isa<Constant>(V) || !Act.shadowed(V))
    return shadow(V);
  if (Value *S = Shadows.lookup(V))
    return S;
  if (auto *G = dyn_cast<GetElementPtrInst>(V)) {
    Value *Base = knownShadow(G->getPointerOperand(), B);
    if (isa<ConstantPointerNull>(Base))
      return Base;
    auto *S = cast<GetElementPtrInst>(cloned(*G)->clone());
    S->setOperand(0, Base);
    return B.Insert(S);
  }
  // A variable of -O0, set once.
  if (auto *L = dyn_cast<LoadInst>(V)) {
    Value *Stored = nullptr;
    for (User *U : L->getPointerOperand()->users())
      if (auto *S = dyn_cast<StoreInst>(U); S && !Stored)
        Stored = S->getValueOperand();
      else if (!isa<LoadInst>(U))
        return Constant::getNullValue(V->getType());
    if (isa<AllocaInst>(L->getPointerOperand()) && Stored &&
        Stored != L->getPointerOperand())
      return knownShadow(Stored, B);
  }
  return Constant::getNullValue(V->getType());
}

/// The user's first pass: it makes a tape of its own, which travels in ours.
void FirstPass::customCall(CallBase &C, const CustomRule &Rule, Value *Tape) {
  const CustomFunction &F = Rule.Augmented;
  IRBuilder<> B(cloned(C));
  CustomCall Call(B, F);
  Call.emit(
      [&](const CustomParam &P) -> Value * {
        Value *A = C.getArgOperand(P.Arg);
        if (P.What == CustomParam::Primal)
          return primal(A);
        return containsFloat(A->getType())
                   ? Constant::getNullValue(A->getType())
                   : knownShadow(A, B);
      },
      C.getDebugLoc());
  if (Value *Memory = resultOperand(C))
    copyResult(B, primal(Memory), Call.resultAddress(F.Primal), C);
  Value *Result = C.getType()->isVoidTy() ? nullptr : Call.result(F.Primal);
  if (Result)
    E.RT.append(B, Tape, Result);
  if (Act.shadowed(&C))
    E.RT.append(B, Tape, Call.result(F.Derivative));
  if (Rule.Tape)
    E.RT.append(B, Tape, Call.result(F.Tape));
  replaceCloned(C, Result);
}

} // namespace

/// The parameters whose shadows the first pass is given too: for functions of
/// the user's that want them.
SmallVector<const Argument *>
UnitEmitter::firstPassShadows(const UnitFunction &UF) const {
  SmallVector<const Argument *> Out;
  bool Wanted = any_of(Act.unit().Functions, [&](auto &F) {
    return any_of(instructions(F->F), [&](Instruction &I) {
      const CustomRule *Rule = replayedRule(Act, I);
      return Rule && Rule->Augmented.F;
    });
  });
  for (Argument &A : UF.F->args())
    if (Wanted && Act.shadowed(&A))
      Out.push_back(&A);
  return Out;
}

void TangentSweep::replay() {
  if (SmallVector<AllocaInst *> Known = knownVariables(*UF.F); !Known.empty()) {
    IRBuilder<> B(variablesFirst(T));
    for (AllocaInst *A : Known) {
      Instruction *Cloned = cloned(*A);
      Cloned->replaceAllUsesWith(VM[A] = E.RT.next(B, Tape, A->getType()));
      Cloned->eraseFromParent();
    }
  }
  for (Instruction &I : instructions(UF.F)) {
    auto *C = dyn_cast<CallBase>(&I);
    UnitFunction *G = C ? Act.unit().callee(*C) : nullptr;
    if ((G && E.needsDerived(*G)) || replayedRule(Act, I) ||
        !isEffect(Act, I) || !VM.count(&I))
      continue;
    Instruction *Old = cloned(I);
    if (!I.getType()->isVoidTy()) {
      IRBuilder<> B(Old);
      Value *V = E.RT.next(B, Tape, memoryType(I.getType()));
      if (V->getType() != I.getType())
        V = B.CreateTrunc(V, I.getType());
      Old->replaceAllUsesWith(V);
      VM[&I] = V;
    }
    Old->eraseFromParent();
  }
}

void UnitEmitter::emitFirstPass(UnitFunction &UF) {
  Function &T = augmentedOf(UF);
  FirstPass F(*this, UF, T);
  F.bindArguments();
  unsigned Next = static_cast<unsigned>(UF.F->arg_size());
  for (const Argument *A : firstPassShadows(UF))
    F.bindShadow(A, T.getArg(Next++));
  F.run(T.getArg(static_cast<unsigned>(T.arg_size()) - 1));
  cleanAttributes(T, *UF.F, 0, {});
}

Derivative UnitEmitter::emitForwardSplit(const Request &Req) {
  Derivative D;
  emitCallees(true);
  D.TapeBytes = TapeHeaderBytes;
  emitForwardSplitFirst(Req, D);
  emitForwardSplitSecond(Req, D);
  finish({D.Augmented, D.Second});
  return D;
}

void UnitEmitter::emitForwardSplitFirst(const Request &Req, Derivative &D) {
  UnitFunction &Root = Act.unit().root();
  unsigned N = static_cast<unsigned>(Root.F->arg_size());
  Type *Ret = Root.F->getReturnType(),
       *Ptr = PointerType::getUnqual(M.getContext());
  Signature Sig = signatureOf(Req);
  Sig.Params.push_back(Ptr); // the caller's memory
  Sig.Results.push_back(Ptr);
  if (!Ret->isVoidTy())
    Sig.Results.push_back(Ret);
  Function *T = D.Augmented = createRoot("augmented_of_", Sig);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", T));
  Value *Tape = RT.openTape(B, T->getArg(T->arg_size() - 1), Req.Allocated);
  RT.rewind(B, Tape);
  SmallVector<Value *> Args;
  for (unsigned I = 0; I < N; ++I)
    Args.push_back(T->getArg(I));
  for (const Argument *A : firstPassShadows(Root)) {
    auto It = find(Sig.Dup, A);
    unsigned Number = It == Sig.Dup.end()
                          ? A->getArgNo()
                          : N + static_cast<unsigned>(It - Sig.Dup.begin());
    Args.push_back(T->getArg(Number));
  }
  Args.push_back(Tape);
  CallInst *Call = B.CreateCall(&augmentedOf(Root), Args);
  SmallVector<Value *> Parts{Tape};
  if (!Ret->isVoidTy())
    Parts.push_back(Call);
  returnStruct(B, Parts);
}

void UnitEmitter::emitForwardSplitSecond(const Request &Req, Derivative &D) {
  UnitFunction &Root = Act.unit().root();
  unsigned N = static_cast<unsigned>(Root.F->arg_size());
  Type *Ret = Root.F->getReturnType();
  Signature Sig = signatureOf(Req);
  Sig.Params.push_back(PointerType::getUnqual(M.getContext()));
  const bool Returns = !Ret->isVoidTy() && !Req.ConstReturn;
  if (Returns)
    Sig.Results.push_back(perLane(Ret));
  Function *T = D.Second = createRoot("tangent_of_", Sig);
  LaneMap<Value *> Tangents(Lane, width());
  Tangents.bind(*T, N, Sig.Dup);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", T));
  Value *Tape = T->getArg(T->arg_size() - 1);
  RT.rewind(B, Tape);
  SmallVector<Value *> Args;
  for (unsigned I = 0; I < N; ++I)
    Args.push_back(T->getArg(I));
  for (Argument &A : Root.F->args())
    forLanes([&] {
      if (Act.active(&A))
        Args.push_back(Tangents.lookup(&A)
                           ? Tangents.lookup(&A)
                           : Constant::getNullValue(Act.adjointType(&A)));
      if (Act.shadowed(&A))
        Args.push_back(Tangents.lookup(&A) ? Tangents.lookup(&A)
                                           : T->getArg(A.getArgNo()));
    });
  Args.push_back(Tape);
  checkSeparate(B, *T);
  clearGlobalShadows(B);
  CallInst *Call = B.CreateCall(&tangentOf(Root), Args);
  SmallVector<Value *> Parts;
  if (Returns) {
    unsigned Field = 1;
    bool Has = returnsActive(Root) || returnsShadow(Root);
    Parts.push_back(gather(B, [&]() -> Value * {
      return Has ? B.CreateExtractValue(Call, Field++)
                 : Constant::getNullValue(Ret);
    }));
  }
  if (!Req.NoFree)
    RT.closeTape(B, Tape, Req.Allocated.has_value());
  returnStruct(B, Parts);
}

} // namespace retro
