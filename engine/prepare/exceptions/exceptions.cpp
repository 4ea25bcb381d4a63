// Input: a function with invokes and landing pads. Output: calls, marks and
// branches, which have the control flow of any other code; and, in emitted
// functions, invokes and landing pads again. Without the first the reverse pass
// could not tell which handler ran; without the second nothing would be caught.
#include "prepare/exceptions/exceptions.h"

#include "facts/activity/activity.h"
#include "front/known/exceptions.h"
#include "front/names/foreign.h"
#include "front/names/runtime.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace retro {

bool returnsFrom(BasicBlock &Handler) {
  SmallSetVector<BasicBlock *, 8> Seen;
  Seen.insert(&Handler);
  for (size_t I = 0; I < Seen.size(); ++I) {
    if (isa<ReturnInst>(Seen[I]->getTerminator()))
      return true;
    for (BasicBlock *S : successors(Seen[I]))
      Seen.insert(S);
  }
  return false;
}

bool goesOnInHandlers(const Function &F) {
  // All ways back from the returns are followed at once: one search for each
  // invoke would look at the same cleanups again and again.
  SmallSetVector<const BasicBlock *, 8> Returning;
  for (const BasicBlock &B : F)
    if (isa<ReturnInst>(B.getTerminator()))
      Returning.insert(&B);
  for (size_t N = 0; N < Returning.size(); ++N)
    for (const BasicBlock *P : predecessors(Returning[N]))
      Returning.insert(P);
  return any_of(F, [&](const BasicBlock &B) {
    auto *I = dyn_cast<InvokeInst>(B.getTerminator());
    return I && Returning.contains(I->getUnwindDest());
  });
}

bool isCaught(const CallBase &Call) {
  if (auto *I = dyn_cast<InvokeInst>(&Call))
    return returnsFrom(*I->getUnwindDest());
  const BasicBlock *From = Call.getParent()->getSinglePredecessor();
  auto *Br = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
  return Br && Br->isConditional() &&
         isMark(*Br->getCondition(), marks::Throws) &&
         returnsFrom(*Br->getSuccessor(0));
}

namespace {

/// Declares a mark. LLVM must not move, repeat, merge or leave it out.
FunctionCallee mark(Module &M, StringRef Name) {
  LLVMContext &C = M.getContext();
  Type *Void = Type::getVoidTy(C), *I1 = Type::getInt1Ty(C);
  Type *I32 = Type::getInt32Ty(C), *Ptr = PointerType::getUnqual(C);
  FunctionType *T =
      Name == marks::Try         ? FunctionType::get(Void, false)
      : Name == marks::Exception ? FunctionType::get(Ptr, false)
      : Name == marks::Selector  ? FunctionType::get(I32, false)
      : Name == marks::TypeId    ? FunctionType::get(I32, {Ptr}, false)
      : Name == marks::Resume    ? FunctionType::get(Void, {Ptr, I32}, false)
      : Name == marks::Pass      ? FunctionType::get(Void, {Ptr}, false)
                                 : FunctionType::get(I1, {I1}, true);
  FunctionCallee F = M.getOrInsertFunction(Name, T);
  auto *Fn = cast<Function>(F.getCallee());
  Fn->addFnAttr(Attribute::NoCallback);
  Fn->addFnAttr(Attribute::NoFree);
  Fn->addFnAttr(Attribute::NoMerge);
  if (Name == marks::Resume) {
    Fn->setDoesNotReturn();
    return F;
  }
  Fn->setOnlyAccessesInaccessibleMemory();
  Fn->setDoesNotThrow();
  Fn->addFnAttr(Attribute::WillReturn);
  return F;
}

} // namespace

CallInst *makeMark(IRBuilder<> &B, StringRef Name, ArrayRef<Value *> Args) {
  CallInst *C =
      B.CreateCall(mark(*B.GetInsertBlock()->getModule(), Name), Args);
  C->addFnAttr(Attribute::NoMerge);
  return C;
}

namespace {

void lowerInvoke(InvokeInst &I, const LandingPadInst &Pad) {
  IRBuilder<> B(&I);
  BasicBlock *Handler = I.getUnwindDest(), *Normal = I.getNormalDest();
  SmallVector<Value *> Says{B.getInt1(Pad.isCleanup())};
  for (unsigned N = 0; N < Pad.getNumClauses(); ++N)
    Says.push_back(Pad.getClause(N));
  MDBuilder MD(I.getContext());
  CallInst *Call = createCallMatchingInvoke(&I);
  Call->setDebugLoc(I.getDebugLoc());
  if (I.doesNotReturn()) {
    Value *Throws = makeMark(B, marks::Throws, Says);
    BasicBlock *Thrown =
        BasicBlock::Create(I.getContext(), "thrown", I.getFunction(), Handler);
    B.CreateCondBr(Throws, Handler, Thrown);
    Normal->removePredecessor(I.getParent());
    B.SetInsertPoint(Thrown);
    Call->addFnAttr(Attribute::NoMerge);
    B.Insert(Call);
    B.CreateUnreachable();
    if (!I.use_empty())
      I.replaceAllUsesWith(PoisonValue::get(I.getType()));
  } else {
    makeMark(B, marks::Try);
    B.Insert(Call);
    Call->takeName(&I);
    Value *Threw = makeMark(B, marks::Threw, Says);
    Threw->setName("threw");
    B.CreateCondBr(Threw, Handler, Normal, MD.createUnlikelyBranchWeights());
    I.replaceAllUsesWith(Call);
  }
  I.eraseFromParent();
}

void lowerPad(LandingPadInst &Pad) {
  IRBuilder<> B(&Pad);
  Value *Exception = makeMark(B, marks::Exception);
  Value *Selector = makeMark(B, marks::Selector);
  for (User *U : make_early_inc_range(Pad.users()))
    if (auto *X = dyn_cast<ExtractValueInst>(U)) {
      X->replaceAllUsesWith(X->getIndices()[0] == 0 ? Exception : Selector);
      X->eraseFromParent();
    }
  if (!Pad.use_empty()) {
    Value *Partial =
        B.CreateInsertValue(PoisonValue::get(Pad.getType()), Exception, 0);
    Pad.replaceAllUsesWith(B.CreateInsertValue(Partial, Selector, 1));
  }
  Pad.eraseFromParent();
}

} // namespace

void lowerExceptions(Function &F) {
  SmallVector<InvokeInst *> Invokes;
  SmallVector<LandingPadInst *> Pads;
  SmallVector<ResumeInst *> Resumes;
  SmallVector<IntrinsicInst *> TypeIds;
  for (Instruction &I : instructions(F)) {
    if (auto *V = dyn_cast<InvokeInst>(&I))
      Invokes.push_back(V);
    else if (auto *P = dyn_cast<LandingPadInst>(&I))
      Pads.push_back(P);
    else if (auto *R = dyn_cast<ResumeInst>(&I))
      Resumes.push_back(R);
    else if (auto *X = dyn_cast<IntrinsicInst>(&I);
             X && X->getIntrinsicID() == Intrinsic::eh_typeid_for)
      TypeIds.push_back(X);
  }
  for (InvokeInst *I : Invokes) {
    LandingPadInst *Pad = I->getLandingPadInst();
    if (!Pad || !keepsHandlers(F) || !mayUnwind(*I)) {
      changeToCall(I);
      continue;
    }
    lowerInvoke(*I, *Pad);
    // Calls unwind again, even if no exception leaves the function.
    F.removeFnAttr(Attribute::NoUnwind);
  }
  for (LandingPadInst *P : Pads)
    lowerPad(*P);
  for (ResumeInst *R : Resumes) {
    IRBuilder<> B(R);
    Value *V = R->getValue();
    makeMark(B, marks::Resume,
             {B.CreateExtractValue(V, 0), B.CreateExtractValue(V, 1)});
    B.CreateUnreachable();
    R->eraseFromParent();
  }
  for (IntrinsicInst *X : TypeIds) {
    IRBuilder<> B(X);
    X->replaceAllUsesWith(makeMark(B, marks::TypeId, {X->getArgOperand(0)}));
    X->eraseFromParent();
  }
  if (!Invokes.empty())
    removeUnreachableBlocks(F);
}

namespace {

class Raiser {
public:
  Raiser(Function &F, const RaiseWith &With) : F(F), With(With) {}
  bool run();

private:
  bool find();
  bool note(CallInst &Mark, Instruction &I);
  bool findBefore(CallInst &Threw);
  bool findThrown(CallInst &Throws);
  void separate(CallInst &Throws);
  AllocaInst *&slot(bool OfSelector);
  BasicBlock *padOf(CallInst &Mark, BasicBlock *To);
  BasicBlock *unwind(CallInst &Mark, BasicBlock *To);
  bool isPassed(CallInst &Mark);
  void askForPassed(CallInst &Mark, BasicBlock *Tail, BasicBlock *Pad);
  void raiseThrew(CallInst &Mark);
  bool raiseThrows(CallInst &Mark);
  void resume(CallInst &Mark);
  void leave();
  llvm::SmallVector<BasicBlock *> padsWithout(Instruction &I,
                                              const DominatorTree &DT) const;
  void promote();

  Function &F;
  const RaiseWith &With;
  SmallPtrSet<const BasicBlock *, 4> OfPassed; ///< landing pads
  AllocaInst *Slots[2] = {nullptr, nullptr};
  /// For each mark, the calls that unwind to the handler that it leads to.
  MapVector<CallInst *, SmallVector<CallInst *, 2>> Calls;
  SmallPtrSet<CallInst *, 16> Caught;
  SmallVector<CallInst *> Marks; ///< all others
};

/// Is I no mark that ends the search? Notes I if it is a call that unwinds.
bool Raiser::note(CallInst &Mark, Instruction &I) {
  auto *C = dyn_cast<CallInst>(&I);
  if (!C)
    return true;
  if (isMark(I, marks::Try) || isMark(I, marks::Threw) ||
      isMark(I, marks::Throws))
    return false;
  if (!isExceptionMark(I) && mayUnwind(*C) && Caught.insert(C).second)
    Calls[&Mark].push_back(C);
  return true;
}

/// Finds the calls between the mark Try and this one.
bool Raiser::findBefore(CallInst &Threw) {
  Calls[&Threw];
  SmallSetVector<BasicBlock *, 8> Blocks;
  auto Walk = [&](Instruction *I, BasicBlock *B) {
    for (; I; I = I->getPrevNode())
      if (!note(Threw, *I))
        return;
    Blocks.insert_range(predecessors(B));
  };
  Walk(Threw.getPrevNode(), Threw.getParent());
  for (size_t N = 0; N < Blocks.size(); ++N)
    Walk(Blocks[N]->getTerminator(), Blocks[N]);
  return true;
}

/// The branch on a mark, or null where no way leads to the handler.
BranchInst *branchOn(CallInst &Mark) {
  BranchInst *Br = nullptr;
  for (User *U : Mark.users())
    if (auto *X = dyn_cast<BranchInst>(U))
      Br = X;
  return Br;
}

/// The blocks in which the call that throws stands, and those behind it.
SmallSetVector<BasicBlock *, 4> thrownFrom(BranchInst &Br) {
  SmallSetVector<BasicBlock *, 4> Blocks;
  Blocks.insert(Br.getSuccessor(1));
  for (size_t N = 0; N < Blocks.size(); ++N)
    Blocks.insert_range(successors(Blocks[N]));
  return Blocks;
}

/// LLVM merges equal ends of functions. A call that throws to a handler of its
/// own gets its own copy of the end again.
void Raiser::separate(CallInst &Throws) {
  BranchInst *Br = branchOn(Throws);
  if (!Br)
    return;
  BasicBlock *From = Br->getParent(), *Thrown = Br->getSuccessor(1);
  auto Blocks = thrownFrom(*Br);
  auto IsOther = [&](BasicBlock *B) {
    return B != From && !Blocks.contains(B);
  };
  if (none_of(Blocks,
              [&](BasicBlock *B) { return any_of(predecessors(B), IsOther); }))
    return;
  ValueToValueMapTy Copies;
  SmallVector<BasicBlock *, 4> New;
  for (BasicBlock *B : Blocks) {
    New.push_back(CloneBasicBlock(B, Copies, "", &F));
    Copies[B] = New.back();
  }
  remapInstructionsInBlocks(New, Copies);
  for (BasicBlock *B : New)
    for (PHINode &P : B->phis())
      for (unsigned N = P.getNumIncomingValues(); N-- > 0;)
        if (IsOther(P.getIncomingBlock(N)) &&
            !is_contained(New, P.getIncomingBlock(N)))
          P.removeIncomingValue(N, /*DeletePHIIfEmpty=*/false);
  Thrown->removePredecessor(From);
  Br->setSuccessor(1, cast<BasicBlock>(Copies[Thrown]));
}

/// Finds the call behind a mark that is always true.
bool Raiser::findThrown(CallInst &Throws) {
  Calls[&Throws];
  BranchInst *Br = branchOn(Throws);
  if (!Br)
    return true;
  for (BasicBlock *B : thrownFrom(*Br))
    for (Instruction &I : *B)
      if (!note(Throws, I))
        return false;
  return true;
}

bool Raiser::find() {
  SmallVector<CallInst *> Telling;
  for (Instruction &I : instructions(F))
    if (isMark(I, marks::Threw) || isMark(I, marks::Throws))
      Telling.push_back(cast<CallInst>(&I));
    else if (isExceptionMark(I))
      Marks.push_back(cast<CallInst>(&I));
  for (CallInst *C : Telling)
    if (isMark(*C, marks::Throws))
      separate(*C);
  return all_of(Telling, [&](CallInst *C) {
    return isMark(*C, marks::Threw) ? findBefore(*C) : findThrown(*C);
  });
}

AllocaInst *&Raiser::slot(bool OfSelector) {
  AllocaInst *&S = Slots[OfSelector];
  if (!S) {
    IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
    S = OfSelector ? B.CreateAlloca(B.getInt32Ty(), nullptr, "selector")
                   : B.CreateAlloca(B.getPtrTy(), nullptr, "exception");
  }
  return S;
}

/// Makes the landing pad that the mark describes. It notes the exception and
/// goes on to To.
BasicBlock *Raiser::padOf(CallInst &Mark, BasicBlock *To) {
  LLVMContext &C = F.getContext();
  BasicBlock *Block = BasicBlock::Create(C, "pad", &F, To);
  IRBuilder<> B(Block);
  B.SetCurrentDebugLocation(Mark.getDebugLoc());
  Type *T = StructType::get(C, {B.getPtrTy(), B.getInt32Ty()});
  LandingPadInst *Pad = B.CreateLandingPad(T, Mark.arg_size() - 1);
  Pad->setCleanup(With.Leave ||
                  !cast<Constant>(Mark.getArgOperand(0))->isNullValue());
  for (unsigned N = 1; N < Mark.arg_size(); ++N)
    Pad->addClause(cast<Constant>(Mark.getArgOperand(N)));
  B.CreateStore(B.CreateExtractValue(Pad, 0), slot(false));
  B.CreateStore(B.CreateExtractValue(Pad, 1), slot(true));
  B.CreateBr(To);
  return Block;
}

/// Makes the mark's calls unwind to To by way of a landing pad.
BasicBlock *Raiser::unwind(CallInst &Mark, BasicBlock *To) {
  BasicBlock *Pad = nullptr;
  for (CallInst *C : Calls[&Mark]) {
    if (!Pad)
      Pad = padOf(Mark, To);
    changeToInvokeAndSplitBasicBlock(C, Pad);
  }
  return Pad;
}

/// Do the mark's calls pass exceptions on when they return?
bool Raiser::isPassed(CallInst &Mark) {
  return any_of(Calls[&Mark], [&](const CallInst *C) {
    const Function *G = C->getCalledFunction();
    return G && With.Passing.contains(G);
  });
}

/// Goes on unwinding where the function that was called had been left. The
/// unwinder goes to the landing pad of the call: where it looked for a handler
/// it found that one.
void Raiser::askForPassed(CallInst &Mark, BasicBlock *Tail, BasicBlock *Pad) {
  BasicBlock *Head = nullptr;
  for (BasicBlock *P : predecessors(Tail))
    if (P != Pad)
      Head = P;
  Head->getTerminator()->eraseFromParent();
  IRBuilder<> B(Head);
  B.SetCurrentDebugLocation(Mark.getDebugLoc());
  LLVMContext &C = F.getContext();
  BasicBlock *Passed = BasicBlock::Create(C, "passed", &F, Tail);
  BasicBlock *Never = BasicBlock::Create(C, "never", &F, Tail);
  Value *Exception = callRuntime(B, Rt::passed_exception, {});
  B.CreateCondBr(B.CreateIsNotNull(Exception), Passed, Tail,
                 MDBuilder(C).createUnlikelyBranchWeights());
  B.SetInsertPoint(Passed);
  B.CreateInvoke(foreignCallee(*F.getParent(), Foreign::_Unwind_Resume), Never,
                 Pad, {Exception});
  new UnreachableInst(C, Never);
  OfPassed.insert(Pad);
}

void Raiser::raiseThrew(CallInst &Mark) {
  LLVMContext &C = F.getContext();
  BasicBlock *Head = Mark.getParent();
  BasicBlock *Tail = Head->splitBasicBlock(Mark.getIterator());
  const bool Passed = isPassed(Mark);
  BasicBlock *Pad = unwind(Mark, Tail);
  if (Passed)
    askForPassed(Mark, Tail, Pad);
  PHINode *Threw = PHINode::Create(Mark.getType(), 2, "threw", Tail->begin());
  Threw->setDebugLoc(Mark.getDebugLoc());
  for (BasicBlock *B : predecessors(Tail))
    Threw->addIncoming(ConstantInt::getBool(C, isa<LandingPadInst>(B->front())),
                       B);
  // Where nothing was thrown the slots hold nothing: a handler has read its
  // exception before there can be another one.
  for (BasicBlock *B : predecessors(Tail))
    if (!isa<LandingPadInst>(B->front()))
      for (AllocaInst *A : Slots)
        if (A)
          new StoreInst(PoisonValue::get(A->getAllocatedType()), A,
                        B->getTerminator()->getIterator());
  Mark.replaceAllUsesWith(Threw);
  Mark.eraseFromParent();
}

bool Raiser::raiseThrows(CallInst &Mark) {
  if (BranchInst *Br = branchOn(Mark)) {
    BasicBlock *From = Br->getParent(), *Handler = Br->getSuccessor(0);
    // The landing pad jumps to the handler by way of this block.
    BasicBlock *Way = BasicBlock::Create(F.getContext(), "caught", &F, Handler);
    BranchInst::Create(Handler, Way);
    Handler->replacePhiUsesWith(From, Way);
    unwind(Mark, Way);
    BasicBlock *Thrown = Br->getSuccessor(1);
    BranchInst::Create(Thrown, Br->getIterator());
    Br->eraseFromParent();
  }
  Mark.replaceAllUsesWith(ConstantInt::getTrue(F.getContext()));
  Mark.eraseFromParent();
  return true;
}

void Raiser::resume(CallInst &Mark) {
  changeToUnreachable(Mark.getNextNode());
  IRBuilder<> B(&Mark);
  if (With.Leave)
    With.Leave(B);
  Type *T = StructType::get(F.getContext(), {B.getPtrTy(), B.getInt32Ty()});
  Value *V = PoisonValue::get(T);
  for (unsigned N = 0; N < 2; ++N)
    V = B.CreateInsertValue(V, Mark.getArgOperand(N), N);
  B.CreateResume(V);
  Mark.getNextNode()->eraseFromParent();
  Mark.eraseFromParent();
}

/// Makes the exceptions of all other calls leave the function through one
/// landing pad.
void Raiser::leave() {
  SmallVector<CallInst *> Leaving;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallInst>(&I);
        C && !isExceptionMark(*C) && mayUnwind(*C) && With.May(*C))
      Leaving.push_back(C);
  if (Leaving.empty())
    return;
  BasicBlock *Out = BasicBlock::Create(F.getContext(), "leave", &F);
  IRBuilder<> B(Out);
  Type *T = StructType::get(F.getContext(), {B.getPtrTy(), B.getInt32Ty()});
  LandingPadInst *Pad = B.CreateLandingPad(T, 0);
  Pad->setCleanup(true);
  With.Leave(B);
  B.CreateResume(Pad);
  for (CallInst *C : Leaving)
    changeToInvokeAndSplitBasicBlock(C, Out);
}

/// The landing pads of calls behind which I is computed. Where one of these
/// calls threw, I does not have the value that it would have had; where it
/// returned and passed an exception on, it has.
SmallVector<BasicBlock *> Raiser::padsWithout(Instruction &I,
                                              const DominatorTree &DT) const {
  SmallVector<BasicBlock *> Pads;
  for (BasicBlock &B : *I.getFunction()) {
    BasicBlock *Tail = B.isLandingPad() ? B.getSingleSuccessor() : nullptr;
    if (Tail && !OfPassed.contains(&B) && !DT.dominates(&I, &B) &&
        any_of(predecessors(Tail), [&](BasicBlock *P) {
          return !P->isLandingPad() && DT.dominates(&I, P->getTerminator());
        }))
      Pads.push_back(&B);
  }
  return Pads;
}

/// Turns values that landing pads cut off from their uses into variables and
/// back. What is computed behind a call is unknown where the call threw, and is
/// not used there.
void Raiser::promote() {
  removeUnreachableBlocks(F);
  DominatorTree DT(F);
  SmallVector<Instruction *> Undefined;
  for (Instruction &I : instructions(F))
    if (any_of(I.uses(), [&](const Use &U) { return !DT.dominates(&I, U); }))
      Undefined.push_back(&I);
  SmallVector<AllocaInst *> Variables;
  for (Instruction *I : Undefined) {
    SmallVector<BasicBlock *> Without = padsWithout(*I, DT);
    Type *T = I->getType();
    AllocaInst *A = DemoteRegToStack(*I);
    if (!A)
      continue;
    Variables.push_back(A);
    for (BasicBlock *B : Without)
      new StoreInst(PoisonValue::get(T), A, B->getFirstInsertionPt());
  }
  for (AllocaInst *A : Slots)
    if (A)
      Variables.push_back(A);
  DT.recalculate(F);
  if (!Variables.empty())
    PromoteMemToReg(Variables, DT);
}

bool Raiser::run() {
  if (!find())
    return false;
  const bool Has = !Calls.empty() || !Marks.empty();
  SmallVector<CallInst *> Telling;
  for (auto &[Mark, Found] : Calls)
    Telling.push_back(Mark);
  for (CallInst *Mark : Telling) {
    if (isMark(*Mark, marks::Threw))
      raiseThrew(*Mark);
    else
      raiseThrows(*Mark);
  }
  if (With.Leave && F.hasPersonalityFn())
    leave();
  for (CallInst *C : Marks) {
    IRBuilder<> B(C);
    if (isMark(*C, marks::Resume)) {
      resume(*C);
      continue;
    }
    if (isMark(*C, marks::Pass))
      callRuntime(B, Rt::pass_exception, {C->getArgOperand(0)});
    else if (isMark(*C, marks::Exception))
      C->replaceAllUsesWith(B.CreateLoad(C->getType(), slot(false)));
    else if (isMark(*C, marks::Selector))
      C->replaceAllUsesWith(B.CreateLoad(C->getType(), slot(true)));
    else if (isMark(*C, marks::TypeId))
      C->replaceAllUsesWith(B.CreateIntrinsic(Intrinsic::eh_typeid_for,
                                              {C->getArgOperand(0)->getType()},
                                              {C->getArgOperand(0)}));
    C->eraseFromParent();
  }
  if (Has)
    promote();
  return true;
}

} // namespace

bool raiseExceptions(Function &F, const RaiseWith &With) {
  return Raiser(F, With).run();
}

} // namespace retro
