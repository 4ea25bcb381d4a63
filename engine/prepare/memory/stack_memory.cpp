// Input: a function that takes stack memory outside of its entry block, for
// variable length arrays and by alloca(). Output: it takes heap memory instead,
// and frees it where the stack gave it back; the derivative delays these frees.
// Without this, reverse mode would read memory of a frame that is gone.
#include "prepare/memory/stack_memory.h"

#include "front/known/exceptions.h"
#include "front/names/foreign.h"
#include "ir/heap.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace retro {
namespace {

/// Memory that is taken between a stacksave and its restores lives until these.
struct Scope {
  IntrinsicInst *Save;
  SmallVector<Instruction *, 2> Restores;
};

class StackMemory {
public:
  explicit StackMemory(Function &F) : F(F), DT(F) {}
  void lower(bool Forward);

private:
  void findScopes();
  bool leads(BasicBlock &From, BasicBlock &To,
             SmallPtrSetImpl<BasicBlock *> *Without) const;
  bool isOpen(const Scope &S, AllocaInst &A) const;
  bool livesInOneIteration(AllocaInst &A) const;
  bool mayBeLeftBehind(AllocaInst &A, ArrayRef<Instruction *> Restores) const;
  CallInst *allocate(AllocaInst &A);
  void freeAtEnds(const SmallVectorImpl<Instruction *> &Ends, CallInst *Memory);
  CallInst *freeBefore(Instruction *At, Value *Memory);

  Function &F;
  DominatorTree DT;
  SmallVector<Scope> Scopes;
  SmallVector<Instruction *, 2> Returns;
  SmallVector<Instruction *, 2> Resumes; ///< an exception leaves the function
  SmallVector<AllocaInst *> Slots;       ///< what is yet to be freed
  SmallVector<CallInst *> Frees;
};

void StackMemory::findScopes() {
  for (Instruction &I : instructions(F)) {
    if (isa<ReturnInst>(I)) {
      // Between a must-tail call and the return there may be nothing.
      CallInst *Last = I.getParent()->getTerminatingMustTailCall();
      Returns.push_back(Last ? Last : &I);
    }
    if (isMark(I, marks::Resume))
      Resumes.push_back(&I);
    auto *Save = dyn_cast<IntrinsicInst>(&I);
    if (!Save || Save->getIntrinsicID() != Intrinsic::stacksave)
      continue;
    Scope S{Save, {}};
    SmallVector<Value *> Work{Save};
    SmallPtrSet<Value *, 4> Seen;
    // At -O0 the saved position of the stack is kept in a variable.
    while (!Work.empty()) {
      Value *V = Work.pop_back_val();
      if (!Seen.insert(V).second)
        continue;
      for (User *U : V->users()) {
        auto *X = dyn_cast<IntrinsicInst>(U);
        if (X && X->getIntrinsicID() == Intrinsic::stackrestore)
          S.Restores.push_back(X);
        else if (isa<LoadInst, PHINode>(U))
          Work.push_back(U);
        else if (auto *St = dyn_cast<StoreInst>(U);
                 St && isa<AllocaInst>(St->getPointerOperand()))
          Work.push_back(St->getPointerOperand());
      }
    }
    Scopes.push_back(std::move(S));
  }
}

/// Is there a way from From to To that enters no block of Without?
bool StackMemory::leads(BasicBlock &From, BasicBlock &To,
                        SmallPtrSetImpl<BasicBlock *> *Without) const {
  SmallVector<BasicBlock *> Next(successors(&From));
  return !Next.empty() && isPotentiallyReachableFromMany(Next, &To, Without);
}

/// Is S open, that is begun and not over, whenever A runs?
bool StackMemory::isOpen(const Scope &S, AllocaInst &A) const {
  if (!DT.dominates(S.Save, &A))
    return false;
  SmallPtrSet<BasicBlock *, 1> Begin{S.Save->getParent()};
  return none_of(S.Restores, [&](Instruction *R) {
    if (R->getParent() == A.getParent() && R->comesBefore(&A) &&
        !(S.Save->getParent() == A.getParent() && R->comesBefore(S.Save)))
      return true;
    return A.getParent() != S.Save->getParent() &&
           leads(*R->getParent(), *A.getParent(), &Begin);
  });
}

/// When A runs again, is the memory that it took the last time gone?
bool StackMemory::livesInOneIteration(AllocaInst &A) const {
  auto Again = [&](SmallPtrSetImpl<BasicBlock *> *Without) {
    return leads(*A.getParent(), *A.getParent(), Without);
  };
  if (!Again(nullptr))
    return true;
  return any_of(Scopes, [&](const Scope &S) {
    SmallPtrSet<BasicBlock *, 1> Begin{S.Save->getParent()};
    return isOpen(S, A) &&
           (S.Save->getParent() == A.getParent() || !Again(&Begin));
  });
}

/// Is there a way from A to its next execution that none of Restores is on? An
/// exception that is caught in the same function leaves the scope like this.
bool StackMemory::mayBeLeftBehind(AllocaInst &A,
                                  ArrayRef<Instruction *> Restores) const {
  SmallPtrSet<BasicBlock *, 4> Over;
  for (Instruction *R : Restores) {
    if (R->getParent() == A.getParent() && A.comesBefore(R))
      return false;
    Over.insert(R->getParent());
  }
  return leads(*A.getParent(), *A.getParent(), &Over);
}

CallInst *StackMemory::allocate(AllocaInst &A) {
  Module &M = *F.getParent();
  IRBuilder<> B(&A);
  Type *I64 = B.getInt64Ty();
  Value *Bytes = B.CreateMul(
      B.CreateZExtOrTrunc(A.getArraySize(), I64),
      B.getInt64(M.getDataLayout().getTypeAllocSize(A.getAllocatedType())));
  CallInst *P;
  if (uint64_t Wanted = A.getAlign().value(); Wanted > 16) {
    Bytes = B.CreateAnd(B.CreateAdd(Bytes, B.getInt64(Wanted - 1)),
                        B.getInt64(~(Wanted - 1)));
    P = callForeign(B, Foreign::aligned_alloc, {B.getInt64(Wanted), Bytes});
  } else {
    P = B.CreateCall(mallocOf(M), Bytes);
  }
  P->takeName(&A);
  P->addRetAttr(Attribute::NoAlias);
  A.replaceAllUsesWith(B.CreatePointerBitCastOrAddrSpaceCast(P, A.getType()));
  A.eraseFromParent();
  return P;
}

CallInst *StackMemory::freeBefore(Instruction *At, Value *Memory) {
  IRBuilder<> B(At);
  FunctionCallee Free = freeOf(*F.getParent());
  return B.CreateCall(Free, Memory);
}

/// Only the running program knows which of the ends it reaches. A variable
/// holds what is to be freed there, and later becomes a value.
void StackMemory::freeAtEnds(const SmallVectorImpl<Instruction *> &Ends,
                             CallInst *Memory) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  Type *Ptr = B.getPtrTy();
  AllocaInst *Slot = B.CreateAlloca(Ptr);
  B.SetInsertPoint(F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *Null = Constant::getNullValue(Ptr);
  B.CreateStore(Null, Slot);
  B.SetInsertPoint(Memory->getNextNode());
  B.CreateStore(Memory, Slot);
  for (Instruction *At : Ends) {
    CallInst *Free = freeBefore(At, Null);
    Frees.push_back(Free);
    B.SetInsertPoint(Free);
    Free->setArgOperand(0, B.CreateLoad(Ptr, Slot));
    B.SetInsertPoint(Free->getNextNode());
    B.CreateStore(Null, Slot);
  }
  Slots.push_back(Slot);
}

void StackMemory::lower(bool Forward) {
  SmallVector<AllocaInst *> Dynamic;
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I); A && !A->isStaticAlloca())
      Dynamic.push_back(A);
  if (Dynamic.empty())
    return;
  findScopes();
  for (AllocaInst *A : Dynamic) {
    const bool Once = livesInOneIteration(*A);
    if (Once && isa<ConstantInt>(A->getArraySize())) {
      // One allocation in the entry block is enough.
      A->moveBefore(F.getEntryBlock().getFirstInsertionPt());
      continue;
    }
    if (!Once && Forward)
      continue; // of unknown number, but the frame outlives its shadow
    SmallVector<Instruction *> Ends;
    for (const Scope &S : Scopes)
      if (isOpen(S, *A))
        append_range(Ends, S.Restores);
    const bool LeftBehind = mayBeLeftBehind(*A, Ends);
    append_range(Ends, Returns);
    if (Forward) // the tape of reverse mode knows what to free
      append_range(Ends, Resumes);
    CallInst *P = allocate(*A);
    // Nothing can reach the memory any longer, since its scope is over.
    if (Once && LeftBehind)
      Ends.push_back(P);
    if (Once)
      freeAtEnds(Ends, P);
    else
      P->setMetadata(FreedAtEnd, MDNode::get(F.getContext(), {}));
  }
  DT.recalculate(F);
  PromoteMemToReg(Slots, DT);
  for (CallInst *Free : Frees)
    if (isa<ConstantPointerNull>(Free->getArgOperand(0)))
      Free->eraseFromParent();
}

} // namespace

bool isStackScope(const Instruction &I) {
  auto *II = dyn_cast<IntrinsicInst>(&I);
  return II && (II->getIntrinsicID() == Intrinsic::stacksave ||
                II->getIntrinsicID() == Intrinsic::stackrestore);
}

void lowerStackMemory(Function &F, bool Forward) {
  StackMemory(F).lower(Forward);
}

} // namespace retro
