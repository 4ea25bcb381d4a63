// Input: calls with no adjoint of their own, and integers that are pointers or
// numbers. Output: calls that have one (realloc is an allocation, a copy and a
// free), and loads and choices of the right type. What this leaves, emission
// must have a rule for.
#include "prepare/calls/known_calls.h"

#include "front/known/known_functions.h"
#include "front/names/foreign.h"
#include "front/names/rust_names.h"
#include "ir/heap.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

Value *operand(const CallBase &C, int N) {
  return C.getArgOperand(static_cast<unsigned>(N));
}

/// Turns posix_memalign(&p, alignment, size) into an allocation that is stored.
void lowerAllocStore(CallBase &C) {
  IRBuilder<> B(&C);
  Value *Up = B.CreateSub(operand(C, 1), B.getInt64(1));
  Value *Size = B.CreateAnd(B.CreateAdd(operand(C, 2), Up), B.CreateNot(Up));
  B.CreateStore(callForeign(B, Foreign::aligned_alloc, {operand(C, 1), Size}),
                operand(C, 0));
  C.replaceAllUsesWith(Constant::getNullValue(C.getType()));
}

/// Lowers realloc(p, size), where the allocator knows the size of p's block.
Value *lowerRealloc(CallBase &C, const KnownFunction &Row) {
  IRBuilder<> B(&C);
  Module &M = *C.getModule();
  Type *I64 = B.getInt64Ty();
  FunctionCallee Malloc = mallocOf(M);
  FunctionCallee Free = freeOf(M);
  FunctionCallee Usable = foreignCallee(M, Foreign::malloc_usable_size);
  Value *Old = operand(C, Row.B);
  Value *Size = B.CreateZExtOrTrunc(operand(C, Row.A), I64);
  Value *New = B.CreateCall(Malloc, Size);
  Value *Had = B.CreateCall(Usable, Old);
  Value *Bytes = B.CreateBinaryIntrinsic(Intrinsic::umin, Had, Size);
  B.CreateMemCpy(New, MaybeAlign(), Old, MaybeAlign(), Bytes)
      ->setMetadata(MovesBlock, MDNode::get(M.getContext(), {}));
  B.CreateCall(Free, Old);
  return New;
}

/// Lowers realloc(p, old size, alignment, size) of allocators that take (size,
/// alignment) and free (p, size, alignment).
Value *lowerSizedRealloc(CallBase &C, const KnownFunction &Row) {
  IRBuilder<> B(&C);
  Module &M = *C.getModule();
  StringRef Name = C.getCalledOperand()->getName();
  Value *Old = operand(C, Row.B), *Had = operand(C, Row.C);
  Value *Size = operand(C, Row.A), *Alignment = nullptr;
  for (unsigned N = 0; N < C.arg_size(); ++N)
    if (static_cast<int>(N) != Row.A && static_cast<int>(N) != Row.B &&
        static_cast<int>(N) != Row.C)
      Alignment = C.getArgOperand(N);
  Type *I64 = Size->getType(), *Ptr = B.getPtrTy();
  FunctionCallee Alloc = M.getOrInsertFunction(
      rustSibling(Name, allocatorFreedBy(Row.Text)), Ptr, I64, I64);
  FunctionCallee Free = M.getOrInsertFunction(rustSibling(Name, Row.Text),
                                              B.getVoidTy(), Ptr, I64, I64);
  Value *New = B.CreateCall(Alloc, {Size, Alignment});
  Value *Bytes = B.CreateSelect(B.CreateICmpULT(Had, Size), Had, Size);
  B.CreateMemCpy(New, MaybeAlign(), Old, MaybeAlign(), Bytes);
  B.CreateCall(Free, {Old, Had, Alignment});
  return New;
}

Value *joinLanes(IRBuilder<> &B, rules::RuleId Rule, Value *X, Value *Y) {
  switch (Rule) {
  case rules::RuleId::Fmax:
    return B.CreateMaxNum(X, Y);
  case rules::RuleId::Fmin:
    return B.CreateMinNum(X, Y);
  case rules::RuleId::Maximum:
    return B.CreateMaximum(X, Y);
  case rules::RuleId::Minimum:
    return B.CreateMinimum(X, Y);
  default:
    return B.CreateFMul(X, Y);
  }
}

/// Chooses words as pointers that are chosen as integers and used as pointers.
class PointerWords {
public:
  explicit PointerWords(Function &F) : F(F) {}

  void run() {
    SmallVector<IntToPtrInst *> Casts;
    SmallVector<StoreInst *> Stores;
    for (Instruction &I : instructions(F)) {
      if (auto *C = dyn_cast<IntToPtrInst>(&I);
          C && isa<PHINode, SelectInst>(C->getOperand(0)) &&
          isWord(C->getOperand(0)))
        Casts.push_back(C);
      if (auto *S = dyn_cast<StoreInst>(&I);
          S && isWord(S->getValueOperand()) && isPointer(S->getValueOperand()))
        Stores.push_back(S);
    }
    for (IntToPtrInst *C : Casts) {
      Type = C->getType();
      C->replaceAllUsesWith(pointer(C->getOperand(0)));
      C->eraseFromParent();
    }
    Type = PointerType::getUnqual(F.getContext());
    for (StoreInst *S : Stores)
      S->setOperand(0, pointer(S->getValueOperand()));
  }

private:
  bool isWord(const Value *V) const {
    return V->getType()->isIntegerTy(F.getDataLayout().getPointerSizeInBits());
  }

  /// Is V a constant or one of several pointers, whatever is chosen?
  static bool isPointer(const Value *V) {
    SmallSetVector<const Value *, 8> Seen;
    Seen.insert(V);
    bool Any = false;
    for (size_t N = 0; N < Seen.size(); ++N) {
      auto *I = dyn_cast<Instruction>(Seen[N]);
      if (isa_and_nonnull<PHINode>(I))
        Seen.insert(I->op_begin(), I->op_end());
      else if (isa_and_nonnull<SelectInst>(I))
        Seen.insert(I->op_begin() + 1, I->op_end());
      else if (isa_and_nonnull<PtrToIntInst>(I))
        Any = true;
      else if (!isa<Constant>(Seen[N]))
        return false;
    }
    return Any;
  }

  /// V as a pointer. Choices in it become choices of pointers.
  Value *pointer(Value *V) {
    if (auto *C = dyn_cast<Constant>(V))
      return ConstantExpr::getIntToPtr(C, Type);
    if (auto *P = dyn_cast<PtrToIntInst>(V);
        P && P->getPointerOperand()->getType() == Type)
      return P->getPointerOperand();
    Value *&Pointer = PointerOf[{V, Type}];
    if (Pointer)
      return Pointer;
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      PHINode *New = PHINode::Create(Type, Phi->getNumIncomingValues(),
                                     Phi->getName(), Phi->getIterator());
      New->setDebugLoc(Phi->getDebugLoc());
      Pointer = New; // before what comes round a loop
      for (unsigned N = 0; N < Phi->getNumIncomingValues(); ++N)
        New->addIncoming(pointer(Phi->getIncomingValue(N)),
                         Phi->getIncomingBlock(N));
      return New;
    }
    if (auto *S = dyn_cast<SelectInst>(V)) {
      Value *A = pointer(S->getTrueValue()), *B = pointer(S->getFalseValue());
      Value *New = SelectInst::Create(S->getCondition(), A, B, S->getName(),
                                      S->getIterator());
      return PointerOf[{V, Type}] = New;
    }
    BasicBlock::iterator At = F.getEntryBlock().getFirstInsertionPt();
    if (auto *I = dyn_cast<Instruction>(V))
      At = *I->getInsertionPointAfterDef();
    return Pointer = new IntToPtrInst(V, Type, V->getName() + ".pointer", At);
  }

  Function &F;
  class Type *Type = nullptr;
  DenseMap<std::pair<Value *, class Type *>, Value *> PointerOf;
};

/// The load whose word C casts to a pointer or number, or null. A number's word
/// in a union may also be a pointer's.
LoadInst *loadTaken(const CastInst &C) {
  if (!isa<IntToPtrInst, BitCastInst>(C))
    return nullptr;
  Value *V = C.getOperand(0);
  if (auto *Bits = dyn_cast<BitCastInst>(V); Bits && isa<IntToPtrInst>(C))
    V = Bits->getOperand(0);
  auto *L = dyn_cast<LoadInst>(V);
  bool IsConverted = L && (L->getType()->isIntegerTy() || isa<IntToPtrInst>(C));
  const DataLayout &DL = C.getDataLayout();
  return IsConverted && L->isSimple() &&
                 DL.getTypeSizeInBits(C.getType()) ==
                     DL.getTypeSizeInBits(L->getType())
             ? L
             : nullptr;
}

/// A word that is loaded once for several uses (of a union, of an enum) is
/// loaded once for each, with the type that the use casts it to.
void typeLoads(Function &F) {
  SmallVector<std::pair<CastInst *, LoadInst *>> Casts;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CastInst>(&I))
      if (LoadInst *L = loadTaken(*C))
        Casts.push_back({C, L});
  DenseMap<std::pair<LoadInst *, Type *>, LoadInst *> Typed;
  for (auto [C, L] : Casts) {
    LoadInst *&New = Typed[{L, C->getType()}];
    if (!New) {
      New = new LoadInst(C->getType(), L->getPointerOperand(), C->getName(),
                         false, L->getAlign(), std::next(L->getIterator()));
      // Where the program calls the number an integer, that is to be known.
      if (C->getType()->isFloatingPointTy())
        New->setAAMetadata(L->getAAMetadata());
      New->setDebugLoc(L->getDebugLoc());
    }
    C->replaceAllUsesWith(New);
  }
  for (auto [C, L] : Casts)
    C->eraseFromParent();
}

/// A number that LLVM stores as a pointer, since others store one there, is
/// stored as a number.
void typeStores(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Value *Number;
    auto *S = dyn_cast<StoreInst>(&I);
    if (!S ||
        !match(S->getValueOperand(), m_IntToPtr(m_BitCast(m_Value(Number)))) ||
        !Number->getType()->isDoubleTy())
      continue;
    Value *Pointer = S->getValueOperand();
    S->setOperand(0, Number);
    RecursivelyDeleteTriviallyDeadInstructions(Pointer);
  }
}

/// Is the reduction no sum? A sum has an adjoint of its own.
bool isFolded(const KnownCall &K, const CallBase &C) {
  return K.Kind == KnownKind::Reduce && K.Row->Rule != rules::RuleId::Add &&
         isa<FixedVectorType>(operand(C, K.Row->B)->getType());
}

/// Computes a reduction lane by lane, from the first.
Value *lowerReduction(CallBase &C, const KnownFunction &Row) {
  IRBuilder<> B(&C);
  B.setFastMathFlags(C.getFastMathFlags());
  Value *Vec = operand(C, Row.B);
  Value *Result = Row.A >= 0 ? operand(C, Row.A) : nullptr;
  unsigned N = cast<FixedVectorType>(Vec->getType())->getNumElements();
  for (unsigned I = 0; I < N; ++I) {
    Value *Lane = B.CreateExtractElement(Vec, I);
    Result = Result ? joinLanes(B, Row.Rule, Result, Lane) : Lane;
  }
  return Result;
}

} // namespace

void lowerCalls(Function &F) {
  SmallVector<CallBase *> Calls;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I)) {
      KnownCall K = knownCall(*C);
      if (K.Kind == KnownKind::Realloc || K.Kind == KnownKind::AllocStore ||
          isFolded(K, *C))
        Calls.push_back(C);
    }
  for (CallBase *C : Calls) {
    KnownCall K = knownCall(*C);
    if (K.Kind == KnownKind::AllocStore)
      lowerAllocStore(*C);
    else if (K.Kind == KnownKind::Reduce)
      C->replaceAllUsesWith(lowerReduction(*C, *K.Row));
    else
      C->replaceAllUsesWith(K.Row->C < 0 ? lowerRealloc(*C, *K.Row)
                                         : lowerSizedRealloc(*C, *K.Row));
    C->eraseFromParent();
  }
}

void choosePointers(Function &F) {
  PointerWords(F).run();
  typeLoads(F);
  typeStores(F);
}

/// A constant vector with zeros for undefined lanes. LLVM's replaceUndefsWith
/// would take a vector of undefined lanes alone for one undefined scalar.
static Constant *withoutPoison(Constant &C) {
  auto *T = cast<FixedVectorType>(C.getType());
  SmallVector<Constant *> Lanes;
  for (unsigned N = 0; N < T->getNumElements(); ++N) {
    Constant *Lane = C.getAggregateElement(N);
    if (!Lane)
      return &C;
    Lanes.push_back(isa<UndefValue>(Lane)
                        ? Constant::getNullValue(T->getElementType())
                        : Lane);
  }
  return ConstantVector::get(Lanes);
}

void definePoison(Function &F) {
  for (Instruction &I : instructions(F)) {
    for (Use &O : I.operands()) {
      auto *C = dyn_cast<Constant>(O);
      if (!C || !(C->getType()->isFloatingPointTy() ||
                  isa<FixedVectorType>(C->getType())))
        continue;
      if (isa<UndefValue>(C))
        O.set(Constant::getNullValue(C->getType()));
      else if (C->containsUndefOrPoisonElement())
        O.set(withoutPoison(*C));
    }
    auto *S = dyn_cast<ShuffleVectorInst>(&I);
    if (!S || !isa<FixedVectorType>(S->getType()) ||
        !is_contained(S->getShuffleMask(), PoisonMaskElem))
      continue;
    SmallVector<int> Mask(S->getShuffleMask());
    for (int &Lane : Mask)
      Lane = std::max(Lane, 0);
    S->setShuffleMask(Mask);
  }
}

} // namespace retro
