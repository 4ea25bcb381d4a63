// Input: a unit in its final form. Output: the same, with copies through a
// variable of 8 bytes for words that may be numbers or pointers. Without it
// they would be refused: the shadow of a register is one or the other.
#include "prepare/whole_words.h"

#include "facts/losses/losses.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// Is it a word as wide as a pointer that is loaded to be stored, and for
/// nothing else?
bool isOnlyStored(const LoadInst &L) {
  return L.getType()->isIntegerTy(64) && L.isSimple() && !L.use_empty() &&
         all_of(L.uses(), [](const Use &U) {
           auto *S = dyn_cast<StoreInst>(U.getUser());
           return S && S->isSimple() && U.getOperandNo() == 0;
         });
}

void copyInMemory(LoadInst &L) {
  IRBuilder<> B(&*L.getFunction()->getEntryBlock().begin());
  Type *T = L.getType();
  Value *Size = B.getInt64(L.getDataLayout().getTypeStoreSize(T));
  AllocaInst *Word = B.CreateAlloca(T, nullptr, "word");
  auto Copy = [&](Instruction &At, Value *To, MaybeAlign ToA, Value *From,
                  MaybeAlign FromA) {
    B.SetInsertPoint(&At);
    B.SetCurrentDebugLocation(At.getDebugLoc());
    B.CreateMemCpy(To, ToA, From, FromA, Size);
  };
  Copy(L, Word, Word->getAlign(), L.getPointerOperand(), L.getAlign());
  for (User *U : make_early_inc_range(L.users())) {
    auto *S = cast<StoreInst>(U);
    Copy(*S, S->getPointerOperand(), S->getAlign(), Word, Word->getAlign());
    S->eraseFromParent();
  }
  L.eraseFromParent();
}

} // namespace

void copyWholeWords(Unit &U, ArrayRef<Activity> Args, bool Returns) {
  SmallVector<LoadInst *> Words;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F))
      if (auto *L = dyn_cast<LoadInst>(&I); L && isOnlyStored(*L))
        Words.push_back(L);
  if (Words.empty())
    return;
  MemoryShape Shape(U);
  Shape.run(Args);
  Reporter Quiet(nullptr);
  Quiet.silence();
  ActivityAnalysis Act(U, Shape, Quiet);
  Act.run(Args, Returns);
  erase_if(Words, [&](LoadInst *L) { return !isAmbiguous(Act, *L); });
  SmallPtrSet<Function *, 4> Changed;
  for (LoadInst *L : Words) {
    Changed.insert(L->getFunction());
    copyInMemory(*L);
  }
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  for (Function *F : Changed)
    U.FAM.invalidate(*F, Kept);
}

} // namespace retro
