// Input: a unit whose exceptions are marks and branches, before its control
// flow gets one form. Output: the same, with functions that return where an
// exception leaves them to a handler of the unit. Without it what they wrote
// before, and the tape of it, would be lost with their frames.
#include "prepare/exceptions/returned_exceptions.h"

#include "front/known/exceptions.h"
#include "prepare/exceptions/exceptions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {
namespace {

/// Has the call a handler, or something to clean up, in its own function?
bool hasHandler(const CallBase &C) {
  if (threwMark(C))
    return true;
  const BasicBlock *From = C.getParent()->getSinglePredecessor();
  auto *Br = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
  return Br && Br->isConditional() && C.doesNotReturn() &&
         isMark(*Br->getCondition(), marks::Throws) &&
         Br->getSuccessor(1) == C.getParent();
}

class ReturnedExceptions {
public:
  explicit ReturnedExceptions(Unit &U) : U(U) {}
  void run();

private:
  bool mayLeave(const Instruction &I) const;
  void findThrowing();
  void findReturning();
  void change(UnitFunction &UF);
  void ask(CallInst &C, BasicBlock &Left);
  BasicBlock *left(UnitFunction &UF);

  Unit &U;
  SmallPtrSet<const Function *, 8> Throwing;
  SmallSetVector<UnitFunction *, 8> Returning;
  Constant *Handles = nullptr; ///< the personality of the handlers
};

/// May an exception come out of I?
bool ReturnedExceptions::mayLeave(const Instruction &I) const {
  auto *C = dyn_cast<CallInst>(&I);
  if (!C || C->isMustTailCall())
    return false;
  if (isExceptionMark(*C))
    return isMark(*C, marks::Resume);
  UnitFunction *G = U.callee(*C);
  return G ? Throwing.contains(G->F) : mayUnwind(*C);
}

void ReturnedExceptions::findThrowing() {
  for (bool Again = true; Again;) {
    Again = false;
    for (auto &UF : U.Functions)
      if (!Throwing.contains(UF->F) &&
          any_of(instructions(*UF->F),
                 [&](const Instruction &I) { return mayLeave(I); }))
        Again = Throwing.insert(UF->F).second;
  }
}

/// Finds the functions that return where an exception leaves them: those that
/// are called where a handler goes on, and those that these call.
void ReturnedExceptions::findReturning() {
  auto Add = [&](UnitFunction *G, const CallBase &C) {
    if (G && !G->Root && !G->Seeded && !C.doesNotReturn() &&
        Throwing.contains(G->F))
      Returning.insert(G);
  };
  auto EachCall = [&](UnitFunction &UF, auto See) {
    for (Instruction &I : instructions(*UF.F))
      if (auto *C = dyn_cast<CallInst>(&I))
        if (UnitFunction *G = U.callee(*C))
          See(*C, G);
  };
  for (auto &UF : U.Functions) {
    if (!keepsHandlers(*UF->F))
      continue;
    EachCall(*UF, [&](CallInst &C, UnitFunction *G) {
      const CallBase *Mark = threwMark(C);
      BasicBlock *Handler = Mark ? handlerOf(*Mark) : nullptr;
      if (!Handler || !returnsFrom(*Handler))
        return;
      Handles = UF->F->getPersonalityFn();
      Add(G, C);
    });
  }
  for (size_t N = 0; N < Returning.size(); ++N)
    EachCall(*Returning[N], [&](CallInst &C, UnitFunction *G) { Add(G, C); });
}

/// Passes the exception on and returns.
void pass(IRBuilder<> &B, Value *Exception) {
  makeMark(B, marks::Pass, {Exception});
  Type *T = B.GetInsertBlock()->getParent()->getReturnType();
  if (T->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Constant::getNullValue(T));
}

/// The block to which an exception leads that nothing in UF waits for.
BasicBlock *ReturnedExceptions::left(UnitFunction &UF) {
  Function &F = *UF.F;
  BasicBlock *Block = BasicBlock::Create(F.getContext(), "left", &F);
  IRBuilder<> B(Block);
  Value *Exception = makeMark(B, marks::Exception);
  Value *Selector = makeMark(B, marks::Selector);
  if (!UF.ReturnsExceptions) {
    makeMark(B, marks::Resume, {Exception, Selector});
    B.CreateUnreachable();
    return Block;
  }
  pass(B, Exception);
  return Block;
}

/// Puts marks around a call, or before one that never returns.
void ReturnedExceptions::ask(CallInst &C, BasicBlock &Left) {
  IRBuilder<> B(&C);
  Value *CleansUp = B.getTrue();
  BasicBlock *Head = C.getParent();
  const bool Ends = C.doesNotReturn();
  if (Ends)
    changeToUnreachable(C.getNextNode());
  else
    makeMark(B, marks::Try);
  BasicBlock *Behind = Head->splitBasicBlock(
      Ends ? C.getIterator() : C.getNextNode()->getIterator());
  Head->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Head);
  B.SetCurrentDebugLocation(C.getDebugLoc());
  CallInst *Mark = makeMark(B, Ends ? marks::Throws : marks::Threw, {CleansUp});
  B.CreateCondBr(
      Mark, &Left, Behind,
      Ends ? nullptr : MDBuilder(C.getContext()).createUnlikelyBranchWeights());
  C.addFnAttr(Attribute::NoMerge);
}

/// A handler of other exceptions is entered by each: behind its questions this
/// one is passed on.
void enterAlways(Function &F) {
  for (Instruction &I : instructions(F))
    if (isMark(I, marks::Threw) || isMark(I, marks::Throws))
      cast<CallInst>(I).setArgOperand(0, ConstantInt::getTrue(F.getContext()));
}

void ReturnedExceptions::change(UnitFunction &UF) {
  if (UF.ReturnsExceptions)
    enterAlways(*UF.F);
  SmallVector<CallInst *> Calls;
  for (Instruction &I : instructions(*UF.F)) {
    auto *C = dyn_cast<CallInst>(&I);
    UnitFunction *G = C ? U.callee(*C) : nullptr;
    if (C && mayLeave(I) && !hasHandler(*C) &&
        (UF.ReturnsExceptions || (G && G->ReturnsExceptions)))
      Calls.push_back(C);
  }
  if (Calls.empty())
    return;
  if (!UF.F->hasPersonalityFn())
    UF.F->setPersonalityFn(Handles);
  BasicBlock *Left = left(UF);
  for (CallInst *C : Calls) {
    if (!isMark(*C, marks::Resume)) {
      ask(*C, *Left);
      continue;
    }
    C->getParent()->getTerminator()->eraseFromParent();
    IRBuilder<> B(C->getParent());
    pass(B, C->getArgOperand(0));
    C->eraseFromParent();
  }
  removeUnreachableBlocks(*UF.F);
  U.FAM.invalidate(*UF.F, PreservedAnalyses::none());
}

void ReturnedExceptions::run() {
  if (!U.CatchesExceptions || U.DerivMode != Mode::Reverse)
    return;
  findThrowing();
  findReturning();
  for (UnitFunction *UF : Returning)
    UF->ReturnsExceptions = true;
  if (!Returning.empty())
    for (auto &UF : U.Functions)
      change(*UF);
}

} // namespace

void returnExceptions(Unit &U) { ReturnedExceptions(U).run(); }

} // namespace retro
