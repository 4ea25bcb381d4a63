// Input: a unit in its final form. Output: the same, with copies through a
// variable of 8 bytes for words that may be numbers or pointers. Without it
// they would be refused, or lost: the shadow of a register is one or the other.
#include "prepare/memory/whole_words.h"

#include "facts/losses/losses.h"
#include "facts/types/declared_types.h"
#include "prepare/memory/integer_words.h"
#include "prepare/memory/mixed_registers.h"
#include "prepare/memory/word_arguments.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

bool isStoreOf(const Use &U) {
  auto *S = dyn_cast<StoreInst>(U.getUser());
  return S && S->isSimple() && U.getOperandNo() == 0;
}

/// Is it a word as wide as a pointer, of which the program does not say what it
/// is, and that is stored, chosen from others, or computed with?
bool mayMoveUnknown(const LoadInst &L) {
  Type *T = L.getType();
  // LLVM moves two numbers of half a word as a vector of them, or of integers.
  auto *V = dyn_cast<FixedVectorType>(T);
  const bool Halves =
      V && V->getNumElements() == 2 && V->getScalarSizeInBits() == 32;
  return (T->isIntegerTy(64) || T->isDoubleTy() || Halves ||
          (T->isPointerTy() && T->getPointerAddressSpace() == 0)) &&
         L.isSimple() && !isDeclaredWord(L) &&
         any_of(L.uses(), [](const Use &U) {
           return isStoreOf(U) ||
                  isa<PHINode, SelectInst, CastInst, BinaryOperator>(
                      U.getUser());
         });
}

/// Its stores become copies of what is loaded. Returns whether it has other
/// users.
bool copyInMemory(LoadInst &L) {
  IRBuilder<> B(&*L.getFunction()->getEntryBlock().begin());
  Value *Size = B.getInt64(8);
  AllocaInst *Word = B.CreateAlloca(B.getInt64Ty(), nullptr, "word");
  auto Copy = [&](Instruction &At, Value *To, MaybeAlign ToA, Value *From,
                  MaybeAlign FromA) {
    B.SetInsertPoint(&At);
    B.SetCurrentDebugLocation(At.getDebugLoc());
    B.CreateMemCpy(To, ToA, From, FromA, Size);
  };
  Copy(L, Word, Word->getAlign(), L.getPointerOperand(), L.getAlign());
  for (Use &U : make_early_inc_range(L.uses())) {
    if (!isStoreOf(U))
      continue;
    auto *S = cast<StoreInst>(U.getUser());
    Copy(*S, S->getPointerOperand(), S->getAlign(), Word, Word->getAlign());
    S->eraseFromParent();
  }
  if (!L.use_empty())
    return true;
  L.eraseFromParent();
  return false;
}

/// May the word be a number that depends on an input, or a pointer? Whether a
/// result depends on the number is not known yet: it moves on as a pointer.
bool mayBeEither(const MemoryShape &Shape, const LoadInst &L) {
  const Value *P = L.getPointerOperand();
  auto Word = Shape.wordAt(P, 0, L.getAlign());
  if (!Word || !Word->Pointer || Word->Number)
    return Word && Word->Pointer;
  return any_of(Shape.cellsIn(P, 8), [](const Cell *X) {
    return X->Kind == CellKind::Float && X->Varied;
  });
}

/// May the word that L loads be a number as well as a pointer, for all that is
/// known where it lies?
bool isUnknown(const MemoryShape &Shape, const ActivityAnalysis &Act,
               const IntegerWords &Integers, const LoadInst &L) {
  // It may be an integer, or a number that is asked for.
  if (Integers.isNoted(L.getPointerOperand()))
    return true;
  // An integer that is a pointer where nothing active is a number is moved as a
  // pointer, which it would not be as the bits of a number.
  if (!L.getType()->isIntegerTy())
    return mayBeEither(Shape, L);
  auto Word = Shape.wordAt(L.getPointerOperand(), 0, L.getAlign());
  return isAmbiguous(Act, L) || (Shape.isMixed(&L) && Word && Word->Pointer);
}

/// Where a pointer takes the place of numbers of half its size, these are gone
/// first: the reverse pass finds their adjoints there, and not the pointer's
/// shadow.
void clearHalves(Unit &U, const MemoryShape &Shape) {
  auto BytesOf = [](const StoreInst &S) {
    return S.getDataLayout()
        .getTypeStoreSize(S.getValueOperand()->getType())
        .getFixedValue();
  };
  SmallVector<StoreInst *> Stores;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto *S = dyn_cast<StoreInst>(&I);
      Type *T = S ? S->getValueOperand()->getType()->getScalarType() : nullptr;
      if (S && S->isSimple() && (T->isPointerTy() || T->isIntegerTy(64)) &&
          Shape.hasHalves(S->getPointerOperand(),
                          static_cast<int64_t>(BytesOf(*S))))
        Stores.push_back(S);
    }
  for (StoreInst *S : Stores) {
    IRBuilder<> B(S);
    B.CreateMemSet(S->getPointerOperand(), B.getInt8(0), BytesOf(*S),
                   S->getAlign());
  }
}

/// What is known of the unit before its plan.
struct Facts {
  MemoryShape Shape;
  Reporter Quiet{nullptr};
  ActivityAnalysis Act;

  Facts(Unit &U, ArrayRef<Activity> Args, bool Returns)
      : Shape(U), Act(U, Shape, Quiet) {
    Shape.run(Args);
    Quiet.silence();
    Act.run(Args, Returns);
  }
};

/// Makes copies of the words that are known now. True if there were any.
bool copyKnownWords(Unit &U, ArrayRef<Activity> Args, bool Returns) {
  SmallVector<LoadInst *> Words;
  bool Narrow = false;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto *L = dyn_cast<LoadInst>(&I);
      Narrow |= L && L->getType()->getScalarType()->isFloatTy();
      if (L && mayMoveUnknown(*L))
        Words.push_back(L);
    }
  std::optional<Facts> Known;
  if (Narrow || !Words.empty())
    Known.emplace(U, Args, Returns);
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  if (Known && passWordsInMemory(U, Known->Shape)) {
    for (auto &UF : U.Functions)
      U.FAM.invalidate(*UF->F, Kept);
    return true;
  }
  std::optional<IntegerWords> Integers;
  if (!Words.empty())
    Integers.emplace(U, Known->Shape, Known->Act);
  erase_if(Words, [&](LoadInst *L) {
    return !isUnknown(Known->Shape, Known->Act, *Integers, *L);
  });
  SmallPtrSet<Function *, 4> Changed;
  SmallPtrSet<const LoadInst *, 8> Unknown;
  for (LoadInst *L : Words) {
    if (any_of(L->uses(), isStoreOf)) {
      Changed.insert(L->getFunction());
      if (!copyInMemory(*L))
        continue;
    }
    Unknown.insert(L);
  }
  for (auto &UF : U.Functions)
    if (spillMixedRegisters(*UF->F, Unknown, Integers && Integers->any()))
      Changed.insert(UF->F);
  const bool Again = !Changed.empty();
  if (Known && !Again && U.DerivMode == Mode::Reverse)
    clearHalves(U, Known->Shape);
  if (Integers && !Again)
    Changed = Integers->insertNotes();
  for (Function *F : Changed)
    U.FAM.invalidate(*F, Kept);
  return Again;
}

} // namespace

void copyWholeWords(Unit &U, ArrayRef<Activity> Args, bool Returns) {
  // A number that was moved as a pointer is a number where it arrives, too.
  // Each round leaves fewer words in registers.
  while (copyKnownWords(U, Args, Returns)) {
  }
}

} // namespace retro
