// Input: a unit in its final form. Output: the same, with calls that note in
// shadows where numbers are stored, beside words that are read as integers, and
// that ask before what is computed of such an integer goes on. Without it a
// union of both would be refused, or the derivative of a number whose bits are
// computed with would be lost.
#include "prepare/memory/integer_words.h"

#include "base/unit.h"
#include "facts/memory/sign_bits.h"
#include "facts/parallel/device.h"
#include "facts/types/declared_types.h"
#include "front/known/known_functions.h"
#include "front/names/runtime.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

constexpr unsigned WordBytes = 8;

bool isWord(const Type *T) { return T->isIntegerTy(8 * WordBytes); }

/// The word whose sign V changes or clears, if V does no more.
const Value *changedSignOf(const Value *V) {
  auto *B = dyn_cast<BinaryOperator>(V);
  if (!B || !B->isBitwiseLogicOp())
    return nullptr;
  for (unsigned N = 0; N < 2; ++N)
    if (keepsFloat(B->getOperand(1 - N)))
      return B->getOperand(N);
  return nullptr;
}

/// Is V moved on as a number whose sign is changed? A word whose other bits
/// are computed with is an integer.
bool isChangedSign(const User &V) {
  return changedSignOf(&V) && all_of(V.users(), [](const User *By) {
           return isa<StoreInst, BitCastInst>(By) || isChangedSign(*By);
         });
}

/// Is something computed of the integer V by U, other than what it compares to
/// or where it leads?
bool computes(const User &U) {
  if (isChangedSign(U))
    return false;
  auto *Builtin = dyn_cast<IntrinsicInst>(&U);
  return isa<BinaryOperator, SIToFPInst, UIToFPInst, TruncInst, ZExtInst,
             SExtInst>(U) ||
         (Builtin && Builtin->doesNotAccessMemory() &&
          Builtin->getType()->isIntOrIntVectorTy());
}

/// Does a use of a word say nothing of what it is: is it moved on?
bool moves(const Use &U) {
  const User *By = U.getUser();
  return !computes(*By) && !isa<CmpInst, GetElementPtrInst, SwitchInst>(By);
}

/// Is V an integer that the program computes or writes, and no word that it
/// moves, or chosen from such? LLVM may choose it as a number.
bool isMadeInteger(const Value *V, unsigned Depth = 4) {
  if (isa<ConstantInt>(V))
    return true;
  if (isa<BitCastInst>(V))
    return isMadeInteger(cast<Instruction>(V)->getOperand(0), Depth);
  if (auto *Phi = dyn_cast<PHINode>(V); Phi && Depth)
    return any_of(Phi->incoming_values(),
                  [&](const Use &O) { return isMadeInteger(O, Depth - 1); });
  if (auto *S = dyn_cast<SelectInst>(V); S && Depth)
    return isMadeInteger(S->getTrueValue(), Depth - 1) ||
           isMadeInteger(S->getFalseValue(), Depth - 1);
  if (auto *L = dyn_cast<LoadInst>(V))
    return isDeclaredInteger(*L);
  if (auto *I = dyn_cast<Instruction>(V); I && isChangedSign(*I) && Depth)
    return isMadeInteger(changedSignOf(I), Depth - 1);
  return V->getType()->isIntegerTy() &&
         isa<BinaryOperator, ZExtInst, SExtInst, FPToSIInst, FPToUIInst,
             Argument, CallBase>(V);
}

/// Is V the bits of a number, a word of which it is known?
bool isNumberBits(const Value *V) {
  while (isa<FreezeInst>(V))
    V = cast<Instruction>(V)->getOperand(0);
  return V->getType()->isFPOrFPVectorTy() ||
         (isa<BitCastInst>(V) &&
          cast<Instruction>(V)->getOperand(0)->getType()->isFPOrFPVectorTy());
}

} // namespace

IntegerWords::IntegerWords(Unit &U, const MemoryShape &Shape,
                           const ActivityAnalysis &Act)
    : U(U), Shape(Shape), Act(Act) {
  if (isGpu(U.M))
    return;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F))
      if (auto *L = dyn_cast<LoadInst>(&I); L && isRead(*L))
        Reads.push_back(L);
  if (!Reads.empty() && !findNoted())
    Reads.clear();
}

/// Is what lies there told by its shadow? What came from outside has none that
/// says what it is. In narrower steps every place is one of words.
bool IntegerWords::isTold(unsigned Class) const {
  return Shape.classAt(Class).Stride % WordBytes == 0 &&
         !(Shape.classAt(Class).Origins & (FromDup | FromUnknown | FromNumber));
}

bool IntegerWords::holdsNumber(const Value *Ptr) const {
  return any_of(Shape.cellsOf(Ptr, Type::getDoubleTy(Ptr->getContext())),
                [](const Cell *X) {
                  return X->Kind == CellKind::Float && X->Size == WordBytes &&
                         X->Varied;
                });
}

/// Does the program write an integer of its own to a noted word?
bool IntegerWords::storesInteger() const {
  return any_of(U.Functions, [&](const auto &UF) {
    return any_of(instructions(*UF->F), [&](const Instruction &I) {
      auto *S = dyn_cast<StoreInst>(&I);
      Type *T = S ? S->getValueOperand()->getType() : nullptr;
      return S && (isWord(T) || T->isDoubleTy()) &&
             isMadeInteger(S->getValueOperand()) &&
             isNoted(S->getPointerOperand());
    });
  });
}

bool IntegerWords::isRead(const LoadInst &L) const {
  return isWord(L.getType()) && L.isSimple() && !isDeclaredWord(L) &&
         !isIntegerByItself(L) &&
         any_of(L.users(), [](const User *By) { return computes(*By); }) &&
         isTold(Shape.classId(L.getPointerOperand())) &&
         holdsNumber(L.getPointerOperand());
}

bool IntegerWords::isNoted(const Value *Ptr) const {
  return Noted.contains(Shape.classId(Ptr)) && holdsNumber(Ptr);
}

/// Can it be noted what I writes, if it writes to noted words?
bool IntegerWords::canNote(const Instruction &I) const {
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    Type *T = S->getValueOperand()->getType();
    return !isNoted(S->getPointerOperand()) ||
           (S->isSimple() && (!T->isAggregateType()) &&
            !isa<ScalableVectorType>(T) && T->getScalarSizeInBits() <= 64);
  }
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return !isNoted(I.getOperand(0)); // the address, of both
  auto *C = dyn_cast<CallBase>(&I);
  if (!C || U.callee(*C) || C->onlyReadsMemory() || isAssumeLikeIntrinsic(C))
    return true;
  KnownCall K = knownCall(*C);
  if (K.isCopy() || K.Kind == KnownKind::Set || K.isAllocation() ||
      K.Kind == KnownKind::Free ||
      (K.Kind == KnownKind::Inactive && !(K.Row->Effects & WritesArgs)))
    return true;
  return none_of(C->args(), [&](const Use &A) {
    return A->getType()->isPointerTy() && isNoted(A);
  });
}

/// The classes from which words are copied to where they are read. False: of
/// some it could not be told what is in them.
bool IntegerWords::findNoted() {
  for (LoadInst *L : Reads)
    Noted.insert(Shape.classId(L->getPointerOperand()));
  for (bool Again = true; Again;) {
    Again = false;
    for (auto &UF : U.Functions)
      for (Instruction &I : instructions(*UF->F)) {
        auto *C = dyn_cast<CallBase>(&I);
        KnownCall K = C ? knownCall(*C) : KnownCall();
        if (!K.isCopy() || !Noted.contains(Shape.classId(C->getArgOperand(
                               static_cast<unsigned>(K.Row->A)))))
          continue;
        const Value *From = C->getArgOperand(static_cast<unsigned>(K.Row->B));
        if (Act.shadowed(From))
          Again |= Noted.insert(Shape.classId(From)).second;
      }
  }
  return storesInteger() &&
         all_of(Noted, [&](unsigned Class) { return isTold(Class); }) &&
         all_of(U.Functions, [&](const auto &UF) {
           return all_of(instructions(*UF->F),
                         [&](const Instruction &I) { return canNote(I); });
         });
}

CallInst *IntegerWords::call(IRBuilderBase &B, StringRef Name,
                             ArrayRef<Value *> Args, Type *Result) const {
  SmallVector<Type *> Types;
  for (Value *A : Args)
    Types.push_back(A->getType());
  FunctionCallee F =
      U.M.getOrInsertFunction(Name, FunctionType::get(Result, Types, false));
  auto *Of = cast<Function>(F.getCallee());
  Of->setDoesNotThrow();
  Of->setWillReturn();
  Of->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  return B.CreateCall(F, Args);
}

void IntegerWords::note(StoreInst &S) const {
  Value *V = S.getValueOperand(), *P = S.getPointerOperand();
  if (!Shape.classAt(Shape.classId(P)).Shadowed)
    return;
  auto *Lanes = dyn_cast<FixedVectorType>(V->getType());
  const uint64_t Step =
      S.getDataLayout().getTypeStoreSize(V->getType()->getScalarType());
  const bool Number = Act.varied(V) && (isNumberBits(V) || !isMadeInteger(V));
  // The shadow of a pointer is written after the store.
  IRBuilder<> B(V->getType()->isPointerTy() ? &S : S.getNextNode());
  for (unsigned N = 0; N < (Lanes ? Lanes->getNumElements() : 1); ++N)
    call(B, nameOf(Number ? Named::stores_number : Named::stores_other),
         {N ? B.CreateConstGEP1_64(B.getInt8Ty(), P, N * Step) : P,
          B.getInt64(Step)},
         B.getVoidTy());
}

void IntegerWords::note(CallBase &C) const {
  KnownCall K = knownCall(C);
  Value *To = C.getArgOperand(static_cast<unsigned>(K.Row->A));
  if (K.isCopy())
    return C.setMetadata(MovesNotes, MDNode::get(C.getContext(), {}));
  IRBuilder<> B(C.getNextNode());
  call(
      B, nameOf(Named::stores_other),
      {To, B.CreateZExtOrTrunc(C.getArgOperand(static_cast<unsigned>(K.Row->C)),
                               B.getInt64Ty())},
      B.getVoidTy());
}

/// What is computed with the word is read as an integer, which is asked for.
/// What is known of loops refers to L, so that moves get a load of their own.
Value *IntegerWords::ask(LoadInst &L) const {
  if (any_of(L.uses(), moves)) {
    Instruction *Moved = L.clone();
    Moved->insertBefore(L.getIterator());
    L.replaceUsesWithIf(Moved, moves);
  }
  L.setMetadata(NotedInteger, MDNode::get(L.getContext(), {}));
  IRBuilder<> B(L.getNextNode());
  return call(B, nameOf(Named::asks_number),
              {L.getPointerOperand(), B.getInt64(WordBytes)}, B.getInt1Ty());
}

namespace {

/// Follows what is computed of words that may be numbers to where it goes on:
/// LLVM may compute with a word before the program has looked what it is.
class BitsFollower {
public:
  using End = function_ref<void(IRBuilder<> &, Value *)>;
  BitsFollower(DenseMap<const Value *, Value *> &IsNumber, End EndIf)
      : IsNumber(IsNumber), EndIf(EndIf) {}
  void run(Function &F);

private:
  Value *ofOperands(Instruction &I);
  void ofChoice(SelectInst &S);
  void goesOn(Instruction &I);

  /// By integer: is it a number, or computed of one?
  DenseMap<const Value *, Value *> &IsNumber;
  End EndIf;
};

Value *BitsFollower::ofOperands(Instruction &I) {
  Value *Any = nullptr;
  IRBuilder<> B(I.getNextNode());
  for (const Use &O : I.operands())
    if (Value *Is = IsNumber.lookup(O))
      Any = Any ? B.CreateOr(Any, Is) : Is;
  return Any;
}

void BitsFollower::ofChoice(SelectInst &S) {
  Value *True = IsNumber.lookup(S.getTrueValue()),
        *False = IsNumber.lookup(S.getFalseValue());
  if (!True && !False)
    return;
  IRBuilder<> B(S.getNextNode());
  auto OrNo = [&](Value *V) { return V ? V : B.getFalse(); };
  IsNumber[&S] = B.CreateSelect(S.getCondition(), OrNo(True), OrNo(False));
}

/// Where the value is used: I, or the end of a block that a phi is reached by.
void BitsFollower::goesOn(Instruction &I) {
  auto *Phi = dyn_cast<PHINode>(&I);
  SmallPtrSet<Value *, 4> Ended;
  for (const Use &O : I.operands()) {
    Value *Is = IsNumber.lookup(O);
    if (!Is || (!Phi && !Ended.insert(Is).second))
      continue;
    IRBuilder<> B(Phi ? Phi->getIncomingBlock(O)->getTerminator() : &I);
    B.SetCurrentDebugLocation(Phi ? cast<Instruction>(O)->getDebugLoc()
                                  : I.getDebugLoc());
    EndIf(B, Is);
  }
}

void BitsFollower::run(Function &F) {
  SmallVector<PHINode *> Phis;
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : make_early_inc_range(*Block)) {
      auto *Choice = dyn_cast<SelectInst>(&I);
      if (auto *Phi = dyn_cast<PHINode>(&I))
        Phis.push_back(Phi);
      else if (Choice && !Choice->getCondition()->getType()->isVectorTy())
        ofChoice(*Choice);
      else if (isa<CmpInst, GetElementPtrInst, SwitchInst>(I))
        continue;
      else if (computes(I) || isa<FreezeInst>(I)) {
        if (Value *Is = ofOperands(I))
          IsNumber[&I] = Is;
      } else
        goesOn(I);
    }
  for (PHINode *Phi : Phis)
    goesOn(*Phi);
}

} // namespace

SmallPtrSet<Function *, 4> IntegerWords::insertNotes() const {
  SmallPtrSet<Function *, 4> Changed;
  SmallVector<Instruction *> Written;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto *S = dyn_cast<StoreInst>(&I);
      auto *C = dyn_cast<CallBase>(&I);
      KnownCall K = C ? knownCall(*C) : KnownCall();
      const Value *To = S ? S->getPointerOperand()
                        : K.isCopy() || K.Kind == KnownKind::Set
                            ? C->getArgOperand(static_cast<unsigned>(K.Row->A))
                            : nullptr;
      if (To && (S ? isNoted(To) : Noted.contains(Shape.classId(To))))
        Written.push_back(&I);
    }
  for (Instruction *I : Written) {
    Changed.insert(I->getFunction());
    if (auto *S = dyn_cast<StoreInst>(I))
      note(*S);
    else
      note(cast<CallBase>(*I));
  }
  DenseMap<const Value *, Value *> IsNumber;
  for (LoadInst *L : Reads) {
    Changed.insert(L->getFunction());
    IsNumber[L] = ask(*L);
  }
  for (Function *F : Changed)
    BitsFollower(IsNumber, [&](IRBuilder<> &B, Value *Is) {
      call(B, nameOf(Named::uses_integer), {Is}, B.getVoidTy());
    }).run(*F);
  return Changed;
}

} // namespace retro
