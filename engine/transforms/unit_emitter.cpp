// Puts the sweeps together: declarations, combined gradient, pairs of
// augmented and reverse functions, tangents.
#include "transforms/emit.h"
#include "transforms/tangent.h"

#include "toggles.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfo.h"

using namespace llvm;

namespace retro {
namespace {

/// Keeps of a cloned function's attributes what also holds for its derivative.
void cleanAttributes(Function &T, const Function &F, unsigned FirstShadow,
                     ArrayRef<const Argument *> ShadowOf,
                     const UnitPlan &Plan) {
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
  auto Keep = [&](unsigned N, const Argument &A, bool Shadow) {
    for (auto K : {Attribute::NoAlias, Attribute::NonNull, Attribute::Alignment,
                   Attribute::Dereferenceable, Attribute::NoUndef}) {
      // Inputs that are only read may be passed twice even as noalias; their
      // shadows are written, so that the promise would break.
      if (Shadow && (K == Attribute::NoUndef || K == Attribute::NonNull ||
                     (K == Attribute::NoAlias && !Plan.isWritten(A))))
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

Value *structOf(IRBuilder<> &B, StructType *T, ArrayRef<Value *> Parts) {
  Value *R = PoisonValue::get(T);
  for (unsigned I = 0; I < Parts.size(); ++I)
    R = B.CreateInsertValue(R, Parts[I], I);
  return R;
}

ReturnInst *returnOf(Function &F) {
  for (BasicBlock &B : F)
    if (auto *R = dyn_cast<ReturnInst>(B.getTerminator()))
      return R;
  return nullptr;
}

/// The shadowed and active parameters of a called function.
SmallVector<const Argument *> shadowedArgs(const ActivityAnalysis &Act,
                                           const UnitFunction &F) {
  SmallVector<const Argument *> Out;
  for (Argument &A : F.F->args())
    if (Act.shadowed(&A))
      Out.push_back(&A);
  return Out;
}

} // namespace

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
      Results.push_back(Ret);
  }
  Results.push_back(Ptr); // tape
  std::string Name = UF.Source->getName().str();
  D.Augmented = Function::Create(
      FunctionType::get(StructType::get(C, Results), AugParams, false),
      GlobalValue::InternalLinkage, "augmented_" + Name, M);
  if (returnsActive(UF))
    if (ReturnInst *R = returnOf(*UF.F))
      Params.push_back(Act.adjointType(R->getReturnValue())
                           ? Act.adjointType(R->getReturnValue())
                           : Ret);
  Params.push_back(Ptr);
  SmallVector<Type *> Adjoints;
  for (Argument &A : UF.F->args())
    if (Act.active(&A))
      Adjoints.push_back(Act.adjointType(&A));
  D.Reverse = Function::Create(
      FunctionType::get(StructType::get(C, Adjoints), Params, false),
      GlobalValue::InternalLinkage, "reverse_" + Name, M);
  NewFunctions.push_back(D.Augmented);
  NewFunctions.push_back(D.Reverse);
}

/// Emits augmented and reverse function of one callee.
static void emitPair(UnitEmitter &E, UnitFunction &UF) {
  Emitted &D = E.of(UF);
  ActivityAnalysis &Act = E.Act;
  FunctionPlan &P = E.Plan->of(UF);
  auto Shadowed = shadowedArgs(Act, UF);
  unsigned N = static_cast<unsigned>(UF.F->arg_size());

  ForwardSweep F(E, UF, *D.Augmented);
  for (Argument &A : UF.F->args())
    F.VM[&A] = D.Augmented->getArg(A.getArgNo());
  for (unsigned I = 0; I < Shadowed.size(); ++I)
    F.Shadows[Shadowed[I]] = D.Augmented->getArg(N + I);
  F.Arena = D.Augmented->getArg(N + static_cast<unsigned>(Shadowed.size()));
  F.run();
  cleanAttributes(*D.Augmented, *UF.F, N, Shadowed, *E.Plan);
  if (E.R.failed())
    return;
  if (ReturnInst *R = returnOf(*UF.F)) {
    auto *TR = cast<ReturnInst>(F.cloned(*R));
    IRBuilder<> B(TR);
    SmallVector<Value *> Parts;
    if (Value *V = R->getReturnValue()) {
      Parts.push_back(F.primal(V));
      if (E.returnsShadow(UF))
        Parts.push_back(F.shadow(V));
    }
    Parts.push_back(F.Frame ? F.Frame : ConstantPointerNull::get(B.getPtrTy()));
    B.CreateRet(
        structOf(B, cast<StructType>(D.Augmented->getReturnType()), Parts));
    TR->eraseFromParent();
  }

  Function &T = *D.Reverse;
  auto *ResultTy = cast<StructType>(T.getReturnType());
  BasicBlock *Entry = BasicBlock::Create(T.getContext(), "entry", &T);
  IRBuilder<> EB(Entry);
  Instruction *Mark = EB.CreateUnreachable();
  if (!P.exitBlock || !P.HasWork)
    return;
  ReverseSweep S(E, UF, T);
  S.EntryPoint = Mark;
  for (Argument &A : UF.F->args())
    S.Args[&A] = T.getArg(A.getArgNo());
  for (unsigned I = 0; I < Shadowed.size(); ++I)
    S.ShadowArgs[Shadowed[I]] = T.getArg(N + I);
  S.Frame = T.getArg(static_cast<unsigned>(T.arg_size()) - 1);
  BasicBlock *First = S.run([&](IRBuilder<> &B) {
    SmallVector<Value *> Parts;
    for (Argument &A : UF.F->args())
      if (Act.active(&A))
        Parts.push_back(S.takeAdjoint(&A));
    B.CreateRet(structOf(B, ResultTy, Parts));
  });
  if (E.R.failed())
    return;
  IRBuilder<> MB(Mark);
  ReturnInst *R = returnOf(*UF.F);
  if (E.returnsActive(UF) && Act.active(R->getReturnValue())) {
    // The seed is what the caller passes.
    BasicBlock *Seed = BasicBlock::Create(T.getContext(), "seed", &T);
    MB.CreateBr(Seed);
    S.seed(Seed, R->getReturnValue(),
           T.getArg(static_cast<unsigned>(T.arg_size()) - 2), First);
  } else {
    MB.CreateBr(First);
  }
  Mark->eraseFromParent();
  cleanAttributes(T, *UF.F, N, Shadowed, *E.Plan);
  // What is not read is passed as poison, of which nothing may be promised.
  AttributeMask Promises;
  for (auto K : {Attribute::NoUndef, Attribute::NonNull,
                 Attribute::Dereferenceable, Attribute::Alignment})
    Promises.addAttribute(K);
  for (Argument &A : T.args())
    if (A.use_empty())
      T.removeParamAttrs(A.getArgNo(), Promises);
}

void ReverseSweep::seed(BasicBlock *At, const Value *V, Value *G,
                        BasicBlock *Next) {
  B.SetInsertPoint(At);
  addAdjoint(V, G);
  B.CreateBr(Next);
}

Function *UnitEmitter::emitGradient(const Request &Req) {
  findDerived();
  UnitFunction &Root = Act.unit().root();
  for (auto &UF : Act.unit().Functions)
    if (UF.get() != &Root && needsDerived(*UF))
      declareReverse(*UF);
  for (auto &UF : Act.unit().Functions)
    if (UF.get() != &Root && needsDerived(*UF) && !R.failed())
      emitPair(*this, *UF);
  if (R.failed())
    return nullptr;

  LLVMContext &C = M.getContext();
  SmallVector<Type *> Params(Root.F->getFunctionType()->params());
  unsigned N = static_cast<unsigned>(Params.size());
  SmallVector<const Argument *> Dup;
  SmallVector<Type *> Results;
  Type *Ret = Root.F->getReturnType();
  if (Req.PrimalReturn && !Ret->isVoidTy())
    Results.push_back(Ret);
  for (Argument &A : Root.F->args()) {
    Activity X = Req.Args[A.getArgNo()].Act;
    if (X == Activity::Dup || X == Activity::DupNoNeed) {
      Dup.push_back(&A);
      Params.push_back(A.getType());
    } else if (X == Activity::Out) {
      Results.push_back(A.getType());
    }
  }
  StructType *ResultTy = StructType::get(C, Results);
  Function *T = Function::Create(FunctionType::get(ResultTy, Params, false),
                                 GlobalValue::InternalLinkage,
                                 "gradient_" + Root.Source->getName(), M);
  NewFunctions.push_back(T);
  ForwardSweep F(*this, Root, *T);
  for (Argument &A : Root.F->args())
    F.VM[&A] = T->getArg(A.getArgNo());
  for (unsigned I = 0; I < Dup.size(); ++I)
    F.Shadows[Dup[I]] = T->getArg(N + I);
  F.run();
  cleanAttributes(*T, *Root.F, N, Dup, *Plan);
  ReturnInst *Return = returnOf(*Root.F);
  if (R.failed() || !Return)
    return R.failed() ? nullptr : finish(T);

  ReverseSweep S(*this, Root, *T);
  S.Fwd = &F;
  S.EntryPoint = F.EntryPoint;
  S.Arena = F.Arena;
  for (Argument &A : Root.F->args())
    S.Args[&A] = T->getArg(A.getArgNo());
  for (unsigned I = 0; I < Dup.size(); ++I)
    S.ShadowArgs[Dup[I]] = T->getArg(N + I);
  Value *RV = Return->getReturnValue();
  AllocaInst *Kept = nullptr;
  auto *TR = cast<ReturnInst>(F.cloned(*Return));
  if (Req.PrimalReturn && RV) {
    IRBuilder<> EB(F.EntryPoint);
    Kept = EB.CreateAlloca(Ret, nullptr, "result");
    IRBuilder<> RB(TR);
    RB.CreateStore(F.primal(RV), Kept);
  }
  BasicBlock *First = S.run([&](IRBuilder<> &B) {
    SmallVector<Value *> Parts;
    if (Kept)
      Parts.push_back(B.CreateLoad(Ret, Kept));
    for (Argument &A : Root.F->args())
      if (Req.Args[A.getArgNo()].Act == Activity::Out)
        Parts.push_back(Act.active(&A) ? S.takeAdjoint(&A)
                                       : Constant::getNullValue(A.getType()));
    if (UsesArena)
      RT.release(B, F.Arena);
    B.CreateRet(structOf(B, ResultTy, Parts));
  });
  if (R.failed())
    return nullptr;
  BasicBlock *End = TR->getParent();
  TR->eraseFromParent();
  if (RV && Act.active(RV)) {
    Type *Ty = Act.adjointType(RV);
    if (!Ty->isFloatingPointTy()) {
      R.error(
          Diag::BadReturn, Return,
          {Root.Source->getName().str(), "it returns more than one number"});
      return nullptr;
    }
    S.seed(End, RV, ConstantFP::get(Ty, 1.0), First);
  } else {
    BranchInst::Create(First, End);
  }
  IRBuilder<> EB(F.EntryPoint);
  clearGlobalShadows(EB);
  return finish(T);
}

/// What is left to do for a function whose body is complete.
Function *UnitEmitter::finish(Function *T) {
  markAliasing(*T);
  for (Function *F : NewFunctions)
    stripDebugInfo(*F);
  return T;
}

void UnitEmitter::declareForward(UnitFunction &UF) {
  LLVMContext &C = M.getContext();
  SmallVector<Type *> Params(UF.F->getFunctionType()->params());
  for (Argument &A : UF.F->args()) {
    if (Act.active(&A))
      Params.push_back(Act.adjointType(&A));
    if (Act.shadowed(&A))
      Params.push_back(A.getType());
  }
  SmallVector<Type *> Results;
  Type *Ret = UF.F->getReturnType();
  if (!Ret->isVoidTy()) {
    Results.push_back(Ret);
    if (returnsActive(UF)) {
      ReturnInst *R = returnOf(*UF.F);
      Type *Ty = R ? Act.adjointType(R->getReturnValue()) : nullptr;
      Results.push_back(Ty ? Ty : Ret);
    }
    if (returnsShadow(UF))
      Results.push_back(Ret);
  }
  Map[&UF].Forward = Function::Create(
      FunctionType::get(StructType::get(C, Results), Params, false),
      GlobalValue::InternalLinkage, "tangent_" + UF.Source->getName(), M);
  NewFunctions.push_back(Map[&UF].Forward);
}

static void emitForward(UnitEmitter &E, UnitFunction &UF) {
  ActivityAnalysis &Act = E.Act;
  Function &T = *E.of(UF).Forward;
  TangentSweep S(E, UF, T);
  unsigned N = static_cast<unsigned>(UF.F->arg_size());
  unsigned Next = N;
  for (Argument &A : UF.F->args()) {
    S.VM[&A] = T.getArg(A.getArgNo());
    if (Act.active(&A))
      S.Tangents[&A] = T.getArg(Next++);
    if (Act.shadowed(&A))
      S.Shadows[&A] = T.getArg(Next++);
  }
  S.run();
  cleanAttributes(T, *UF.F, N, {}, *E.Plan);
  ReturnInst *R = returnOf(*UF.F);
  if (E.R.failed() || !R)
    return;
  auto *TR = cast<ReturnInst>(S.cloned(*R));
  IRBuilder<> B(TR);
  auto *Ty = cast<StructType>(T.getReturnType());
  SmallVector<Value *> Parts;
  if (Value *V = R->getReturnValue()) {
    Parts.push_back(S.primal(V));
    if (E.returnsActive(UF))
      Parts.push_back(Act.active(V)
                          ? S.tangent(V)
                          : Constant::getNullValue(Ty->getElementType(1)));
    if (E.returnsShadow(UF))
      Parts.push_back(S.shadow(V));
  }
  B.CreateRet(structOf(B, Ty, Parts));
  TR->eraseFromParent();
}

Function *UnitEmitter::emitTangent(const Request &Req) {
  findDerived();
  UnitFunction &Root = Act.unit().root();
  for (auto &UF : Act.unit().Functions)
    if (UF.get() != &Root && needsDerived(*UF))
      declareForward(*UF);
  for (auto &UF : Act.unit().Functions)
    if (UF.get() != &Root && needsDerived(*UF) && !R.failed())
      emitForward(*this, *UF);
  if (R.failed())
    return nullptr;
  LLVMContext &C = M.getContext();
  SmallVector<Type *> Params(Root.F->getFunctionType()->params());
  unsigned N = static_cast<unsigned>(Params.size());
  SmallVector<const Argument *> Dup;
  for (Argument &A : Root.F->args())
    if (Req.Args[A.getArgNo()].Act != Activity::Const) {
      Dup.push_back(&A);
      Params.push_back(A.getType());
    }
  Type *Ret = Root.F->getReturnType();
  SmallVector<Type *> Results;
  if (!Ret->isVoidTy()) {
    if (Req.PrimalReturn)
      Results.push_back(Ret);
    Results.push_back(Ret);
  }
  StructType *ResultTy = StructType::get(C, Results);
  Function *T = Function::Create(FunctionType::get(ResultTy, Params, false),
                                 GlobalValue::InternalLinkage,
                                 "tangent_of_" + Root.Source->getName(), M);
  NewFunctions.push_back(T);
  TangentSweep S(*this, Root, *T);
  for (Argument &A : Root.F->args())
    S.VM[&A] = T->getArg(A.getArgNo());
  for (unsigned I = 0; I < Dup.size(); ++I)
    (Dup[I]->getType()->isPointerTy() ? S.Shadows : S.Tangents)[Dup[I]] =
        T->getArg(N + I);
  S.run();
  cleanAttributes(*T, *Root.F, N, Dup, *Plan);
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
      Parts.push_back(Act.active(V)     ? S.tangent(V)
                      : Act.shadowed(V) ? S.shadow(V)
                                        : Constant::getNullValue(Ret));
    }
    B.CreateRet(structOf(B, ResultTy, Parts));
    TR->eraseFromParent();
  }
  IRBuilder<> EB(&T->getEntryBlock(), T->getEntryBlock().getFirstInsertionPt());
  clearGlobalShadows(EB);
  return finish(T);
}

} // namespace retro
