// Input: a loop with marks, or one that was chosen. Output: a call of a
// function in its place, whose registered gradient runs the loop's steps again
// from kept states. All that goes from one iteration to the next must be
// memory, or it would be missing in a state.
#include "checkpoint/outline_loop.h"

#include "checkpoint/outliner.h"
#include "front/names/runtime.h"

#include "front/known/mpi.h"
#include "front/requests/checkpoint_marks.h"

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

bool Outliner::findLoop(CallInst &Mark) {
  L = LI.getLoopFor(Mark.getParent());
  if (!L)
    return refuse(Mark, "retro_checkpoint stands in no loop",
                  "put it first in the loop's body");
  // A marked loop may stand around this one, and comes first then.
  for (Loop *P = L->getParentLoop(); P; P = P->getParentLoop())
    for (BasicBlock *B : P->blocks())
      if (LI.getLoopFor(B) == P && any_of(*B, isCheckpointMark))
        L = P;
  if (!findRegion())
    return refuse(Mark, "it is left at more than one place",
                  "leave it by its condition alone");
  return findMarks(Mark);
}

/// Finds the blocks of a step. False if the loop is left at more than one
/// place.
bool Outliner::findRegion() {
  simplifyLoop(L, &DT, &LI, nullptr, nullptr, nullptr, false);
  // Exits to code that never returns, as of a failed check, belong to the step.
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
  return L->getLoopPreheader() && L->getLoopLatch() && Ways == 1;
}

/// Finds the loop's own marks, in the order in which they are reached.
bool Outliner::findMarks(CallInst &Mark) {
  for (BasicBlock *B : L->blocks())
    for (Instruction &I : *B)
      if (isAnyCheckpointMark(I) && LI.getLoopFor(B) == L)
        Marks.push_back(cast<CallInst>(&I));
  for (CallInst *I : Marks)
    if (!DT.dominates(I->getParent(), L->getLoopLatch()))
      return refuse(*I, "the mark is not reached in every step",
                    "put it first in the loop's body, under no condition");
  // All processes must run the same steps again, so the number of states must
  // not depend on the memory that each of them has.
  auto *Limit = dyn_cast<ConstantInt>(Mark.getArgOperand(0));
  if (usesMpi(M) && Limit && Limit->getSExtValue() < 1)
    return refuse(Mark, "how many states fit differs between processes",
                  "give retro_checkpoint their number");
  sort(Marks, [&](CallInst *A, CallInst *B) { return DT.dominates(A, B); });
  Loc = Marks[0]->getDebugLoc();
  return true;
}

/// Moves a value to a variable, which is part of the state and has a shadow.
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

/// Lets values pass only through memory, from one iteration to the next and out
/// of the loop. Only pointers and integers come in.
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

/// Computes addresses within objects in the step: two parameters that point
/// into one object would hide that they do.
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

/// The bytes of a variable; nothing if V is none, or if the size is found at
/// run time.
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

/// Declares int step(inputs…), and with TakesSnapshot a pointer for the runtime
/// behind the inputs.
Function *Outliner::declareStep(const Twine &Name, ValueToValueMapTy &VM,
                                bool TakesSnapshot) {
  std::vector<Type *> Types;
  for (Value *V : Inputs)
    Types.push_back(V->getType());
  if (TakesSnapshot)
    Types.push_back(PointerType::getUnqual(C));
  Function *S =
      Function::Create(FunctionType::get(Type::getInt32Ty(C), Types, false),
                       GlobalValue::InternalLinkage, Name, M);
  Out.Parts.push_back(S);
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
  return S;
}

/// The step is one iteration. It returns 0 where there is none, 1 where more
/// may follow, 2 after the last.
Function *Outliner::cloneStep(const Twine &Name, ValueToValueMapTy &VM,
                              bool TakesSnapshot) {
  Function *S = declareStep(Name, VM, TakesSnapshot);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", S);
  auto Leave = [&](uint64_t Code) {
    BasicBlock *B = BasicBlock::Create(C, "leave", S);
    ReturnInst::Create(C, ConstantInt::get(Type::getInt32Ty(C), Code), B);
    return B;
  };
  BasicBlock *More = Leave(1), *Last = Leave(2), *None = Leave(0);
  IRBuilder<> EB(Entry);
  for (AllocaInst *A : Inner)
    VM[A] = EB.Insert(A->clone(), A->getName());
  for (GetElementPtrInst *G : Addresses) {
    Instruction *Copy = EB.Insert(G->clone(), G->getName());
    RemapInstruction(Copy, VM);
    VM[G] = Copy;
  }
  SmallVector<BasicBlock *> New;
  for (BasicBlock *B : Region) {
    New.push_back(CloneBasicBlock(B, VM, "", S));
    VM[B] = New.back();
  }
  EB.CreateBr(cast<BasicBlock>(VM[L->getHeader()]));
  // Edges that leave the iteration return from the function.
  for (BasicBlock *B : Region)
    for (unsigned I = 0; I < B->getTerminator()->getNumSuccessors(); ++I) {
      BasicBlock *To = B->getTerminator()->getSuccessor(I);
      Instruction *T = cast<BasicBlock>(VM[B])->getTerminator();
      if (To == L->getHeader())
        T->setSuccessor(I, More);
      else if (!Region.contains(To))
        T->setSuccessor(I, Marks.empty() ||
                                   DT.dominates(Marks.back()->getParent(), B)
                               ? Last
                               : None);
    }
  remapInstructionsInBlocks(New, VM);
  // Lifetimes are of variables; parameters have none.
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

/// Ends the function behind the last mark. What runs before that may change
/// nothing.
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
          isNamed(X->getCalledFunction()->getName(), Named::checkpoint)))
      return refuse(I, "something is done in a step before its marks",
                    "put the marks first in the loop's body, and its condition "
                    "without side effects");
  return true;
}

/// A copy of the step that lists the state instead, up to the last mark.
Function *Outliner::makeNotes() {
  ValueToValueMapTy VM;
  Function *N = cloneStep(F.getName() + ".state", VM, true);
  FunctionCallee Note = runtimeCallee(M, Rt::checkpoint_note);
  FunctionCallee Limit = runtimeCallee(M, Rt::checkpoint_limit);
  Value *Snapshot = N->getArg(N->arg_size() - 1);
  IRBuilder<> B(N->getEntryBlock().getTerminator());
  for (unsigned I = 0; I < Inputs.size(); ++I)
    if (auto Bytes = sizeOf(Inputs[I]))
      B.CreateCall(Note, {Snapshot, N->getArg(I), B.getInt64(*Bytes)});
  if (Marks.empty()) {
    ReplaceInstWithInst(N->getEntryBlock().getTerminator(),
                        ReturnInst::Create(C, B.getInt32(1)));
    removeUnreachableBlocks(*N);
    return N;
  }
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

void Outliner::replaceLoop(Function &Stand) {
  Instruction *T = L->getLoopPreheader()->getTerminator();
  IRBuilder<> B(T);
  SmallVector<Value *> Args(Inputs.begin(), Inputs.end());
  CallInst *Call = B.CreateCall(&Stand, Args);
  Call->setDebugLoc(Loc);
  B.CreateBr(Exit);
  T->eraseFromParent();
  removeUnreachableBlocks(F);
}

std::optional<OutlinedLoop> Outliner::outline(ArrayRef<Activity> Activities) {
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
  Out.Parts.push_back(Stand);
  runAllSteps(*Stand);
  Registration Registered;
  Registered.Primal = Stand;
  CustomRule Rule;
  Function *Forward = makePass(true, Callbacks);
  Function *Reverse = makePass(false, Callbacks);
  std::string Problem =
      bindGradient(PrimalSignature(*Stand), Forward, Reverse, Rule);
  replaceLoop(*Stand);
  if (!Problem.empty()) {
    R.error(Diag::Internal, nullptr, {F.getName().str(), Problem});
    return std::nullopt;
  }
  Registered.Gradient = std::move(Rule);
  Stand->addFnAttr(LoopAttribute, Marks.empty() ? WritesLocals : "");
  Stand->addFnAttr(RegisteredAttribute, registeredText(Registered));
  Out.Registered = std::move(Registered);
  return std::move(Out);
}

std::optional<OutlinedLoop> Outliner::run(CallInst &Mark,
                                          ArrayRef<Activity> Activities) {
  if (!findLoop(Mark))
    return std::nullopt;
  return outline(Activities);
}

std::optional<OutlinedLoop> Outliner::run(BasicBlock &Header, uint64_t Most,
                                          ArrayRef<Activity> Activities) {
  L = LI.getLoopFor(&Header);
  States = Most;
  Loc = L->getStartLoc();
  if (!findRegion())
    return std::nullopt;
  return outline(Activities);
}

std::optional<OutlinedLoop> outlineLoop(Function &F, CallInst &Mark,
                                        ArrayRef<Activity> Activities,
                                        Reporter &R) {
  return Outliner(F, R).run(Mark, Activities);
}

std::optional<OutlinedLoop> outlineLoop(BasicBlock &Header, uint64_t States,
                                        ArrayRef<Activity> Activities,
                                        Reporter &R) {
  return Outliner(*Header.getParent(), R).run(Header, States, Activities);
}

} // namespace retro
