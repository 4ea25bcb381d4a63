// What a request is answered with: the combined gradient, the tangent, the two
// functions of split mode. Around the sweeps over the root it puts the
// signature that a request implies; callers would not know how to call what is
// emitted without it. Members of UnitEmitter (emit/common/unit_emitter.h).
#include "emit/common/forward_sweep.h"
#include "emit/common/reverse_sweep.h"
#include "emit/common/tangent_sweep.h"
#include "emit/words/memory_adjoint.h"
#include "front/requests/request.h"
#include "polish/near_use.h"

using namespace llvm;

namespace retro {

/// Functions that the root calls: their pairs, or their tangents. In split mode
/// the root is one of them, even if nothing in it depends on anything: then its
/// tape has nothing in it.
void UnitEmitter::emitCallees(bool Forward) {
  SmallVector<UnitFunction *> Callees;
  for (auto &UF : Act.unit().Functions)
    if (!UF->Root && needsDerived(*UF))
      Callees.push_back(UF.get());
  auto Declare =
      Forward ? &UnitEmitter::declareForward : &UnitEmitter::declareReverse;
  auto Emit = Forward ? &UnitEmitter::emitForward : &UnitEmitter::emitPair;
  for (UnitFunction *UF : Callees)
    (this->*Declare)(*UF);
  for (UnitFunction *UF : Callees)
    (this->*Emit)(*UF);
  UnitFunction &Root = Act.unit().root();
  if (Act.unit().Split && !needsDerived(Root)) {
    (this->*Declare)(Root);
    (this->*Emit)(Root);
  }
}

/// An empty function {Results} (parameters of the root, Params).
Function *UnitEmitter::createRoot(const Twine &Name, const Signature &S) {
  UnitFunction &Root = Act.unit().root();
  SmallVector<Type *> All(Root.F->getFunctionType()->params());
  All.append(S.Params.begin(), S.Params.end());
  Function *T = Function::Create(
      FunctionType::get(StructType::get(M.getContext(), S.Results), All, false),
      GlobalValue::InternalLinkage, Name + Root.Source->getName(), M);
  NewFunctions.push_back(T);
  return T;
}

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

UnitEmitter::Signature UnitEmitter::signatureOf(const Request &Req) const {
  Signature S;
  for (Argument &A : Act.unit().root().F->args())
    if (Activity X = Req.Args[A.getArgNo()].Act;
        X == Activity::Dup || X == Activity::DupNoNeed) {
      S.Dup.append(Req.Width, &A);
      S.Params.append(Req.Width, A.getType());
    }
  return S;
}

/// The results are adjoints of what is passed by value.
void UnitEmitter::returnAdjoints(const Request &Req, Signature &S) const {
  for (Argument &A : Act.unit().root().F->args())
    if (Req.Args[A.getArgNo()].Act == Activity::Out)
      S.Results.push_back(perLane(A.getType()));
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
      auto *Variable = IRBuilder<>(F.variables())
                           .CreateAlloca(U->getType(), nullptr, "late");
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

/// Both passes, but for the return of the forward pass.
void UnitEmitter::reversePass(const Request &Req, ForwardSweep &F,
                              const Signature &Sig, ReturnInst &Return) {
  UnitFunction &Root = F.UF;
  ReverseSweep S(*this, Root, F.T);
  S.follow(F);
  S.bindShadows(static_cast<unsigned>(Root.F->arg_size()), Sig.Dup);
  Type *Ret = Root.F->getReturnType();
  Value *RV = Return.getReturnValue();
  AllocaInst *Kept = nullptr;
  if (Req.PrimalReturn && RV) {
    Kept = IRBuilder<>(F.variables()).CreateAlloca(Ret, nullptr, "result");
    IRBuilder<>(F.cloned(Return)).CreateStore(F.primal(RV), Kept);
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
    if (Plan->of(Root).OpensNotes)
      callRuntime(B, Rt::places_close, {});
    closeImages(B);
    if (pooled())
      RT.noteTapeBytes(B, Memory.taken(B, F.arena()));
    else if (UsesArena)
      RT.release(B, F.arena());
    returnStruct(B, Parts);
  });
  if (Plan->of(Root).OpensNotes) {
    IRBuilder<> B(First, First->getFirstInsertionPt());
    callRuntime(B, Rt::places_open, {});
  }
  if (!RV || !Act.active(RV))
    return joinPasses(F, S, Return, First, nullptr);
  Type *Ty = Act.adjointType(RV);
  joinPasses(F, S, Return, First, [&] { return ConstantFP::get(Ty, 1.0); });
}

Function *UnitEmitter::emitGradient(const Request &Req) {
  emitCallees(false);
  UnitFunction &Root = Act.unit().root();
  Signature Sig = signatureOf(Req);
  if (Type *Ret = Root.F->getReturnType(); Req.PrimalReturn && !Ret->isVoidTy())
    Sig.Results.push_back(Ret);
  returnAdjoints(Req, Sig);
  if (pooled())
    Sig.Params.append(PoolArguments::types(M.getContext()));
  Function *T = createRoot("gradient_", Sig);
  ForwardSweep F(*this, Root, *T);
  forwardPass(F, Sig.Dup);
  ReturnInst *Return = returnOf(*Root.F);
  if (!Return)
    return finish({T});
  reversePass(Req, F, Sig, *Return);
  if (const bool Releases = UsesArena && !pooled(); Releases || Act.hasImages())
    WhenLeft[T] = [this, Releases, Arena = F.arena()](IRBuilder<> &B) {
      if (Releases)
        RT.release(B, Arena);
      closeImages(B);
    };
  openImages(*T);
  IRBuilder<> EB(F.variables());
  checkSeparate(EB, *T);
  clearGlobalShadows(EB);
  for (unsigned Arg : Plan->of(Root).Inputs.set_bits())
    markInput(*T, Arg);
  forgetExceptions(*T);
  return finish({T});
}

Function *UnitEmitter::emitTangent(const Request &Req) {
  emitCallees(true);
  UnitFunction &Root = Act.unit().root();
  Signature Sig = signatureOf(Req);
  if (Type *Ret = Root.F->getReturnType(); !Ret->isVoidTy()) {
    if (Req.PrimalReturn)
      Sig.Results.push_back(Ret);
    if (!Req.ConstReturn)
      Sig.Results.push_back(perLane(Ret));
  }
  Function *T = createRoot("tangent_of_", Sig);
  TangentSweep S(*this, Root, *T);
  S.bindArguments();
  unsigned N = static_cast<unsigned>(Root.F->arg_size());
  for (unsigned I = 0; I < Sig.Dup.size(); ++I)
    inLane(I % width(), [&] {
      if (Sig.Dup[I]->getType()->isPointerTy())
        S.bindShadow(Sig.Dup[I], T->getArg(N + I));
      else
        S.bindTangent(Sig.Dup[I], T->getArg(N + I));
    });
  S.run();
  cleanAttributes(*T, *Root.F, N, Sig.Dup);
  if (ReturnInst *Return = returnOf(*Root.F))
    returnInstead(S, *Return, [&](IRBuilder<> &B, Parts &All) {
      Value *V = Return->getReturnValue();
      if (V && Req.PrimalReturn)
        All.push_back(S.primal(V));
      if (V && !Req.ConstReturn)
        All.push_back(gather(B, [&]() -> Value * {
          return Act.active(V)     ? derivativeAs(B, S.tangent(V), V->getType())
                 : Act.shadowed(V) ? S.shadow(V)
                                   : Constant::getNullValue(V->getType());
        }));
      closeImages(B);
    });
  IRBuilder<> EB(&T->getEntryBlock(), T->getEntryBlock().getFirstInsertionPt());
  checkSeparate(EB, *T);
  clearGlobalShadows(EB);
  openImages(*T);
  if (Act.hasImages())
    WhenLeft[T] = [this](IRBuilder<> &B) { closeImages(B); };
  forgetExceptions(*T);
  return finish({T});
}

//===----------------------------------------------------------------------===//
// Split mode: the root is treated like a called function, whose pair is
// wrapped. The tape begins with the arena; the frame record is found in it.

/// What the root's own pair is given of what T is: the primal's arguments, and
/// shadows. The shadow of memory that is constant is that memory.
SmallVector<Value *>
UnitEmitter::argumentsOfInner(Function &T, ArrayRef<const Argument *> Dup) {
  Function &Root = *Act.unit().root().F;
  unsigned N = static_cast<unsigned>(Root.arg_size());
  LaneMap<Value *> Shadows(Lane, width());
  Shadows.bind(T, N, Dup);
  SmallVector<Value *> Args;
  for (unsigned I = 0; I < N; ++I)
    Args.push_back(T.getArg(I));
  for (Argument &A : Root.args())
    if (Act.shadowed(&A))
      forLanes([&] {
        Value *S = Shadows.lookup(&A);
        Args.push_back(S ? S : T.getArg(A.getArgNo()));
      });
  return Args;
}

void UnitEmitter::emitSplitAugmented(const Request &Req, Derivative &D) {
  UnitFunction &Root = Act.unit().root();
  Function &Inner = augmentedOf(Root);
  Signature Sig = signatureOf(Req);
  Type *Ptr = PointerType::getUnqual(M.getContext());
  Type *Ret = Root.F->getReturnType();
  bool Shadow = returnsShadow(Root);
  if (pooled())
    Sig.Params.append(PoolArguments::types(M.getContext()));
  else
    Sig.Params.push_back(Ptr); // the caller's memory
  Sig.Results.push_back(Ptr);
  if (!Ret->isVoidTy())
    Sig.Results.push_back(Ret);
  if (Shadow || Ret->isPointerTy())
    Sig.Results.append(width(), Ret);
  Function *T = D.Augmented = createRoot("augmented_of_", Sig);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", T));
  Value *Tape =
      pooled() ? Memory.open(B, PoolArguments::of(*T))
               : RT.openTape(B, T->getArg(T->arg_size() - 1), Req.Allocated);
  SmallVector<Value *> Args = argumentsOfInner(*T, Sig.Dup);
  Args.push_back(Tape);
  checkSeparate(B, *T);
  clearGlobalShadows(B);
  CallInst *Call = B.CreateCall(&Inner, Args);
  if (pooled()) {
    // The frame is where the tape begins.
    RT.noteTapeBytes(B, Memory.taken(B, Tape));
  } else {
    WhenLeft[T] = [this, Tape, Freed = Req.Allocated.has_value()](
                      IRBuilder<> &B) { RT.closeTape(B, Tape, Freed); };
    RT.keepFrame(B, Tape,
                 B.CreateExtractValue(
                     Call, Inner.getReturnType()->getStructNumElements() - 1));
  }
  SmallVector<Value *> Parts{pooled() ? ConstantPointerNull::get(B.getPtrTy())
                                      : Tape};
  if (!Ret->isVoidTy())
    Parts.push_back(B.CreateExtractValue(Call, 0));
  for (unsigned I = static_cast<unsigned>(Parts.size()); I < Sig.Results.size();
       ++I)
    Parts.push_back(Shadow ? B.CreateExtractValue(Call, I - 1) : Parts[1]);
  returnStruct(B, Parts);
}

void UnitEmitter::emitSplitReverse(const Request &Req, Derivative &D) {
  UnitFunction &Root = Act.unit().root();
  Signature Sig = signatureOf(Req);
  if (Type *Ty = Req.ConstReturn ? nullptr : resultAdjointType(*Root.F))
    Sig.Params.append(width(), Ty);
  if (pooled())
    Sig.Params.append(PoolArguments::types(M.getContext()));
  else
    Sig.Params.push_back(PointerType::getUnqual(M.getContext()));
  returnAdjoints(Req, Sig);
  Function *T = D.Second = createRoot("reverse_of_", Sig);
  const unsigned AtTape =
      static_cast<unsigned>(T->arg_size()) - (pooled() ? 4 : 1);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", T));
  Value *Tape = T->getArg(AtTape);
  clearBlockShadows(B);
  SmallVector<Value *> Args = argumentsOfInner(*T, Sig.Dup);
  if (returnsActive(Root))
    for (unsigned L = 0; L < width(); ++L)
      Args.push_back(T->getArg(AtTape - width() + L));
  if (pooled()) {
    PoolArguments At = PoolArguments::of(*T);
    Args.append({Pool::first(B, At), Pool::stride(B, At)});
  } else {
    Args.push_back(RT.frameOf(B, Tape));
  }
  if (Plan->of(Root).OpensNotes)
    callRuntime(B, Rt::places_open, {});
  CallInst *Call = B.CreateCall(&reverseOf(Root), Args);
  if (Plan->of(Root).OpensNotes)
    callRuntime(B, Rt::places_close, {});
  SmallVector<Value *> Parts;
  unsigned Field = 0;
  for (Argument &A : Root.F->args()) {
    bool Out = Req.Args[A.getArgNo()].Act == Activity::Out;
    bool Has = Act.active(&A);
    if (!Out && !Has)
      continue;
    Value *G = gather(B, [&]() -> Value * {
      return Has ? B.CreateExtractValue(Call, Field++)
                 : Constant::getNullValue(A.getType());
    });
    if (Out)
      Parts.push_back(G);
  }
  if (!Req.NoFree && !pooled())
    RT.closeTape(B, Tape, Req.Allocated.has_value());
  returnStruct(B, Parts);
}

Derivative UnitEmitter::emitSplit(const Request &Req) {
  Derivative D;
  emitCallees(false);
  uint64_t Frame = 0;
  if (StructType *FT = of(Act.unit().root()).Frame)
    Frame = alignTo(M.getDataLayout().getTypeAllocSize(FT), 16);
  D.TapeBytes = TapeHeaderBytes + Frame;
  Request Sized = Req;
  if (Req.Allocated == Request::Fitting)
    Sized.Allocated = D.TapeBytes;
  emitSplitAugmented(Sized, D);
  emitSplitReverse(Sized, D);
  finish({D.Augmented, D.Second});
  return D;
}

} // namespace retro
