#include "transforms/checkpoint.h"

#include "front/checkpoint_marks.h"
#include "toggles.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace retro {
namespace {

bool isAnyMark(const Instruction &I) {
  return isCheckpointMark(I) || isStateMark(I);
}

/// Outlines one loop of a function.
class Outliner {
public:
  Outliner(Function &F, CallInst &Mark, Reporter &R)
      : F(F), M(*F.getParent()), C(M.getContext()), Mark(Mark), R(R), DT(F),
        LI(DT) {}

  /// Constant: the parameters of F that carry no derivative. Returns what is
  /// to be registered, or nothing after a report.
  std::optional<Registration> run(ArrayRef<Activity> Activities);
  Function *requester() const { return Requester; }

private:
  bool refuse(const Instruction &At, const std::string &Why,
              const std::string &Advice) {
    R.error(Diag::Checkpoint, &At, {Why, Advice});
    return false;
  }
  bool findLoop();
  bool findMarks();
  void demote();
  void spill(Value *V);
  void takeIn(Value *V);
  void findInputs();
  Function *cloneStep(const Twine &Name, ValueToValueMapTy &VM,
                      bool TakesSnapshot);
  Function *makeStep();
  Function *makeNotes();
  bool endAtMarks(Function &N, CallInst &Last);
  using Fill =
      function_ref<Value *(IRBuilder<> &, ArrayRef<Value *>, Function &)>;
  Function *makeCallback(const Twine &Name, Type *Result, bool TakesSnapshot,
                         Fill Body);
  Constant *makeCallbacks(ArrayRef<Activity> Activities);
  Function *makePass(bool Forward, Constant *Callbacks);
  void runAllSteps(Function &Stand);
  void replaceLoop(Function &Stand);
  bool isConstant(const Value *V, ArrayRef<Activity> Activities) const;
  std::optional<uint64_t> sizeOf(const Value *V) const;

  Function &F;
  Module &M;
  LLVMContext &C;
  CallInst &Mark;
  Reporter &R;
  DominatorTree DT;
  LoopInfo LI;
  Loop *L = nullptr;
  Function *Requester = nullptr, *Step = nullptr;
  BasicBlock *Exit = nullptr;
  SmallSetVector<BasicBlock *, 16> Region; ///< what the step consists of
  SmallSetVector<Value *, 16> Inputs;
  SmallSetVector<GetElementPtrInst *, 8> Addresses; ///< of inputs, in order
  SmallPtrSet<AllocaInst *, 4> Inner; ///< variables of one iteration
  StructType *Context = nullptr;      ///< inputs, then their shadows
  std::vector<CallInst *> Marks;
};

bool Outliner::findLoop() {
  L = LI.getLoopFor(Mark.getParent());
  if (!L)
    return refuse(Mark, "retro_checkpoint stands in no loop",
                  "put it first in the loop's body");
  // A loop that is marked as well may stand around it: that one first.
  for (Loop *P = L->getParentLoop(); P; P = P->getParentLoop())
    for (BasicBlock *B : P->blocks())
      if (LI.getLoopFor(B) == P && any_of(*B, isCheckpointMark))
        L = P;
  simplifyLoop(L, &DT, &LI, nullptr, nullptr, nullptr, false);
  // Exits into what never returns (a failed check) go with the step.
  SmallVector<BasicBlock *> Exits;
  L->getUniqueExitBlocks(Exits);
  Region.insert(L->block_begin(), L->block_end());
  unsigned Ways = 0;
  for (BasicBlock *B : Exits)
    if (isa<UnreachableInst>(B->getTerminator()) && B->hasNPredecessors(1)) {
      Region.insert(B);
    } else {
      Exit = B;
      ++Ways;
    }
  if (!L->getLoopPreheader() || !L->getLoopLatch() || Ways != 1)
    return refuse(Mark, "it is left at more than one place",
                  "leave it by its condition alone");
  return findMarks();
}

/// The loop's own marks, in the order in which they are reached.
bool Outliner::findMarks() {
  for (BasicBlock *B : L->blocks())
    for (Instruction &I : *B)
      if (isAnyMark(I) && LI.getLoopFor(B) == L)
        Marks.push_back(cast<CallInst>(&I));
  for (CallInst *I : Marks)
    if (!DT.dominates(I->getParent(), L->getLoopLatch()))
      return refuse(*I, "the mark is not reached in every step",
                    "put it first in the loop's body, under no condition");
  // All processes must run the same steps again.
  auto *Limit = dyn_cast<ConstantInt>(Mark.getArgOperand(0));
  bool Processes = any_of(M, [](const Function &G) {
    const KnownFunction *Row = G.isDeclaration() ? lookupKnown(G) : nullptr;
    return Row && Row->Kind == KnownKind::Mpi && !G.use_empty();
  });
  if (Processes && Limit && Limit->getSExtValue() < 1)
    return refuse(Mark, "how many states fit differs between processes",
                  "give retro_checkpoint their number");
  sort(Marks, [&](CallInst *A, CallInst *B) { return DT.dominates(A, B); });
  return true;
}

/// A value goes through a variable: it is state then, and has a shadow.
void Outliner::spill(Value *V) {
  auto *A = new AllocaInst(V->getType(), 0, V->getName() + ".kept",
                           F.getEntryBlock().begin());
  IRBuilder<> B(L->getLoopPreheader()->getTerminator());
  B.CreateStore(V, A);
  SmallVector<Use *> Uses;
  for (Use &U : V->uses())
    if (auto *I = dyn_cast<Instruction>(U.getUser());
        I && Region.contains(I->getParent()))
      Uses.push_back(&U);
  for (Use *U : Uses) {
    auto *I = cast<Instruction>(U->getUser());
    if (auto *P = dyn_cast<PHINode>(I))
      I = P->getIncomingBlock(*U)->getTerminator();
    IRBuilder<> At(I);
    U->set(At.CreateLoad(V->getType(), A));
  }
}

/// Nothing goes from one iteration to another, or out of the loop, but through
/// memory; what comes in is pointers and integers.
void Outliner::demote() {
  SmallVector<PHINode *> Phis;
  for (BasicBlock *B : {L->getHeader(), Exit})
    for (PHINode &P : B->phis())
      Phis.push_back(&P);
  for (PHINode *P : Phis)
    DemotePHIToStack(P, F.getEntryBlock().begin());
  SmallVector<Instruction *> Out;
  SmallSetVector<Value *, 8> Numbers;
  for (BasicBlock *B : Region)
    for (Instruction &I : *B) {
      if (any_of(I.users(), [&](User *U) {
            return !Region.contains(cast<Instruction>(U)->getParent());
          }))
        Out.push_back(&I);
      for (Value *V : I.operands())
        if ((isa<Argument>(V) ||
             (isa<Instruction>(V) &&
              !Region.contains(cast<Instruction>(V)->getParent()))) &&
            !V->getType()->isPointerTy() && !V->getType()->isIntegerTy() &&
            V->getType()->isFirstClassType() && !V->getType()->isLabelTy() &&
            !V->getType()->isMetadataTy() && !V->getType()->isTokenTy())
          Numbers.insert(V);
    }
  for (Instruction *I : Out)
    DemoteRegToStack(*I, false, F.getEntryBlock().begin());
  for (Value *V : Numbers)
    spill(V);
}

/// Addresses within objects are computed in the step: two parameters that point
/// into one object would hide that.
void Outliner::takeIn(Value *V) {
  auto *A = dyn_cast<AllocaInst>(V);
  if (A && Inner.contains(A))
    return;
  auto *G = dyn_cast<GetElementPtrInst>(V);
  if (!G) {
    Inputs.insert(V);
    return;
  }
  if (Addresses.contains(G))
    return;
  for (Value *X : G->operands())
    if (isa<Argument, Instruction>(X))
      takeIn(X);
  Addresses.insert(G); // behind those it needs
}

void Outliner::findInputs() {
  auto InLoop = [&](const User *U) {
    auto *I = dyn_cast<Instruction>(U);
    return I && Region.contains(I->getParent());
  };
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      if (A->isStaticAlloca() && all_of(A->users(), InLoop) &&
          any_of(A->users(), [](const User *U) {
            auto *X = dyn_cast<LifetimeIntrinsic>(U);
            return X && X->getIntrinsicID() == Intrinsic::lifetime_start;
          }))
        Inner.insert(A);
  for (BasicBlock *B : Region)
    for (Instruction &I : *B)
      for (Value *V : I.operands()) {
        auto *X = dyn_cast<Instruction>(V);
        if (isa<Argument>(V) || (X && !Region.contains(X->getParent())))
          takeIn(V);
      }
  std::vector<Type *> Types;
  for (unsigned Twice = 0; Twice < 2; ++Twice)
    for (Value *V : Inputs)
      Types.push_back(V->getType());
  Context = StructType::get(C, Types);
}

/// Bytes of a variable; none if it is none, or of a size found at run time.
std::optional<uint64_t> Outliner::sizeOf(const Value *V) const {
  if (auto *P = dyn_cast<Argument>(V)) { // of a loop around this one
    uint64_t Bytes;
    StringRef Text = P->getParent()
                         ->getAttributes()
                         .getParamAttr(P->getArgNo(), LocalAttribute)
                         .getValueAsString();
    return Text.empty() || Text.getAsInteger(10, Bytes)
               ? std::nullopt
               : std::optional<uint64_t>(Bytes);
  }
  auto *A = dyn_cast<AllocaInst>(V);
  if (!A)
    return std::nullopt;
  std::optional<TypeSize> Size = A->getAllocationSize(M.getDataLayout());
  return Size ? std::optional<uint64_t>(Size->getFixedValue()) : std::nullopt;
}

/// int step(inputs…): one iteration. Returns 0 where there is none, 1 where
/// more may follow, 2 after the last.
Function *Outliner::cloneStep(const Twine &Name, ValueToValueMapTy &VM,
                              bool TakesSnapshot) {
  std::vector<Type *> Types;
  for (Value *V : Inputs)
    Types.push_back(V->getType());
  if (TakesSnapshot)
    Types.push_back(PointerType::getUnqual(C));
  Type *I32 = Type::getInt32Ty(C);
  Function *S = Function::Create(FunctionType::get(I32, Types, false),
                                 GlobalValue::InternalLinkage, Name, M);
  S->addFnAttrs(AttrBuilder(C, F.getAttributes().getFnAttrs()));
  for (auto K : {Attribute::OptimizeNone, Attribute::AlwaysInline,
                 Attribute::Memory, Attribute::NoReturn})
    S->removeFnAttr(K);
  S->addFnAttr(Attribute::NoInline);
  if (F.hasPersonalityFn())
    S->setPersonalityFn(F.getPersonalityFn());
  for (unsigned N = 0; N < Inputs.size(); ++N) {
    S->getArg(N)->setName(Inputs[N]->getName());
    VM[Inputs[N]] = S->getArg(N);
    if (auto Bytes = sizeOf(Inputs[N])) {
      S->getArg(N)->addAttr(
          Attribute::get(C, LocalAttribute, std::to_string(*Bytes)));
      if (!PointerMayBeCaptured(Inputs[N], /*ReturnCaptures=*/true))
        S->getArg(N)->addAttr(Attribute::NoAlias);
    }
  }
  BasicBlock *Entry = BasicBlock::Create(C, "entry", S);
  auto Leave = [&](uint64_t Code) {
    BasicBlock *B = BasicBlock::Create(C, "leave", S);
    ReturnInst::Create(C, ConstantInt::get(I32, Code), B);
    return B;
  };
  BasicBlock *More = Leave(1), *Last = Leave(2), *None = Leave(0);
  IRBuilder<> EB(Entry);
  for (AllocaInst *A : Inner)
    VM[A] = EB.Insert(A->clone(), A->getName());
  for (GetElementPtrInst *G : Addresses) {
    Instruction *Own = EB.Insert(G->clone(), G->getName());
    RemapInstruction(Own, VM);
    VM[G] = Own;
  }
  SmallVector<BasicBlock *> New;
  for (BasicBlock *B : Region) {
    New.push_back(CloneBasicBlock(B, VM, "", S));
    VM[B] = New.back();
  }
  EB.CreateBr(cast<BasicBlock>(VM[L->getHeader()]));
  // Edges that leave the iteration end the function.
  for (BasicBlock *B : Region)
    for (unsigned I = 0; I < B->getTerminator()->getNumSuccessors(); ++I) {
      BasicBlock *To = B->getTerminator()->getSuccessor(I);
      Instruction *T = cast<BasicBlock>(VM[B])->getTerminator();
      if (To == L->getHeader())
        T->setSuccessor(I, More);
      else if (!Region.contains(To))
        T->setSuccessor(I, DT.dominates(Marks.back()->getParent(), B) ? Last
                                                                      : None);
    }
  remapInstructionsInBlocks(New, VM);
  // Lifetimes are those of variables, not of parameters.
  for (Instruction &I : make_early_inc_range(instructions(*S)))
    if (auto *X = dyn_cast<LifetimeIntrinsic>(&I))
      if (!isa<AllocaInst>(X->getArgOperand(0)))
        X->eraseFromParent();
  return S;
}

Function *Outliner::makeStep() {
  ValueToValueMapTy VM;
  Function *S = cloneStep(F.getName() + ".step", VM, false);
  S->addFnAttr(StepAttribute);
  for (CallInst *I : Marks) // what is named as state is checked later
    if (isCheckpointMark(*I))
      cast<Instruction>(VM[I])->eraseFromParent();
  return S;
}

/// Ends the function after the last mark. What runs before may change nothing.
bool Outliner::endAtMarks(Function &N, CallInst &Last) {
  BasicBlock *B = Last.getParent();
  B->splitBasicBlock(std::next(Last.getIterator()));
  ReplaceInstWithInst(
      B->getTerminator(),
      ReturnInst::Create(C, ConstantInt::get(Type::getInt32Ty(C), 1)));
  removeUnreachableBlocks(N);
  for (Instruction &I : instructions(N))
    if (auto *X = dyn_cast<CallInst>(&I);
        I.mayHaveSideEffects() &&
        !isa<UnreachableInst>(I.getParent()->getTerminator()) &&
        !(X && X->getCalledFunction() &&
          X->getCalledFunction()->getName().starts_with("__retro_checkpoint")))
      return refuse(I, "something is done in a step before its marks",
                    "put the marks first in the loop's body, and its condition "
                    "without side effects");
  return true;
}

/// A copy of the step that lists the state instead, up to the last mark.
Function *Outliner::makeNotes() {
  Type *P = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  ValueToValueMapTy VM;
  Function *N = cloneStep(F.getName() + ".state", VM, true);
  Type *Void = Type::getVoidTy(C);
  FunctionCallee Note =
      M.getOrInsertFunction("__retro_checkpoint_note", Void, P, P, I64);
  FunctionCallee Limit =
      M.getOrInsertFunction("__retro_checkpoint_limit", Void, P, I64);
  Value *Snapshot = N->getArg(N->arg_size() - 1);
  IRBuilder<> B(N->getEntryBlock().getTerminator());
  for (unsigned I = 0; I < Inputs.size(); ++I)
    if (auto Bytes = sizeOf(Inputs[I]))
      B.CreateCall(Note, {Snapshot, N->getArg(I), B.getInt64(*Bytes)});
  CallInst *Last = nullptr;
  for (CallInst *Old : Marks) {
    auto *I = cast<CallInst>(VM[Old]);
    B.SetInsertPoint(I);
    Last = isStateMark(*Old)
               ? B.CreateCall(
                     Note, {Snapshot, I->getArgOperand(0), I->getArgOperand(1)})
               : B.CreateCall(Limit, {Snapshot, I->getArgOperand(0)});
    I->eraseFromParent();
  }
  return endAtMarks(*N, *Last) ? N : nullptr;
}

/// A function of the context, as the runtime calls it; Body is given the
/// context's fields.
Function *Outliner::makeCallback(const Twine &Name, Type *Result,
                                 bool TakesSnapshot, Fill Body) {
  Type *P = PointerType::getUnqual(C);
  SmallVector<Type *> Types(TakesSnapshot ? 2 : 1, P);
  Function *G = Function::Create(FunctionType::get(Result, Types, false),
                                 GlobalValue::InternalLinkage, Name, M);
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

/// Does a pointer lead to what the request calls constant?
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

/// {list the state, one step, its gradient}: struct loop of the runtime.
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
      "__enzyme_autodiff", FunctionType::get(Void, {P}, true));
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
        Call->setDebugLoc(Marks[0]->getDebugLoc());
        return Call;
      });
  Requester = Adjoint;
  auto *T = StructType::get(C, {P, P, P});
  return new GlobalVariable(M, T, true, GlobalValue::InternalLinkage,
                            ConstantStruct::get(T, {List, Run, Adjoint}),
                            F.getName() + ".loop");
}

/// The forward or the reverse pass of the loop: each input is followed by its
/// shadow, as the calling convention has it.
Function *Outliner::makePass(bool Forward, Constant *Callbacks) {
  Type *P = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
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
    FunctionCallee Run =
        M.getOrInsertFunction("__retro_checkpoint_forward", P, P, P, I64);
    B.CreateRet(
        B.CreateCall(Run, {Callbacks, Fields, B.getInt64(tapeBudget())}));
  } else {
    FunctionCallee Run =
        M.getOrInsertFunction("__retro_checkpoint_reverse", Void, P, P, P);
    B.CreateCall(Run, {Callbacks, Fields, G->getArg(2 * Count)});
    B.CreateRetVoid();
  }
  return G;
}

/// The loop itself, for where it carries no derivative.
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

void Outliner::replaceLoop(Function &Stand) {
  Instruction *T = L->getLoopPreheader()->getTerminator();
  IRBuilder<> B(T);
  SmallVector<Value *> Args(Inputs.begin(), Inputs.end());
  CallInst *Call = B.CreateCall(&Stand, Args);
  Call->setDebugLoc(Marks[0]->getDebugLoc());
  B.CreateBr(Exit);
  T->eraseFromParent();
  removeUnreachableBlocks(F);
}

std::optional<Registration> Outliner::run(ArrayRef<Activity> Activities) {
  if (!findLoop())
    return std::nullopt;
  demote();
  findInputs();
  Constant *Callbacks = makeCallbacks(Activities);
  if (!Callbacks)
    return std::nullopt;
  std::vector<Type *> Types;
  for (Value *V : Inputs)
    Types.push_back(V->getType());
  Function *Stand = Function::Create(
      FunctionType::get(Type::getVoidTy(C), Types, false),
      GlobalValue::InternalLinkage, F.getName() + ".checkpointed", M);
  runAllSteps(*Stand);
  Registration Out;
  Out.Primal = Stand;
  CustomRule Rule;
  std::string Problem =
      bindGradient(PrimalSignature(*Stand), makePass(true, Callbacks),
                   makePass(false, Callbacks), Rule);
  replaceLoop(*Stand);
  if (!Problem.empty()) {
    R.error(Diag::Internal, nullptr, {F.getName().str(), Problem});
    return std::nullopt;
  }
  Out.Gradient = std::move(Rule);
  Stand->addFnAttr(LoopAttribute);
  Stand->addFnAttr(RegisteredAttribute, registeredText(Out));
  return Out;
}

CallInst *firstMark(Function &F) {
  for (Instruction &I : instructions(F))
    if (isCheckpointMark(I))
      return cast<CallInst>(&I);
  return nullptr;
}

} // namespace

bool Checkpoints::isNested(Function &F) {
  return F.hasFnAttribute(StepAttribute) && firstMark(F);
}

Function *Checkpoints::prepare(const Request &Req, Reporter &R) {
  Function *F = Req.Target;
  if (Req.mode() != Mode::Reverse || F->isDeclaration() || !firstMark(*F))
    return F;
  if (Req.Width != 1 || Req.isSplit()) {
    R.error(Diag::Checkpoint, firstMark(*F),
            {"the request is one in vector or split mode",
             "request the gradient in one piece"});
    return nullptr;
  }
  auto [It, New] = Copies.try_emplace({F, Req.activities()});
  if (!New)
    return It->second;
  ValueToValueMapTy VM;
  Function *Copy = CloneFunction(F, VM);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setComdat(nullptr);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Copy->removeFnAttr(Attribute::OptimizeNone);
  Copy->setName(F->getName() + ".by_steps");
  while (CallInst *Mark = firstMark(*Copy)) {
    Outliner O(*Copy, *Mark, R);
    std::optional<Registration> Made = O.run(Req.activities());
    if (!Made)
      return nullptr;
    Requesters.push_back(O.requester());
    Loops.push_back(Made->Primal);
    Registered.add(std::move(*Made));
  }
  return It->second = Copy;
}

Checkpoints::~Checkpoints() {
  for (auto &[K, F] : Copies)
    if (F && F->use_empty())
      F->eraseFromParent();
  for (Function *F : Loops) {
    Registered.remove(F);
    if (F->use_empty())
      F->eraseFromParent();
  }
}

bool dropCheckpointMarks(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isAnyMark(I)) {
        I.eraseFromParent();
        Changed = true;
      }
  return Changed;
}

} // namespace retro
