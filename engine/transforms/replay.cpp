// Split mode in forward direction. The first pass is the primal; it puts what
// it reads from memory, and what calls return, on the tape in the order of
// execution. The second pass is the tangent sweep: it runs the same control
// flow, takes these values from the tape, and leaves the primal's memory alone.
#include "transforms/emit.h"
#include "transforms/tangent.h"

#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace retro {
namespace {

/// Does the second pass leave out what this instruction does?
bool isEffect(const ActivityAnalysis &Act, Instruction &I) {
  if (isa<StoreInst, FenceInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
    return true;
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    auto *G =
        dyn_cast<GlobalVariable>(getUnderlyingObject(L->getPointerOperand()));
    return !G || !G->isConstant();
  }
  auto *C = dyn_cast<CallBase>(&I);
  if (!C || isa<DbgInfoIntrinsic, LifetimeIntrinsic>(C))
    return false;
  if (!Act.unit().callee(*C) && knownCall(*C).isPure())
    return false;
  return !C->doesNotAccessMemory() || !C->willReturn();
}

/// The first pass of one function.
class FirstPass : public ShadowEmitter {
public:
  using ShadowEmitter::ShadowEmitter;
  void run(Value *Tape) {
    cloneBody();
    for (Instruction &I : instructions(UF.F)) {
      auto *C = dyn_cast<CallBase>(&I);
      UnitFunction *G = C ? Act.unit().callee(*C) : nullptr;
      if (G && E.needsDerived(*G)) {
        auto *Old = cast<CallBase>(cloned(I));
        SmallVector<Value *> Args(Old->args());
        Args.push_back(Tape);
        IRBuilder<> B(Old);
        CallInst *New = B.CreateCall(E.of(*G).Augmented, Args);
        New->setDebugLoc(C->getDebugLoc());
        Old->replaceAllUsesWith(New);
        Old->eraseFromParent();
        VM[&I] = New;
      } else if (isEffect(Act, I) && !I.getType()->isVoidTy()) {
        IRBuilder<> B = after(I);
        E.RT.append(B, Tape, memoryImage(B, cloned(I)));
      }
    }
  }

private:
  Value *memoryImage(IRBuilder<> &B, Value *V) {
    Type *MT = E.memoryType(V->getType());
    return MT == V->getType() ? V : B.CreateZExt(V, MT);
  }
};

} // namespace

void TangentSweep::replay() {
  for (Instruction &I : instructions(UF.F)) {
    auto *C = dyn_cast<CallBase>(&I);
    UnitFunction *G = C ? Act.unit().callee(*C) : nullptr;
    if ((G && E.needsDerived(*G)) || !isEffect(Act, I))
      continue;
    Instruction *Old = cloned(I);
    if (!I.getType()->isVoidTy()) {
      IRBuilder<> B(Old);
      Value *V = E.RT.next(B, Tape, E.memoryType(I.getType()));
      if (V->getType() != I.getType())
        V = B.CreateTrunc(V, I.getType());
      Old->replaceAllUsesWith(V);
      VM[&I] = V;
    }
    Old->eraseFromParent();
  }
}

void UnitEmitter::emitFirstPass(UnitFunction &UF) {
  Function &T = *of(UF).Augmented;
  FirstPass F(*this, UF, T);
  for (Argument &A : UF.F->args())
    F.VM[&A] = T.getArg(A.getArgNo());
  F.run(T.getArg(static_cast<unsigned>(T.arg_size()) - 1));
  cleanAttributes(T, *UF.F, 0, {});
}

Derivative UnitEmitter::emitForwardSplit(const Request &Req) {
  Derivative D;
  UnitFunction &Root = Act.unit().root();
  if (!emitCallees(true))
    return D;
  if (!needsDerived(Root)) {
    declareForward(Root);
    emitForward(Root);
  }
  D.TapeBytes = RT.tapeHeaderBytes();
  if (Req.Allocated && *Req.Allocated < D.TapeBytes) {
    R.error(Diag::TapeMemory, Req.Call,
            {Root.Source->getName().str(), std::to_string(D.TapeBytes),
             std::to_string(*Req.Allocated)});
    return D;
  }
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
  SmallVector<Type *> Params, Results{Ptr};
  duplicated(Req, *Root.F, Params);
  Params.push_back(Ptr); // the caller's memory
  if (!Ret->isVoidTy())
    Results.push_back(Ret);
  Function *T = D.Augmented = createRoot("augmented_of_", Results, Params);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", T));
  Value *Tape = RT.openTape(B, T->getArg(T->arg_size() - 1), Req.Allocated);
  RT.rewind(B, Tape);
  SmallVector<Value *> Args;
  for (unsigned I = 0; I < N; ++I)
    Args.push_back(T->getArg(I));
  Args.push_back(Tape);
  CallInst *Call = B.CreateCall(of(Root).Augmented, Args);
  SmallVector<Value *> Parts{Tape};
  if (!Ret->isVoidTy())
    Parts.push_back(Call);
  B.CreateRet(structOf(B, cast<StructType>(T->getReturnType()), Parts));
}

void UnitEmitter::emitForwardSplitSecond(const Request &Req, Derivative &D) {
  UnitFunction &Root = Act.unit().root();
  unsigned N = static_cast<unsigned>(Root.F->arg_size());
  Type *Ret = Root.F->getReturnType();
  SmallVector<Type *> Params, Results;
  auto Dup = duplicated(Req, *Root.F, Params);
  Params.push_back(PointerType::getUnqual(M.getContext()));
  if (!Ret->isVoidTy())
    Results.push_back(perLane(Ret));
  Function *T = D.Second = createRoot("tangent_of_", Results, Params);
  LaneMap<Value *> Tangents(Lane, width());
  bindLanes(Tangents, *T, N, Dup);
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
  CallInst *Call = B.CreateCall(of(Root).Forward, Args);
  clearGlobalShadows(B);
  SmallVector<Value *> Parts;
  if (!Ret->isVoidTy()) {
    unsigned Field = 1;
    bool Has = returnsActive(Root) || returnsShadow(Root);
    Parts.push_back(gather(B, [&]() -> Value * {
      return Has ? B.CreateExtractValue(Call, Field++)
                 : Constant::getNullValue(Ret);
    }));
  }
  if (!Req.NoFree)
    RT.closeTape(B, Tape, Req.Allocated.has_value());
  B.CreateRet(structOf(B, cast<StructType>(T->getReturnType()), Parts));
}

} // namespace retro
