// Puts the sweeps together: declarations, combined gradient, pairs of
// augmented and reverse functions, tangents.
#include "emit/common/emit.h"
#include "emit/common/tangent.h"
#include "emit/words/debug_lines.h"
#include "front/known/exceptions.h"
#include "front/known/foreign.h"
#include "prepare/calls/library_calls.h"
#include "prepare/exceptions.h"

#include "base/toggles.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

/// Keeps of a cloned function's attributes what also holds for its derivative.
void UnitEmitter::cleanAttributes(Function &T, const Function &F,
                                  unsigned FirstShadow,
                                  ArrayRef<const Argument *> ShadowOf) {
  LLVMContext &C = T.getContext();
  AttributeList Old = F.getAttributes();
  AttrBuilder Fn(C);
  for (Attribute A : Old.getFnAttrs())
    if (A.isStringAttribute() || A.hasAttribute(Attribute::UWTable) ||
        A.hasAttribute(Attribute::SanitizeAddress) ||
        A.hasAttribute(Attribute::SanitizeThread) ||
        A.hasAttribute(Attribute::SanitizeMemory) ||
        A.hasAttribute(Attribute::NoUnwind))
      Fn.addAttribute(A);
  T.setAttributes(AttributeList::get(C, AttributeList::FunctionIndex, Fn));
  const UnitFunction *Of = Act.unit().find(&F);
  const bool Concurrent = Of && Of->Concurrent && !isGpu(M);
  auto Keep = [&](unsigned N, const Argument &A, bool Shadow) {
    for (auto K : {Attribute::NoAlias, Attribute::NonNull, Attribute::Alignment,
                   Attribute::Dereferenceable, Attribute::NoUndef}) {
      // Inputs that are only read may be passed twice even as noalias; their
      // shadows are written, so that the promise would break.
      // Threads add to each other's shadows.
      if (Shadow && K == Attribute::NoAlias && Concurrent)
        continue;
      if (Shadow && (K == Attribute::NoUndef || K == Attribute::NonNull ||
                     (K == Attribute::NoAlias && !Plan->isWritten(A))))
        continue;
      // The shadow of constant memory is that memory.
      if (K == Attribute::NoAlias && Act.unit().RuntimeActivity)
        continue;
      if (A.hasAttribute(K))
        T.addParamAttr(N, A.getAttribute(K));
    }
  };
  for (const Argument &A : F.args())
    Keep(A.getArgNo(), A, false);
  for (unsigned I = 0; I < ShadowOf.size(); ++I)
    if (ShadowOf[I] && ShadowOf[I]->getType()->isPointerTy())
      Keep(FirstShadow + I, *ShadowOf[I], true);
}

Value *UnitEmitter::structOf(IRBuilder<> &B, StructType *T,
                             ArrayRef<Value *> Parts) {
  Value *R = PoisonValue::get(T);
  for (unsigned I = 0; I < Parts.size(); ++I)
    R = B.CreateInsertValue(R, Parts[I], I);
  return R;
}

ReturnInst *UnitEmitter::returnOf(Function &F) {
  for (BasicBlock &B : F)
    if (auto *R = dyn_cast<ReturnInst>(B.getTerminator()))
      return R;
  return nullptr;
}

/// The shadowed parameters of a called function, each once a lane.
static SmallVector<const Argument *> shadowedArgs(const ActivityAnalysis &Act,
                                                  const UnitFunction &F) {
  SmallVector<const Argument *> Out;
  for (Argument &A : F.F->args())
    if (Act.shadowed(&A))
      Out.append(Act.unit().Width, &A);
  return Out;
}

void UnitEmitter::declareReverse(UnitFunction &UF) {
  Emitted &D = Map[&UF];
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  SmallVector<Type *> Params(UF.F->getFunctionType()->params());
  for (const Argument *A : shadowedArgs(Act, UF))
    Params.push_back(A->getType());
  SmallVector<Type *> AugParams(Params);
  AugParams.push_back(Ptr); // arena
  SmallVector<Type *> Results;
  Type *Ret = UF.F->getReturnType();
  if (!Ret->isVoidTy()) {
    Results.push_back(Ret);
    if (returnsShadow(UF))
      Results.append(width(), Ret);
  }
  Results.push_back(Ptr); // tape
  const bool Combined = Plan->of(UF).Combined;
  std::string Name = UF.Source->getName().str();
  if (!Combined) {
    D.Augmented = Function::Create(
        FunctionType::get(StructType::get(C, Results), AugParams, false),
        GlobalValue::InternalLinkage, "augmented_" + Name, M);
    NewFunctions.push_back(D.Augmented);
  }
  if (returnsActive(UF))
    if (ReturnInst *R = returnOf(*UF.F))
      Params.append(width(), Act.adjointType(R->getReturnValue())
                                 ? Act.adjointType(R->getReturnValue())
                                 : Ret);
  Params.push_back(Ptr);
  if (pooled())
    Params.push_back(Type::getInt64Ty(C)); // the stride
  SmallVector<Type *> Adjoints;
  for (Argument &A : UF.F->args())
    if (Act.active(&A))
      Adjoints.append(width(), Act.adjointType(&A));
  D.Reverse = Function::Create(
      FunctionType::get(StructType::get(C, Adjoints), Params, false),
      GlobalValue::InternalLinkage,
      (Combined ? "combined_" : "reverse_") + Name, M);
  NewFunctions.push_back(D.Reverse);
}

/// Emits augmented and reverse function of one callee, or what is both.
void UnitEmitter::emitPair(UnitFunction &UF) {
  if (Plan->of(UF).Combined)
    return emitCombined(UF);
  emitAugmented(UF);
  if (!R.failed())
    emitReverse(UF);
}

void UnitEmitter::emitAugmented(UnitFunction &UF) {
  Emitted &D = of(UF);
  auto Shadowed = shadowedArgs(Act, UF);
  unsigned N = static_cast<unsigned>(UF.F->arg_size());

  ForwardSweep F(*this, UF, *D.Augmented);
  for (Argument &A : UF.F->args())
    F.VM[&A] = D.Augmented->getArg(A.getArgNo());
  bindLanes(F.Shadows, *D.Augmented, N, Shadowed);
  F.Arena = D.Augmented->getArg(N + static_cast<unsigned>(Shadowed.size()));
  F.run();
  cleanAttributes(*D.Augmented, *UF.F, N, Shadowed);
  D.Frame = F.FrameType;
  ReturnInst *Ret = returnOf(*UF.F);
  if (R.failed() || !Ret)
    return;
  auto *TR = cast<ReturnInst>(F.cloned(*Ret));
  IRBuilder<> B(TR);
  SmallVector<Value *> Parts;
  if (Value *V = Ret->getReturnValue()) {
    Parts.push_back(F.primal(V));
    if (returnsShadow(UF))
      forLanes([&] { Parts.push_back(F.shadow(V)); });
  }
  Parts.push_back(F.frameAtReturn(B));
  B.CreateRet(
      structOf(B, cast<StructType>(D.Augmented->getReturnType()), Parts));
  TR->eraseFromParent();
}

void UnitEmitter::emitReverse(UnitFunction &UF) {
  Function &T = *of(UF).Reverse;
  auto Shadowed = shadowedArgs(Act, UF);
  unsigned N = static_cast<unsigned>(UF.F->arg_size());
  const FunctionPlan &P = Plan->of(UF);
  auto *ResultTy = cast<StructType>(T.getReturnType());
  BasicBlock *Entry = BasicBlock::Create(T.getContext(), "entry", &T);
  IRBuilder<> EB(Entry);
  Instruction *Mark = EB.CreateUnreachable();
  if (!P.exitBlock || !P.HasWork) {
    if (P.exitBlock && UF.Seeded) {
      Mark->eraseFromParent();
      IRBuilder<>(Entry).CreateRet(Constant::getNullValue(ResultTy));
    }
    return;
  }
  ReverseSweep S(*this, UF, T);
  S.EntryPoint = Mark;
  for (Argument &A : UF.F->args())
    S.Args[&A] = T.getArg(A.getArgNo());
  bindLanes(S.ShadowArgs, T, N, Shadowed);
  auto Tape = static_cast<unsigned>(T.arg_size()) - numTapeParams();
  S.Frame = T.getArg(Tape);
  if (pooled())
    S.Stride = T.getArg(Tape + 1);
  BasicBlock *First = S.run([&](IRBuilder<> &B) {
    SmallVector<Value *> Parts;
    for (Argument &A : UF.F->args())
      if (Act.active(&A))
        forLanes([&] { Parts.push_back(S.takeAdjoint(&A)); });
    B.CreateRet(structOf(B, ResultTy, Parts));
  });
  if (R.failed())
    return;
  IRBuilder<> MB(Mark);
  ReturnInst *Ret = returnOf(*UF.F);
  if (returnsActive(UF) && Act.active(Ret->getReturnValue())) {
    // The seeds are what the caller passes.
    BasicBlock *Seed = BasicBlock::Create(T.getContext(), "seed", &T);
    MB.CreateBr(Seed);
    S.seed(Seed, Ret->getReturnValue(), First,
           [&] { return T.getArg(Tape - width() + Lane); });
  } else {
    MB.CreateBr(First);
  }
  Mark->eraseFromParent();
  cleanAttributes(T, *UF.F, N, Shadowed);
  // What is not read is passed as poison, of which nothing may be promised.
  AttributeMask Promises;
  for (auto K : {Attribute::NoUndef, Attribute::NonNull,
                 Attribute::Dereferenceable, Attribute::Alignment})
    Promises.addAttribute(K);
  for (Argument &A : T.args())
    if (A.use_empty())
      T.removeParamAttrs(A.getArgNo(), Promises);
}

/// Both passes of a function whose result nobody needs, as the gradient of the
/// root is. Its last parameter is the arena of the whole.
void UnitEmitter::emitCombined(UnitFunction &UF) {
  Function &T = *of(UF).Reverse;
  auto Shadowed = shadowedArgs(Act, UF);
  unsigned N = static_cast<unsigned>(UF.F->arg_size());
  ForwardSweep F(*this, UF, T);
  ReverseSweep S(*this, UF, T);
  for (Argument &A : UF.F->args())
    F.VM[&A] = S.Args[&A] = T.getArg(A.getArgNo());
  bindLanes(F.Shadows, T, N, Shadowed);
  bindLanes(S.ShadowArgs, T, N, Shadowed);
  F.Arena = S.Arena = T.getArg(static_cast<unsigned>(T.arg_size()) - 1);
  F.run();
  cleanAttributes(T, *UF.F, N, Shadowed);
  ReturnInst *Return = returnOf(*UF.F);
  if (R.failed() || !Return)
    return;
  S.Fwd = &F;
  S.EntryPoint = F.EntryPoint;
  std::optional<TapeMark> Mark;
  if (Plan->of(UF).GivesBack) {
    IRBuilder<> EB(F.EntryPoint);
    Mark = RT.mark(EB, F.Arena);
  }
  BasicBlock *First = S.run([&](IRBuilder<> &B) {
    SmallVector<Value *> Parts;
    for (Argument &A : UF.F->args())
      if (Act.active(&A))
        forLanes([&] { Parts.push_back(S.takeAdjoint(&A)); });
    if (Mark)
      RT.goBack(B, F.Arena, *Mark);
    B.CreateRet(structOf(B, cast<StructType>(T.getReturnType()), Parts));
  });
  if (R.failed())
    return;
  if (Value *V = Return->getReturnValue(); returnsActive(UF) && Act.active(V)) {
    BasicBlock *Seed = BasicBlock::Create(T.getContext(), "seed", &T);
    S.seed(Seed, V, First, [&] {
      return T.getArg(static_cast<unsigned>(T.arg_size()) - 1 - width() + Lane);
    });
    First = Seed;
  }
  Instruction *Old = F.cloned(*Return);
  BasicBlock *End = Old->getParent();
  Old->eraseFromParent();
  BranchInst::Create(First, End);
  S.weave(First, End);
}

void ReverseSweep::seed(BasicBlock *At, const Value *V, BasicBlock *Next,
                        function_ref<Value *()> G) {
  B.SetInsertPoint(At);
  E.forLanes([&] { addAdjoint(V, G()); });
  B.CreateBr(Next);
}

/// Arguments of T from First on are what the map has of each of `Of`, which
/// names each primal value once a lane.
void UnitEmitter::bindLanes(LaneMap<Value *> &Map, Function &T, unsigned First,
                            ArrayRef<const Argument *> Of) {
  for (unsigned I = 0; I < Of.size(); ++I) {
    Lane = I % width();
    Map[Of[I]] = T.getArg(First + I);
  }
  Lane = 0;
}

/// Of what is emitted, the functions that an exception may leave.
SmallPtrSet<const Function *, 8> UnitEmitter::findThrowing() const {
  SmallPtrSet<const Function *, 8> Throwing;
  const SmallPtrSet<const Function *, 8> New(NewFunctions.begin(),
                                             NewFunctions.end());
  auto Throws = [&](const Instruction &I) {
    auto *C = dyn_cast<CallInst>(&I);
    if (!C || (isExceptionMark(*C) && !isMark(*C, marks::Resume)))
      return false;
    const Function *G = C->getCalledFunction();
    return G && New.contains(G) ? Throwing.contains(G) : mayUnwind(*C);
  };
  for (bool Again = true; Again;) {
    Again = false;
    for (const Function *F : NewFunctions)
      if (!Throwing.contains(F) && any_of(instructions(*F), Throws))
        Again = Throwing.insert(F).second;
  }
  return Throwing;
}

/// What handles exceptions in this module; null where none does.
Constant *UnitEmitter::personality() const {
  for (const auto &UF : Act.unit().Functions)
    if (keepsHandlers(*UF->F))
      return UF->F->getPersonalityFn();
  for (const Function &F : M)
    if (keepsHandlers(F))
      return F.getPersonalityFn();
  if (none_of(M, [](const Function &F) {
        return isA(F.getName(), NameKind::Throws);
      }))
    return nullptr;
  return cast<Constant>(
      foreignCallee(M, Foreign::__gxx_personality_v0).getCallee());
}

/// Gives what is emitted its landing pads, and releases the tape where an
/// exception leaves all of it.
void UnitEmitter::raise() {
  auto Throwing = findThrowing();
  auto Leaves = [&](const CallBase &C) {
    const Function *G = C.getCalledFunction();
    return !G || !is_contained(NewFunctions, G) || Throwing.contains(G);
  };
  Constant *Handles = isGpu(M) ? nullptr : personality();
  for (Function *F : NewFunctions) {
    auto Leave = WhenLeft.find(F);
    const bool Clean =
        Handles && Leave != WhenLeft.end() && Throwing.contains(F);
    if (Clean && !F->hasPersonalityFn())
      F->setPersonalityFn(Handles);
    if (!(Clean ? raiseExceptions(*F, Leave->second, Leaves)
                : raiseExceptions(*F)))
      R.error(Diag::Internal, nullptr,
              {F->getName().str(), "marks of exceptions that were moved"});
  }
}

/// What is left to do when all bodies are complete.
Function *UnitEmitter::finish(ArrayRef<Function *> Roots) {
  markAliasing(Roots);
  placeDynamicShadows();
  raise();
  for (Function *F : NewFunctions) {
    expandLibraryCalls(*F);
    keepLines(*F);
  }
  return Roots.front();
}

void UnitEmitter::declareForward(UnitFunction &UF) {
  LLVMContext &C = M.getContext();
  SmallVector<Type *> Params(UF.F->getFunctionType()->params());
  for (Argument &A : UF.F->args())
    forLanes([&] {
      if (Act.active(&A))
        Params.push_back(Act.adjointType(&A));
      if (Act.shadowed(&A))
        Params.push_back(A.getType());
    });
  Type *Ret = UF.F->getReturnType();
  if (Act.unit().Split) {
    SmallVector<Type *> First(UF.F->getFunctionType()->params());
    for (const Argument *A : firstPassShadows(UF))
      First.push_back(A->getType());
    Params.push_back(PointerType::getUnqual(C));
    First.push_back(PointerType::getUnqual(C));
    Map[&UF].Augmented = Function::Create(
        FunctionType::get(Ret, First, false), GlobalValue::InternalLinkage,
        "augmented_" + UF.Source->getName(), M);
    NewFunctions.push_back(Map[&UF].Augmented);
  }
  SmallVector<Type *> Results;
  if (!Ret->isVoidTy()) {
    Results.push_back(Ret);
    ReturnInst *R = returnOf(*UF.F);
    Type *Ty = R ? Act.adjointType(R->getReturnValue()) : nullptr;
    forLanes([&] {
      if (returnsActive(UF))
        Results.push_back(Ty ? Ty : Ret);
      if (returnsShadow(UF))
        Results.push_back(Ret);
    });
  }
  Map[&UF].Forward = Function::Create(
      FunctionType::get(StructType::get(C, Results), Params, false),
      GlobalValue::InternalLinkage, "tangent_" + UF.Source->getName(), M);
  NewFunctions.push_back(Map[&UF].Forward);
}

void UnitEmitter::emitForward(UnitFunction &UF) {
  Function &T = *of(UF).Forward;
  TangentSweep S(*this, UF, T);
  unsigned N = static_cast<unsigned>(UF.F->arg_size());
  unsigned Next = N;
  for (Argument &A : UF.F->args()) {
    S.VM[&A] = T.getArg(A.getArgNo());
    forLanes([&] {
      if (Act.active(&A))
        S.Tangents[&A] = T.getArg(Next++);
      if (Act.shadowed(&A))
        S.Shadows[&A] = T.getArg(Next++);
    });
  }
  if (Act.unit().Split) {
    emitFirstPass(UF);
    S.Tape = T.getArg(Next);
  }
  S.run();
  cleanAttributes(T, *UF.F, N, {});
  ReturnInst *Ret = returnOf(*UF.F);
  if (R.failed() || !Ret)
    return;
  auto *TR = cast<ReturnInst>(S.cloned(*Ret));
  IRBuilder<> B(TR);
  auto *Ty = cast<StructType>(T.getReturnType());
  SmallVector<Value *> Parts;
  if (Value *V = Ret->getReturnValue()) {
    Parts.push_back(S.primal(V));
    forLanes([&] {
      if (returnsActive(UF))
        Parts.push_back(Act.active(V)
                            ? S.tangent(V)
                            : Constant::getNullValue(Ty->getElementType(1)));
      if (returnsShadow(UF))
        Parts.push_back(S.shadow(V));
    });
  }
  B.CreateRet(structOf(B, Ty, Parts));
  TR->eraseFromParent();
}

} // namespace retro
