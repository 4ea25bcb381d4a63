// Input: a loop whose step is a function. Output: the callbacks by which the
// runtime runs the step and its gradient, and the passes of the derivative,
// which call the runtime. Without the passes the call that stands for the loop
// would have no gradient. Members of Outliner (outliner.h).
#include "base/toggles.h"
#include "checkpoint/outliner.h"
#include "front/known/entry_points.h"
#include "front/names/runtime.h"

#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace retro {

/// Makes a function of the context, as the runtime calls it. Body gets the
/// context's fields.
Function *Outliner::makeCallback(const Twine &Name, Type *Result,
                                 bool TakesSnapshot, Fill Body) {
  Type *P = PointerType::getUnqual(C);
  SmallVector<Type *> Types(TakesSnapshot ? 2 : 1, P);
  Function *G = Function::Create(FunctionType::get(Result, Types, false),
                                 GlobalValue::InternalLinkage, Name, M);
  Out.Parts.push_back(G);
  IRBuilder<> B(BasicBlock::Create(C, "entry", G));
  SmallVector<Value *> Fields;
  for (unsigned I = 0; I < Context->getNumElements(); ++I)
    Fields.push_back(B.CreateLoad(Context->getElementType(I),
                                  B.CreateStructGEP(Context, G->getArg(0), I)));
  Value *V = Body(B, Fields, *G);
  if (Result->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(V);
  return G;
}

/// Does the pointer lead to memory that the request calls constant?
bool Outliner::isConstant(const Value *V, ArrayRef<Activity> Activities) const {
  for (unsigned Depth = 0; Depth < 16; ++Depth) {
    V = getUnderlyingObject(V);
    if (auto *A = dyn_cast<Argument>(V))
      return Activities[A->getArgNo()] == Activity::Const;
    auto *Load = dyn_cast<LoadInst>(V);
    if (!Load)
      return false;
    V = Load->getPointerOperand();
  }
  return false;
}

/// Makes {list the state, one step, its gradient}, struct loop of the runtime.
Constant *Outliner::makeCallbacks(ArrayRef<Activity> Activities) {
  Type *P = PointerType::getUnqual(C), *Void = Type::getVoidTy(C);
  unsigned Count = static_cast<unsigned>(Inputs.size());
  Function *Notes = makeNotes();
  if (!Notes)
    return nullptr;
  Step = makeStep();
  Function *List =
      makeCallback(F.getName() + ".list", Void, true,
                   [&](IRBuilder<> &B, ArrayRef<Value *> Fields, Function &G) {
                     SmallVector<Value *> Args(Fields.take_front(Count));
                     Args.push_back(G.getArg(1));
                     return B.CreateCall(Notes, Args);
                   });
  Function *Run =
      makeCallback(F.getName() + ".run", Type::getInt32Ty(C), false,
                   [&](IRBuilder<> &B, ArrayRef<Value *> Fields, Function &) {
                     return B.CreateCall(Step, Fields.take_front(Count));
                   });
  FunctionCallee Request = M.getOrInsertFunction(
      nameOf(Entry::Autodiff), FunctionType::get(Void, {P}, true));
  Type *I32 = Type::getInt32Ty(C);
  Function *Adjoint = makeCallback(
      F.getName() + ".adjoint", Void, false,
      [&](IRBuilder<> &B, ArrayRef<Value *> Fields, Function &) {
        SmallVector<Value *> Args{Step};
        for (unsigned I = 0; I < Count; ++I) {
          bool Dup = Fields[I]->getType()->isPointerTy() &&
                     !isConstant(Inputs[I], Activities);
          Args.push_back(B.CreateLoad(
              I32,
              M.getOrInsertGlobal(Dup ? "enzyme_dup" : "enzyme_const", I32)));
          Args.push_back(Fields[I]);
          if (Dup)
            Args.push_back(Fields[Count + I]);
        }
        CallInst *Call = B.CreateCall(Request, Args);
        Call->setDebugLoc(Loc);
        return Call;
      });
  Out.Requester = Adjoint;
  auto *I64 = Type::getInt64Ty(C);
  auto *T = StructType::get(C, {P, P, P, I64});
  auto *G = new GlobalVariable(
      M, T, true, GlobalValue::InternalLinkage,
      ConstantStruct::get(T,
                          {List, Run, Adjoint, ConstantInt::get(I64, States)}),
      F.getName() + ".loop");
  Out.Parts.push_back(G);
  return G;
}

/// Makes the forward or the reverse pass of the loop. Each input is followed by
/// its shadow, as in the calling convention.
Function *Outliner::makePass(bool Forward, Constant *Callbacks) {
  Type *P = PointerType::getUnqual(C);
  Type *Void = Type::getVoidTy(C);
  std::vector<Type *> Types;
  for (Value *V : Inputs)
    Types.insert(Types.end(), 2, V->getType());
  if (!Forward)
    Types.push_back(P);
  Function *G =
      Function::Create(FunctionType::get(Forward ? P : Void, Types, false),
                       GlobalValue::InternalLinkage,
                       F.getName() + (Forward ? ".forward" : ".reverse"), M);
  Out.Parts.push_back(G);
  G->addFnAttr(Attribute::NoInline);
  IRBuilder<> B(BasicBlock::Create(C, "entry", G));
  Value *Fields = B.CreateAlloca(Context);
  unsigned Count = static_cast<unsigned>(Inputs.size());
  for (unsigned I = 0; I < Count; ++I) {
    B.CreateStore(G->getArg(2 * I), B.CreateStructGEP(Context, Fields, I));
    Value *Shadow = G->getArg(2 * I + 1);
    if (Forward)
      Shadow = Constant::getNullValue(Shadow->getType());
    B.CreateStore(Shadow, B.CreateStructGEP(Context, Fields, Count + I));
  }
  if (Forward) {
    B.CreateRet(callRuntime(B, Rt::checkpoint_forward,
                            {Callbacks, Fields, B.getInt64(tapeBudget())}));
  } else {
    callRuntime(B, Rt::checkpoint_reverse,
                {Callbacks, Fields, G->getArg(2 * Count)});
    B.CreateRetVoid();
  }
  return G;
}

/// Runs the loop itself, where it carries no derivative.
void Outliner::runAllSteps(Function &Stand) {
  Stand.addFnAttr(Attribute::NoInline);
  BasicBlock *Again = BasicBlock::Create(C, "again", &Stand);
  BasicBlock *Done = BasicBlock::Create(C, "done", &Stand);
  IRBuilder<> B(BasicBlock::Create(C, "entry", &Stand, Again));
  B.CreateBr(Again);
  B.SetInsertPoint(Again);
  SmallVector<Value *> Args;
  for (Argument &A : Stand.args())
    Args.push_back(&A);
  Value *Code = B.CreateCall(Step, Args);
  B.CreateCondBr(B.CreateICmpEQ(Code, B.getInt32(1)), Again, Done);
  ReturnInst::Create(C, Done);
}

} // namespace retro
