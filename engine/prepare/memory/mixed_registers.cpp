// Input: a function in its final form. Output: the same, without phis and
// choices that both numbers and pointers come to through casts. Without this
// such a number would be lost where it is made a pointer.
#include "prepare/memory/mixed_registers.h"

#include "facts/types/declared_types.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {
namespace {

class Spiller {
public:
  Spiller(Function &F, const SmallPtrSetImpl<const LoadInst *> &Unknown,
          bool WithIntegers)
      : F(F), Unknown(Unknown), WithIntegers(WithIntegers) {}
  bool run();

private:
  /// What chooses among words, and has variables when it is spilled: what was
  /// written on the ways to it, and what it is.
  struct Variables {
    AllocaInst *Written, *Is;
  };

  bool isWord(Type *T) const;
  bool isChoice(const Value *V) const;
  bool isCast(const Value *V) const;
  Value *source(Value *V) const;
  bool isMixed(ArrayRef<Instruction *> Web) const;
  bool isStored(const Instruction &I) const;
  AllocaInst *variable();
  void copy(IRBuilder<> &B, Value *To, Value *From);
  LoadInst *declaredAs(LoadInst &L) const;
  bool writesVariable(const Instruction &I) const;
  void write(IRBuilder<> &B, AllocaInst *To, Value *V);
  void spill(Instruction &I);
  void replace(Instruction &I);

  Function &F;
  const SmallPtrSetImpl<const LoadInst *> &Unknown;
  const bool WithIntegers;
  MapVector<Instruction *, Variables> Spilled;
  MapVector<LoadInst *, AllocaInst *> Loaded; ///< what these load, as words
};

/// A word in which a number or a pointer can travel.
bool Spiller::isWord(Type *T) const {
  return T->isDoubleTy() || T->isIntegerTy(64) ||
         (T->isPointerTy() && T->getPointerAddressSpace() == 0);
}

bool Spiller::isChoice(const Value *V) const {
  return isa<PHINode, SelectInst>(V) && isWord(V->getType());
}

/// A cast that leaves the bits as they are.
bool Spiller::isCast(const Value *V) const {
  return isa<IntToPtrInst, PtrToIntInst, BitCastInst, FreezeInst>(V) &&
         isWord(V->getType()) &&
         isWord(cast<Instruction>(V)->getOperand(0)->getType());
}

/// What comes through casts to V: the address of a variable, too.
Value *Spiller::source(Value *V) const {
  auto IsConstant = [](const Value *V) {
    auto *Cast = dyn_cast<ConstantExpr>(V);
    return Cast && Cast->isCast();
  };
  while (isCast(V) || IsConstant(V))
    V = cast<User>(V)->getOperand(0);
  return V;
}

/// Is it a word that LLVM has put together from two halves, which are numbers
/// for all that is known?
static bool isOfHalves(const Value *V) {
  auto *Cast = dyn_cast<BitCastInst>(V);
  return Cast && isa<FixedVectorType>(Cast->getSrcTy()) &&
         Cast->getSrcTy()->getScalarSizeInBits() == 32;
}

/// Is it an integer that is computed of other integers?
static bool isComputed(const Value *V) {
  auto *B = dyn_cast<BinaryOperator>(V);
  return (B && B->getType()->isIntegerTy()) || isa<ZExtInst, SExtInst>(V);
}

/// Do numbers and pointers come to these choices, or is what may be either
/// stored?
bool Spiller::isMixed(ArrayRef<Instruction *> Web) const {
  bool Number = false, Pointer = false, Integer = false, Either = false;
  for (const Instruction *I : Web)
    for (const Use &O : I->operands()) {
      if (isa<SelectInst>(I) && O.getOperandNo() == 0)
        continue;
      const Value *S = source(O);
      if (isa<Constant>(S) && !isa<GlobalValue>(S))
        continue;
      auto *L = dyn_cast<LoadInst>(S);
      Either |= L && Unknown.contains(L);
      // What LLVM loads as an integer may be either.
      Number |= !isChoice(S) &&
                (S->getType()->isDoubleTy() || isOfHalves(S) ||
                 (L && S->getType()->isIntegerTy() && !isDeclaredInteger(*L)));
      Pointer |= !isChoice(S) && S->getType()->isPointerTy();
      Integer |= WithIntegers && isComputed(S);
    }
  return (Number && Pointer) ||
         ((Either || (Number && Integer)) &&
          any_of(Web, [&](Instruction *I) { return isStored(*I); }));
}

/// Is the word stored, through casts or not?
bool Spiller::isStored(const Instruction &I) const {
  return any_of(I.users(), [&](const User *U) {
    auto *S = dyn_cast<StoreInst>(U);
    return S ? S->getValueOperand() == &I
             : isCast(U) && isStored(*cast<Instruction>(U));
  });
}

AllocaInst *Spiller::variable() {
  IRBuilder<> B(&*F.getEntryBlock().begin());
  return B.CreateAlloca(B.getInt64Ty(), nullptr, "word");
}

void Spiller::copy(IRBuilder<> &B, Value *To, Value *From) {
  B.CreateMemCpy(To, Align(8), From, Align(8), B.getInt64(8));
}

/// A load of the same word beside L of which the program says what it is: LLVM
/// loads a word twice, where it goes on as a number and as a pointer.
LoadInst *Spiller::declaredAs(LoadInst &L) const {
  for (bool Back : {true, false})
    for (Instruction *I = &L; I;
         I = Back ? I->getPrevNode() : I->getNextNode()) {
      auto *X = dyn_cast<LoadInst>(I);
      if (X && X->getPointerOperand() == L.getPointerOperand() &&
          isWord(X->getType()) && X->isSimple() && isDeclaredWord(*X))
        return X;
      if (I->mayWriteToMemory() && !isa<AllocaInst>(I) && !writesVariable(*I))
        break;
    }
  return nullptr;
}

/// Is it a copy into a variable that was made here?
bool Spiller::writesVariable(const Instruction &I) const {
  auto *C = dyn_cast<MemCpyInst>(&I);
  return C && any_of(Loaded, [&](const auto &X) {
           return X.second == C->getRawDest();
         });
}

/// Puts V into a variable as what it is. LLVM loads a number as a pointer where
/// it becomes one; what is loaded is copied, whatever it is. What is undefined
/// has a shadow nevertheless, which says that it is no pointer.
void Spiller::write(IRBuilder<> &B, AllocaInst *To, Value *V) {
  Value *S = source(V);
  if (isa<UndefValue>(S))
    S = B.getInt64(0);
  auto *From = dyn_cast<Instruction>(S);
  if (auto It = From ? Spilled.find(From) : Spilled.end(); It != Spilled.end())
    return copy(B, To, It->second.Is);
  auto *L = dyn_cast<LoadInst>(S);
  if (LoadInst *Same = L ? declaredAs(*L) : nullptr)
    S = L = Same;
  if (!L || !L->isSimple() ||
      (L->getType()->isIntegerTy() ? isDeclaredInteger(*L)
                                   : isDeclaredWord(*L))) {
    B.CreateStore(S, To);
    return;
  }
  AllocaInst *&Copied = Loaded[L];
  if (!Copied) {
    Copied = variable();
    IRBuilder<> At(L);
    At.CreateMemCpy(Copied, Align(8), L->getPointerOperand(), L->getAlign(), 8);
  }
  copy(B, To, Copied);
}

void Spiller::spill(Instruction &I) {
  auto [Written, Is] = Spilled.lookup(&I);
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    for (unsigned N = 0; N < Phi->getNumIncomingValues(); ++N) {
      IRBuilder<> B(Phi->getIncomingBlock(N)->getTerminator());
      write(B, Written, Phi->getIncomingValue(N));
    }
    IRBuilder<> B(&*Phi->getParent()->getFirstInsertionPt());
    return copy(B, Is, Written);
  }
  auto &S = cast<SelectInst>(I);
  IRBuilder<> B(&S);
  AllocaInst *Else = variable();
  write(B, Written, S.getTrueValue());
  write(B, Else, S.getFalseValue());
  copy(B, Is, B.CreateSelect(S.getCondition(), Written, Else));
}

/// What is made of the word is read from its variable as what it is used as.
void Spiller::replace(Instruction &I) {
  auto Read = [&](Instruction &Use) {
    Instruction *At =
        isa<PHINode>(Use) ? &*Use.getParent()->getFirstInsertionPt() : &Use;
    // Behind the copy into the variable.
    if (&Use == &I && isa<PHINode>(Use))
      while (isa<MemCpyInst>(At))
        At = At->getNextNode();
    IRBuilder<> B(At);
    Use.replaceAllUsesWith(
        B.CreateLoad(Use.getType(), Spilled.lookup(&I).Is, "word.as"));
  };
  SmallVector<Instruction *> Casts;
  std::function<void(Instruction &)> Find = [&](Instruction &From) {
    for (User *U : From.users())
      if (auto *C = dyn_cast<Instruction>(U); C && isCast(C)) {
        Find(*C);
        Casts.push_back(C);
      }
  };
  Find(I);
  for (Instruction *C : Casts) {
    if (!C->use_empty())
      Read(*C);
    C->eraseFromParent();
  }
  for (Use &U : make_early_inc_range(I.uses())) {
    auto *S = dyn_cast<StoreInst>(U.getUser());
    if (!S || !S->isSimple() || U.getOperandNo() != 0)
      continue;
    IRBuilder<> B(S);
    B.CreateMemCpy(S->getPointerOperand(), S->getAlign(), Spilled.lookup(&I).Is,
                   Align(8), 8);
    S->eraseFromParent();
  }
  if (!I.use_empty())
    Read(I);
  I.eraseFromParent();
}

bool Spiller::run() {
  EquivalenceClasses<Instruction *> Webs;
  for (Instruction &I : instructions(F)) {
    if (!isChoice(&I))
      continue;
    Webs.insert(&I);
    for (const Use &O : I.operands())
      if (Value *S = source(O);
          isChoice(S) && !(isa<SelectInst>(I) && O.getOperandNo() == 0))
        Webs.unionSets(&I, cast<Instruction>(S));
  }
  SmallVector<Instruction *> Mixed;
  for (const auto *Class : Webs)
    if (Class->isLeader()) {
      SmallVector<Instruction *> Web(Webs.member_begin(*Class),
                                     Webs.member_end());
      if (isMixed(Web))
        Mixed.append(Web);
    }
  // In the order of the code, whatever the addresses.
  for (Instruction &I : instructions(F))
    if (is_contained(Mixed, &I))
      Spilled[&I] = {variable(), variable()};
  for (auto &[I, V] : Spilled)
    spill(*I);
  for (auto &[I, V] : Spilled)
    for (Use &O : I->operands())
      if (isWord(O->getType()))
        O.set(PoisonValue::get(O->getType()));
  for (auto &[I, V] : Spilled)
    replace(*I);
  for (auto &[L, V] : Loaded)
    if (L->use_empty())
      L->eraseFromParent();
  return !Spilled.empty();
}

} // namespace

bool spillMixedRegisters(Function &F,
                         const SmallPtrSetImpl<const LoadInst *> &Unknown,
                         bool WithIntegers) {
  return Spiller(F, Unknown, WithIntegers).run();
}

} // namespace retro
