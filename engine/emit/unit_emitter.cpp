// Puts the sweeps over called functions together: declarations, pairs of an
// augmented and a reverse function, both passes in one, tangents. Their
// signatures stand here alone: the sweeps that emit calls of them follow these.
// Members of UnitEmitter (emit/common/unit_emitter.h).
#include "emit/common/unit_emitter.h"

#include "emit/common/forward_sweep.h"
#include "emit/common/reverse_sweep.h"
#include "emit/common/tangent_sweep.h"
#include "emit/words/debug_lines.h"
#include "prepare/calls/library_calls.h"

#include "llvm/IR/AttributeMask.h"

using namespace llvm;

namespace retro {

void UnitEmitter::returnStruct(IRBuilder<> &B, ArrayRef<Value *> Parts) {
  const Function *F = B.GetInsertBlock()->getParent();
  Value *R = PoisonValue::get(F->getReturnType());
  retroAssert(Parts.size() == F->getReturnType()->getStructNumElements(),
              "emit", F, "each result that the signature has is returned");
  for (unsigned I = 0; I < Parts.size(); ++I)
    R = B.CreateInsertValue(R, Parts[I], I);
  B.CreateRet(R);
}

void UnitEmitter::returnInstead(
    const ShadowEmitter &S, const ReturnInst &Return,
    function_ref<void(IRBuilder<> &, Parts &)> Fill) {
  Instruction *Old = S.cloned(Return);
  IRBuilder<> B(Old);
  Parts All;
  Fill(B, All);
  returnStruct(B, All);
  Old->eraseFromParent();
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
  if (Plan->of(UF).GivesResult)
    Adjoints.push_back(Ret);
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
  emitReverse(UF);
}

/// The forward pass in a function whose parameters behind the primal's begin
/// with shadows.
void UnitEmitter::forwardPass(ForwardSweep &F,
                              ArrayRef<const Argument *> Shadows) {
  unsigned N = static_cast<unsigned>(F.UF.F->arg_size());
  F.bindArguments();
  F.bindShadows(N, Shadows);
  F.run();
  cleanAttributes(F.T, *F.UF.F, N, Shadows);
}

/// The reverse pass, which begins at First, takes the place of the forward
/// pass's return. Seed: the adjoint of the result in each lane, if it has one.
void UnitEmitter::joinPasses(ForwardSweep &F, ReverseSweep &S,
                             ReturnInst &Return, BasicBlock *First,
                             function_ref<Value *()> Seed) {
  Instruction *Old = F.cloned(Return);
  BasicBlock *End = Old->getParent();
  Old->eraseFromParent();
  if (Seed) {
    BasicBlock *Start = BasicBlock::Create(M.getContext(), "seed", &F.T);
    S.seed(Start, Return.getReturnValue(), First, Seed);
    First = Start;
  }
  BranchInst::Create(First, End);
  S.weave(First, End);
}

/// What a reverse function returns.
SmallVector<Value *> UnitEmitter::adjointsOfArguments(ReverseSweep &S,
                                                      UnitFunction &UF) {
  SmallVector<Value *> Parts;
  for (Argument &A : UF.F->args())
    if (Act.active(&A))
      forLanes([&] { Parts.push_back(S.takeAdjoint(&A)); });
  return Parts;
}

void UnitEmitter::emitAugmented(UnitFunction &UF) {
  Emitted &D = of(UF);
  auto Shadowed = shadowedArgs(Act, UF);
  ForwardSweep F(*this, UF, *D.Augmented);
  F.setArena(D.Augmented->getArg(
      static_cast<unsigned>(UF.F->arg_size() + Shadowed.size())));
  forwardPass(F, Shadowed);
  D.Frame = F.frameType();
  ReturnInst *Ret = returnOf(*UF.F);
  if (!Ret)
    return;
  returnInstead(F, *Ret, [&](IRBuilder<> &B, Parts &All) {
    if (Value *V = Ret->getReturnValue()) {
      All.push_back(F.primal(V));
      if (returnsShadow(UF))
        forLanes([&] { All.push_back(F.shadow(V)); });
    }
    All.push_back(F.frameAtReturn(B));
  });
}

/// What is not read is passed as poison, of which nothing may be promised.
static void dropPromises(Function &T) {
  AttributeMask Promises;
  for (auto K : {Attribute::NoUndef, Attribute::NonNull,
                 Attribute::Dereferenceable, Attribute::Alignment})
    Promises.addAttribute(K);
  for (Argument &A : T.args())
    if (A.use_empty())
      T.removeParamAttrs(A.getArgNo(), Promises);
}

void UnitEmitter::emitReverse(UnitFunction &UF) {
  Function &T = reverseOf(UF);
  auto Shadowed = shadowedArgs(Act, UF);
  unsigned N = static_cast<unsigned>(UF.F->arg_size());
  const FunctionPlan &P = Plan->of(UF);
  BasicBlock *Entry = BasicBlock::Create(T.getContext(), "entry", &T);
  IRBuilder<> EB(Entry);
  Instruction *Mark = EB.CreateUnreachable();
  if (!P.exitBlock || !P.HasWork) {
    if (P.exitBlock && UF.Seeded) {
      Mark->eraseFromParent();
      IRBuilder<>(Entry).CreateRet(Constant::getNullValue(T.getReturnType()));
    }
    return;
  }
  ReverseSweep S(*this, UF, T);
  S.bindShadows(N, Shadowed);
  auto Tape = static_cast<unsigned>(T.arg_size()) - numTapeParams();
  S.readTape(*Mark, *T.getArg(Tape), pooled() ? T.getArg(Tape + 1) : nullptr);
  BasicBlock *First = S.run(
      [&](IRBuilder<> &B) { returnStruct(B, adjointsOfArguments(S, UF)); });
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
  dropPromises(T);
}

/// Both passes of a function, as the gradient of the root is. Its last
/// parameter is the arena of the whole.
void UnitEmitter::emitCombined(UnitFunction &UF) {
  Function &T = reverseOf(UF);
  auto Shadowed = shadowedArgs(Act, UF);
  const auto Arena = static_cast<unsigned>(T.arg_size()) - 1;
  ForwardSweep F(*this, UF, T);
  F.setArena(T.getArg(Arena));
  forwardPass(F, Shadowed);
  ReturnInst *Return = returnOf(*UF.F);
  if (!Return)
    return;
  ReverseSweep S(*this, UF, T);
  S.bindShadows(static_cast<unsigned>(UF.F->arg_size()), Shadowed);
  S.follow(F);
  std::optional<TapeMark> Mark;
  if (Plan->of(UF).GivesBack) {
    IRBuilder<> EB(F.variables());
    Mark = RT.mark(EB, F.arena());
  }
  BasicBlock *First = S.run([&](IRBuilder<> &B) {
    SmallVector<Value *> Parts = adjointsOfArguments(S, UF);
    if (Plan->of(UF).GivesResult)
      Parts.insert(Parts.begin(), F.primal(Return->getReturnValue()));
    if (Mark)
      RT.goBack(B, F.arena(), *Mark);
    returnStruct(B, Parts);
  });
  auto Given = [&] { return T.getArg(Arena - width() + Lane); };
  Value *V = Return->getReturnValue();
  if (V && returnsActive(UF) && Act.active(V))
    joinPasses(F, S, *Return, First, Given);
  else
    joinPasses(F, S, *Return, First, nullptr);
}

/// A function that is never entered gets an instruction: without any it would
/// begin where the next one does, and an exception that leaves that one would
/// find no handler.
static void occupyPlace(Function &F) {
  Instruction &First = F.getEntryBlock().front();
  if (isa<UnreachableInst>(First))
    IRBuilder<>(&First).CreateIntrinsic(Intrinsic::trap, {});
}

/// What is left to do when all bodies are complete.
Function *UnitEmitter::finish(ArrayRef<Function *> Roots) {
  markAliasing(Roots);
  placeDynamicShadows();
  raise();
  for (Function *F : NewFunctions) {
    occupyPlace(*F);
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
  Function &T = tangentOf(UF);
  TangentSweep S(*this, UF, T);
  unsigned N = static_cast<unsigned>(UF.F->arg_size());
  unsigned Next = N;
  S.bindArguments();
  for (Argument &A : UF.F->args())
    forLanes([&] {
      if (Act.active(&A))
        S.bindTangent(&A, T.getArg(Next++));
      if (Act.shadowed(&A))
        S.bindShadow(&A, T.getArg(Next++));
    });
  if (Act.unit().Split) {
    emitFirstPass(UF);
    S.replayFrom(T.getArg(Next));
  }
  S.run();
  cleanAttributes(T, *UF.F, N, {});
  ReturnInst *Ret = returnOf(*UF.F);
  if (!Ret)
    return;
  returnInstead(S, *Ret, [&](IRBuilder<> &, Parts &All) {
    Value *V = Ret->getReturnValue();
    if (!V)
      return;
    All.push_back(S.primal(V));
    forLanes([&] {
      if (returnsActive(UF))
        All.push_back(Act.active(V)
                          ? S.tangent(V)
                          : Constant::getNullValue(
                                T.getReturnType()->getStructElementType(1)));
      if (returnsShadow(UF))
        All.push_back(S.shadow(V));
    });
  });
}

} // namespace retro
