// Input: a unit in its final form. Output: the same, with functions that take
// the address of a word where they took one that may be a number, a pointer or
// an integer. Without it the shadow of such a register would be one of these,
// whatever the word is, and the call would be refused.
#include "prepare/memory/word_arguments.h"

#include "base/unit.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

/// Where the words of a function lie.
struct Words {
  SmallVector<unsigned, 4> Arguments;
  std::optional<unsigned> Field; ///< of the struct that it returns
  bool Result = false;           ///< what it returns is a word
  bool any() const { return !Arguments.empty() || Field || Result; }
};

class WordPasser {
public:
  WordPasser(Unit &U, UnitFunction &UF, Words W)
      : U(U), UF(UF), Old(UF.F), W(std::move(W)) {}
  void run();

private:
  Function *create(Function &Like, const Twine &Name) const;
  Function *thunk() const;
  void takeWords(Function &New);
  void giveWord(Function &New, ReturnInst &R);
  void call(CallInst &C, Function &New);
  static AllocaInst *variable(Function &F);
  static void store(IRBuilder<> &B, Value *V, Value *To);
  static void readAs(Value &Word, Value *From, Instruction *At);
  Value *wordOf(IRBuilder<> &B, Value *Returned) const;
  bool returnsWord() const { return W.Field || W.Result; }

  Unit &U;
  UnitFunction &UF;
  Function *Old;
  const Words W;
};

/// Declares the function that takes addresses: one more at the end for the word
/// that is returned.
Function *WordPasser::create(Function &Like, const Twine &Name) const {
  SmallVector<Type *> Types(Old->getFunctionType()->params());
  SmallVector<AttributeSet> Sets;
  for (unsigned N = 0; N < Types.size(); ++N)
    Sets.push_back(is_contained(W.Arguments, N)
                       ? AttributeSet()
                       : Like.getAttributes().getParamAttrs(N));
  for (unsigned N : W.Arguments)
    Types[N] = PointerType::getUnqual(U.M.getContext());
  if (returnsWord())
    Types.push_back(PointerType::getUnqual(U.M.getContext()));
  Function *New =
      Function::Create(FunctionType::get(Old->getReturnType(), Types, false),
                       GlobalValue::InternalLinkage, Old->getAddressSpace());
  U.M.getFunctionList().insert(Old->getIterator(), New);
  New->copyAttributesFrom(&Like);
  New->setLinkage(GlobalValue::InternalLinkage);
  AttributeMask Effects;
  Effects.addAttribute(Attribute::Memory);
  New->setAttributes(
      AttributeList::get(U.M.getContext(),
                         Like.getAttributes().getFnAttrs().removeAttributes(
                             U.M.getContext(), Effects),
                         AttributeSet(), Sets));
  New->setName(Name);
  return New;
}

AllocaInst *WordPasser::variable(Function &F) {
  IRBuilder<> B(&*F.getEntryBlock().begin());
  return B.CreateAlloca(B.getInt64Ty(), nullptr, "word");
}

/// Puts a word into a variable as what it is.
void WordPasser::store(IRBuilder<> &B, Value *V, Value *To) {
  while (isa<BitCastInst, PtrToIntInst, FreezeInst>(V) &&
         !cast<Instruction>(V)->getOperand(0)->getType()->isVectorTy())
    V = cast<Instruction>(V)->getOperand(0);
  B.CreateAlignedStore(isa<UndefValue>(V) ? B.getInt64(0) : V, To, Align(8));
}

/// What is made of Word is read from where it lies, as what it is used as.
void WordPasser::readAs(Value &Word, Value *From, Instruction *At) {
  IRBuilder<> B(At);
  auto Read = [&](Type *T) {
    return B.CreateAlignedLoad(T, From, Align(8), "word.as");
  };
  for (User *Use : make_early_inc_range(Word.users()))
    if (isa<BitCastInst, IntToPtrInst>(Use) && !Use->getType()->isVectorTy()) {
      Use->replaceAllUsesWith(Read(Use->getType()));
      cast<Instruction>(Use)->eraseFromParent();
    }
  Word.replaceAllUsesWith(Read(Word.getType()));
}

Value *WordPasser::wordOf(IRBuilder<> &B, Value *Returned) const {
  if (W.Result)
    return Returned;
  if (Value *V = FindInsertedValue(Returned, {*W.Field}))
    return V;
  return B.CreateExtractValue(Returned, *W.Field);
}

/// The user's function, called with the words themselves where nothing is
/// derived.
Function *WordPasser::thunk() const {
  Function *New = create(*UF.Source, UF.Source->getName() + ".words");
  IRBuilder<> B(BasicBlock::Create(U.M.getContext(), "", New));
  SmallVector<Value *> Args;
  for (unsigned N = 0; N < Old->arg_size(); ++N) {
    Value *A = New->getArg(N);
    Args.push_back(is_contained(W.Arguments, N)
                       ? B.CreateAlignedLoad(B.getInt64Ty(), A, Align(8))
                       : A);
  }
  CallInst *C = B.CreateCall(UF.Source, Args);
  C->setCallingConv(UF.Source->getCallingConv());
  C->setAttributes(UF.Source->getAttributes());
  if (returnsWord())
    B.CreateAlignedStore(wordOf(B, C), New->getArg(New->arg_size() - 1),
                         Align(8));
  if (C->getType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(C);
  return New;
}

void WordPasser::takeWords(Function &New) {
  for (unsigned N = 0; N < Old->arg_size(); ++N) {
    Argument *A = Old->getArg(N), *By = New.getArg(N);
    By->takeName(A);
    if (is_contained(W.Arguments, N))
      readAs(*A, By, &*New.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    else
      A->replaceAllUsesWith(By);
  }
}

void WordPasser::giveWord(Function &New, ReturnInst &R) {
  IRBuilder<> B(&R);
  Value *V = R.getReturnValue();
  store(B, wordOf(B, V), New.getArg(New.arg_size() - 1));
  Value *None = B.getInt64(0);
  R.setOperand(0, W.Result ? None : B.CreateInsertValue(V, None, *W.Field));
}

void WordPasser::call(CallInst &C, Function &New) {
  IRBuilder<> B(&C);
  SmallVector<Value *> Args(C.args());
  SmallVector<AttributeSet> Sets;
  for (unsigned N = 0; N < Args.size(); ++N)
    Sets.push_back(is_contained(W.Arguments, N)
                       ? AttributeSet()
                       : C.getAttributes().getParamAttrs(N));
  for (unsigned N : W.Arguments) {
    AllocaInst *Word = variable(*C.getFunction());
    store(B, Args[N], Word);
    Args[N] = Word;
  }
  AllocaInst *Out = returnsWord() ? variable(*C.getFunction()) : nullptr;
  if (Out)
    Args.push_back(Out);
  CallInst *By = B.CreateCall(&New, Args);
  By->setCallingConv(C.getCallingConv());
  By->setAttributes(AttributeList::get(
      C.getContext(), New.getAttributes().getFnAttrs(), AttributeSet(), Sets));
  By->copyMetadata(C);
  By->takeName(&C);
  Instruction *Behind = C.getNextNode();
  if (W.Result)
    readAs(C, Out, Behind);
  if (W.Field)
    for (User *Use : make_early_inc_range(C.users()))
      if (auto *X = dyn_cast<ExtractValueInst>(Use);
          X && X->getIndices() == ArrayRef(*W.Field)) {
        readAs(*X, Out, Behind);
        X->eraseFromParent();
      }
  // What goes on as a whole has the word in it again.
  if (W.Field && !C.use_empty()) {
    B.SetInsertPoint(Behind);
    Value *Word = B.CreateAlignedLoad(B.getInt64Ty(), Out, Align(8));
    C.replaceAllUsesWith(B.CreateInsertValue(By, Word, *W.Field));
  }
  C.replaceAllUsesWith(By);
  C.eraseFromParent();
}

void WordPasser::run() {
  UF.Plain = thunk();
  Function *New = create(*Old, Old->getName());
  New->copyMetadata(Old, 0);
  Old->setSubprogram(nullptr);
  New->takeName(Old);
  New->splice(New->begin(), Old);
  takeWords(*New);
  if (returnsWord())
    for (BasicBlock &B : *New)
      if (auto *R = dyn_cast<ReturnInst>(B.getTerminator()))
        giveWord(*New, *R);
  for (User *Use : make_early_inc_range(Old->users()))
    call(*cast<CallInst>(Use), *New);
  U.replace(UF, New);
}

/// May V, of whole words, be a number, and something else?
bool isMixedWord(const MemoryShape &Shape, const Value &V) {
  return V.getType()->isIntegerTy(64) &&
         (Shape.isMixed(&V) ||
          (Shape.floatCarriedBy(&V) &&
           any_of(V.users(), IsaPred<BinaryOperator, SIToFPInst>)));
}

/// The words of a function all of whose calls are known.
Words wordsOf(const Unit &U, const UnitFunction &UF, const MemoryShape &Shape) {
  Words Found;
  if (UF.Root || UF.Seeded || UF.Concurrent || UF.F->isVarArg())
    return Found;
  auto IsCall = [&](const User *X) {
    auto *C = dyn_cast<CallInst>(X);
    return C && C->getCalledOperand() == UF.F && U.callee(*C) &&
           U.find(C->getFunction()) && !is_contained(C->args(), UF.F);
  };
  if (!all_of(UF.F->users(), IsCall))
    return Found;
  for (Argument &A : UF.F->args())
    if (isMixedWord(Shape, A))
      Found.Arguments.push_back(A.getArgNo());
  for (const User *C : UF.F->users()) {
    Found.Result |= isMixedWord(Shape, *C);
    for (const User *X : C->users())
      if (auto *E = dyn_cast<ExtractValueInst>(X);
          E && E->getNumIndices() == 1 && isMixedWord(Shape, *E))
        Found.Field = E->getIndices().front();
  }
  return Found;
}

} // namespace

bool passWordsInMemory(Unit &U, const MemoryShape &Shape) {
  SmallVector<std::pair<UnitFunction *, Words>> All;
  for (auto &UF : U.Functions)
    if (Words W = wordsOf(U, *UF, Shape); W.any())
      All.emplace_back(UF.get(), std::move(W));
  for (auto &[UF, W] : All)
    WordPasser(U, *UF, W).run();
  return !All.empty();
}

} // namespace retro
