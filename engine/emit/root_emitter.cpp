// What a request is answered with: the combined gradient, the tangent, the two
// functions of split mode.
#include "emit/common/emit.h"
#include "emit/common/tangent.h"
#include "emit/words/memory_adjoint.h"
#include "polish/near_use.h"

using namespace llvm;

namespace retro {

/// Functions that the root calls: their pairs, or their tangents.
bool UnitEmitter::emitCallees(bool Forward) {
  findDerived();
  SmallVector<UnitFunction *> Callees;
  for (auto &UF : Act.unit().Functions)
    if (!UF->Root && needsDerived(*UF))
      Callees.push_back(UF.get());
  for (UnitFunction *UF : Callees)
    Forward ? declareForward(*UF) : declareReverse(*UF);
  for (UnitFunction *UF : Callees)
    if (!R.failed())
      Forward ? emitForward(*UF) : emitPair(*UF);
  return !R.failed();
}

/// An empty function {Results} (parameters of the root, Params).
Function *UnitEmitter::createRoot(const Twine &Name, ArrayRef<Type *> Results,
                                  ArrayRef<Type *> Params) {
  UnitFunction &Root = Act.unit().root();
  SmallVector<Type *> All(Root.F->getFunctionType()->params());
  All.append(Params.begin(), Params.end());
  Function *T = Function::Create(
      FunctionType::get(StructType::get(M.getContext(), Results), All, false),
      GlobalValue::InternalLinkage, Name + Root.Source->getName(), M);
  NewFunctions.push_back(T);
  return T;
}

/// What stands for one value of type T a lane in a result.
Type *UnitEmitter::perLane(Type *T) const {
  return width() == 1 ? T : ArrayType::get(T, width());
}

Value *UnitEmitter::gather(IRBuilder<> &B, function_ref<Value *()> OfLane) {
  if (width() == 1)
    return OfLane();
  Value *All = nullptr;
  forLanes([&] {
    Value *V = OfLane();
    if (!All)
      All = PoisonValue::get(perLane(V->getType()));
    All = B.CreateInsertValue(All, V, Lane);
  });
  return All;
}

/// The duplicated parameters, each once a lane.
SmallVector<const Argument *>
UnitEmitter::duplicated(const Request &Req, Function &F,
                        SmallVectorImpl<Type *> &Types) {
  SmallVector<const Argument *> Out;
  for (Argument &A : F.args())
    if (Activity X = Req.Args[A.getArgNo()].Act;
        X == Activity::Dup || X == Activity::DupNoNeed) {
      Out.append(Req.Width, &A);
      Types.append(Req.Width, A.getType());
    }
  return Out;
}

namespace {

/// What the forward pass would store last: values and places go through
/// variables to where it is stored.
class LateStores {
public:
  LateStores(ForwardSweep &F, const FunctionPlan &P);
  /// Stores.
  void make(IRBuilder<> &B);

private:
  struct Way {
    Use *Of;
    AllocaInst *Variable;
  };
  SmallVector<StoreInst *> Stores;
  SmallVector<Way> Ways;
};

} // namespace

LateStores::LateStores(ForwardSweep &F, const FunctionPlan &P) {
  for (const StoreInst *S : P.LateStores) {
    auto *New = cast<StoreInst>(F.cloned(*S));
    Stores.push_back(New);
    for (Use &U : New->operands()) {
      if (isa<Constant, Argument>(U))
        continue;
      auto *Variable =
          IRBuilder<>(F.EntryPoint).CreateAlloca(U->getType(), nullptr, "late");
      IRBuilder<>(New).CreateStore(U, Variable);
      Ways.push_back({&U, Variable});
    }
  }
}

void LateStores::make(IRBuilder<> &B) {
  for (auto [Of, Variable] : Ways)
    Of->set(B.CreateLoad(Variable->getAllocatedType(), Variable));
  for (StoreInst *S : Stores) {
    S->removeFromParent();
    B.Insert(S);
  }
}

Function *UnitEmitter::emitGradient(const Request &Req) {
  if (!emitCallees(false))
    return nullptr;
  UnitFunction &Root = Act.unit().root();
  unsigned N = static_cast<unsigned>(Root.F->arg_size());
  SmallVector<Type *> Params, Results;
  auto Dup = duplicated(Req, *Root.F, Params);
  Type *Ret = Root.F->getReturnType();
  if (Req.PrimalReturn && !Ret->isVoidTy())
    Results.push_back(Ret);
  for (Argument &A : Root.F->args())
    if (Req.Args[A.getArgNo()].Act == Activity::Out)
      Results.push_back(perLane(A.getType()));
  if (pooled())
    Params.append(PoolArguments::types(M.getContext()));
  Function *T = createRoot("gradient_", Results, Params);
  ForwardSweep F(*this, Root, *T);
  for (Argument &A : Root.F->args())
    F.VM[&A] = T->getArg(A.getArgNo());
  bindLanes(F.Shadows, *T, N, Dup);
  F.run();
  cleanAttributes(*T, *Root.F, N, Dup);
  ReturnInst *Return = returnOf(*Root.F);
  if (R.failed() || !Return)
    return R.failed() ? nullptr : finish({T});

  ReverseSweep S(*this, Root, *T);
  S.Fwd = &F;
  S.EntryPoint = F.EntryPoint;
  S.Arena = F.Arena;
  S.Stride = F.Stride;
  for (Argument &A : Root.F->args())
    S.Args[&A] = T->getArg(A.getArgNo());
  bindLanes(S.ShadowArgs, *T, N, Dup);
  Value *RV = Return->getReturnValue();
  AllocaInst *Kept = nullptr;
  auto *TR = cast<ReturnInst>(F.cloned(*Return));
  if (Req.PrimalReturn && RV) {
    IRBuilder<> EB(F.EntryPoint);
    Kept = EB.CreateAlloca(Ret, nullptr, "result");
    IRBuilder<> RB(TR);
    RB.CreateStore(F.primal(RV), Kept);
  }
  LateStores Late(F, Plan->of(Root));
  BasicBlock *First = S.run([&](IRBuilder<> &B) {
    Late.make(B);
    SmallVector<Value *> Parts;
    if (Kept)
      Parts.push_back(B.CreateLoad(Ret, Kept));
    for (Argument &A : Root.F->args())
      if (Req.Args[A.getArgNo()].Act == Activity::Out)
        Parts.push_back(gather(B, [&]() -> Value * {
          return Act.active(&A) ? S.takeAdjoint(&A)
                                : Constant::getNullValue(A.getType());
        }));
    if (pooled())
      RT.noteTapeBytes(B, Memory.taken(B, F.Arena));
    else if (UsesArena)
      RT.release(B, F.Arena);
    B.CreateRet(structOf(B, cast<StructType>(T->getReturnType()), Parts));
  });
  if (R.failed())
    return nullptr;
  BasicBlock *End = TR->getParent();
  TR->eraseFromParent();
  BasicBlock *Start = First;
  if (RV && Act.active(RV)) {
    Type *Ty = Act.adjointType(RV);
    if (!Ty->isFloatingPointTy()) {
      R.error(
          Diag::BadReturn, Return,
          {Root.Source->getName().str(), "it returns more than one number"});
      return nullptr;
    }
    Start = BasicBlock::Create(M.getContext(), "seed", T);
    S.seed(Start, RV, First, [&] { return ConstantFP::get(Ty, 1.0); });
  }
  BranchInst::Create(Start, End);
  S.weave(Start, End);
  if (UsesArena && !pooled())
    WhenLeft[T] = [this, Arena = F.Arena](IRBuilder<> &B) {
      RT.release(B, Arena);
    };
  IRBuilder<> EB(F.EntryPoint);
  clearGlobalShadows(EB);
  for (unsigned Arg : Plan->of(Root).Inputs.set_bits())
    markInput(*T, Arg);
  return finish({T});
}

Function *UnitEmitter::emitTangent(const Request &Req) {
  if (!emitCallees(true))
    return nullptr;
  UnitFunction &Root = Act.unit().root();
  unsigned N = static_cast<unsigned>(Root.F->arg_size());
  SmallVector<Type *> Params, Results;
  auto Dup = duplicated(Req, *Root.F, Params);
  Type *Ret = Root.F->getReturnType();
  if (!Ret->isVoidTy()) {
    if (Req.PrimalReturn)
      Results.push_back(Ret);
    Results.push_back(perLane(Ret));
  }
  Function *T = createRoot("tangent_of_", Results, Params);
  TangentSweep S(*this, Root, *T);
  for (Argument &A : Root.F->args())
    S.VM[&A] = T->getArg(A.getArgNo());
  for (unsigned I = 0; I < Dup.size(); ++I) {
    Lane = I % width();
    (Dup[I]->getType()->isPointerTy() ? S.Shadows : S.Tangents)[Dup[I]] =
        T->getArg(N + I);
  }
  Lane = 0;
  S.run();
  cleanAttributes(*T, *Root.F, N, Dup);
  ReturnInst *Return = returnOf(*Root.F);
  if (R.failed())
    return nullptr;
  if (Return) {
    auto *TR = cast<ReturnInst>(S.cloned(*Return));
    IRBuilder<> B(TR);
    SmallVector<Value *> Parts;
    if (Value *V = Return->getReturnValue()) {
      if (Req.PrimalReturn)
        Parts.push_back(S.primal(V));
      Parts.push_back(gather(B, [&]() -> Value * {
        return Act.active(V)     ? derivativeAs(B, S.tangent(V), Ret)
               : Act.shadowed(V) ? S.shadow(V)
                                 : Constant::getNullValue(Ret);
      }));
    }
    B.CreateRet(structOf(B, cast<StructType>(T->getReturnType()), Parts));
    TR->eraseFromParent();
  }
  IRBuilder<> EB(&T->getEntryBlock(), T->getEntryBlock().getFirstInsertionPt());
  clearGlobalShadows(EB);
  return finish({T});
}

//===----------------------------------------------------------------------===//
// Split mode: the root is treated like a called function, whose pair is
// wrapped. The tape begins with the arena; the frame record is found in it.

void UnitEmitter::emitSplitAugmented(const Request &Req, Derivative &D) {
  UnitFunction &Root = Act.unit().root();
  Function &Inner = *of(Root).Augmented;
  unsigned N = static_cast<unsigned>(Root.F->arg_size());
  SmallVector<Type *> Params, Results;
  auto Dup = duplicated(Req, *Root.F, Params);
  Type *Ptr = PointerType::getUnqual(M.getContext());
  Type *Ret = Root.F->getReturnType();
  bool Shadow = returnsShadow(Root);
  if (pooled())
    Params.append(PoolArguments::types(M.getContext()));
  else
    Params.push_back(Ptr); // the caller's memory
  Results.push_back(Ptr);
  if (!Ret->isVoidTy())
    Results.push_back(Ret);
  if (Shadow || Ret->isPointerTy())
    Results.append(width(), Ret);
  Function *T = D.Augmented = createRoot("augmented_of_", Results, Params);
  LaneMap<Value *> Shadows(Lane, width());
  bindLanes(Shadows, *T, N, Dup);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", T));
  Value *Tape =
      pooled() ? Memory.open(B, PoolArguments::of(*T))
               : RT.openTape(B, T->getArg(T->arg_size() - 1), Req.Allocated);
  SmallVector<Value *> Args;
  for (unsigned I = 0; I < N; ++I)
    Args.push_back(T->getArg(I));
  for (Argument &A : Root.F->args())
    if (Act.shadowed(&A))
      forLanes([&] {
        Value *S = Shadows.lookup(&A);
        Args.push_back(S ? S : T->getArg(A.getArgNo()));
      });
  Args.push_back(Tape);
  clearGlobalShadows(B);
  CallInst *Call = B.CreateCall(&Inner, Args);
  // In a pool the frame is where the tape begins.
  if (pooled())
    RT.noteTapeBytes(B, Memory.taken(B, Tape));
  else
    WhenLeft[T] = [this, Tape, Own = Req.Allocated.has_value()](
                      IRBuilder<> &B) { RT.closeTape(B, Tape, Own); };
  if (!pooled())
    RT.keepFrame(B, Tape,
                 B.CreateExtractValue(
                     Call, Inner.getReturnType()->getStructNumElements() - 1));
  SmallVector<Value *> Parts{pooled() ? ConstantPointerNull::get(B.getPtrTy())
                                      : Tape};
  if (!Ret->isVoidTy())
    Parts.push_back(B.CreateExtractValue(Call, 0));
  for (unsigned I = static_cast<unsigned>(Parts.size()); I < Results.size();
       ++I)
    Parts.push_back(Shadow ? B.CreateExtractValue(Call, I - 1) : Parts[1]);
  B.CreateRet(structOf(B, cast<StructType>(T->getReturnType()), Parts));
}

void UnitEmitter::emitSplitReverse(const Request &Req, Derivative &D) {
  UnitFunction &Root = Act.unit().root();
  Function &Inner = *of(Root).Reverse;
  unsigned N = static_cast<unsigned>(Root.F->arg_size());
  SmallVector<Type *> Params, Results;
  auto Dup = duplicated(Req, *Root.F, Params);
  if (Type *Ty = Req.ConstReturn ? nullptr : resultAdjointType(*Root.F))
    Params.append(width(), Ty);
  if (pooled())
    Params.append(PoolArguments::types(M.getContext()));
  else
    Params.push_back(PointerType::getUnqual(M.getContext()));
  const unsigned NumTape = pooled() ? 4 : 1;
  for (Argument &A : Root.F->args())
    if (Req.Args[A.getArgNo()].Act == Activity::Out)
      Results.push_back(perLane(A.getType()));
  Function *T = D.Second = createRoot("reverse_of_", Results, Params);
  LaneMap<Value *> Shadows(Lane, width());
  bindLanes(Shadows, *T, N, Dup);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", T));
  Value *Tape = T->getArg(static_cast<unsigned>(T->arg_size()) - NumTape);
  clearBlockShadows(B);
  SmallVector<Value *> Args;
  for (unsigned I = 0; I < N; ++I)
    Args.push_back(T->getArg(I));
  for (Argument &A : Root.F->args())
    if (Act.shadowed(&A))
      forLanes([&] {
        Value *S = Shadows.lookup(&A);
        Args.push_back(S ? S : T->getArg(A.getArgNo()));
      });
  if (returnsActive(Root))
    for (unsigned L = 0; L < width(); ++L)
      Args.push_back(T->getArg(static_cast<unsigned>(T->arg_size()) - NumTape -
                               width() + L));
  if (pooled()) {
    PoolArguments At = PoolArguments::of(*T);
    Args.append({Pool::first(B, At), Pool::stride(B, At)});
  } else {
    Args.push_back(RT.frameOf(B, Tape));
  }
  CallInst *Call = B.CreateCall(&Inner, Args);
  SmallVector<Value *> Parts;
  unsigned Field = 0;
  for (Argument &A : Root.F->args()) {
    bool Out = Req.Args[A.getArgNo()].Act == Activity::Out;
    bool Has = Act.active(&A);
    Value *G = Out || Has
                   ? gather(B,
                            [&]() -> Value * {
                              return Has ? B.CreateExtractValue(Call, Field++)
                                         : Constant::getNullValue(A.getType());
                            })
                   : nullptr;
    if (Out)
      Parts.push_back(G);
  }
  if (!Req.NoFree && !pooled())
    RT.closeTape(B, Tape, Req.Allocated.has_value());
  B.CreateRet(structOf(B, cast<StructType>(T->getReturnType()), Parts));
}

Derivative UnitEmitter::emitSplit(const Request &Req) {
  Derivative D;
  if (!emitCallees(false))
    return D;
  UnitFunction &Root = Act.unit().root();
  if (!needsDerived(Root)) {
    // Nothing depends on anything: a pair with nothing in its tape.
    declareReverse(Root);
    emitPair(Root);
  }
  uint64_t Frame = 0;
  if (StructType *FT = of(Root).Frame)
    Frame = alignTo(M.getDataLayout().getTypeAllocSize(FT), 16);
  D.TapeBytes = RT.tapeHeaderBytes() + Frame;
  Request Sized = Req;
  if (Req.Allocated == Request::Fitting)
    Sized.Allocated = D.TapeBytes;
  if (!pooled() && Req.Allocated && *Sized.Allocated < D.TapeBytes) {
    R.error(Diag::TapeMemory, Req.Call,
            {Root.Source->getName().str(), std::to_string(D.TapeBytes),
             std::to_string(*Req.Allocated)});
    return D;
  }
  emitSplitAugmented(Sized, D);
  emitSplitReverse(Sized, D);
  finish({D.Augmented, D.Second});
  return D;
}

} // namespace retro
