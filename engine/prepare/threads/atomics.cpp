// Input: atomic operations on numbers. Sums whose intermediate values nobody
// reads commute, as do their derivatives, and stay. Output: what reads such a
// value becomes ordinary code between two calls that exclude other threads, its
// turn; the reverse pass takes the turns in the opposite order. Without turns
// it could not know which operation came last.
#include "prepare/threads/atomics.h"
#include "front/names/runtime.h"

#include "base/unit.h"
#include "facts/parallel/atomic_choices.h"
#include "facts/parallel/forks.h"
#include "facts/threads/reports.h"
#include "prepare/threads/peeled_swaps.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace retro {
namespace {

/// The type of the number whose bits V is, if V is used only as such.
Type *numberType(const Value *V) {
  Type *T = V->getType();
  if (T->isFloatingPointTy())
    return T;
  if (auto *B = dyn_cast<BitCastInst>(V);
      B && B->getSrcTy()->isFloatingPointTy())
    return B->getSrcTy();
  Type *As = nullptr;
  SmallPtrSet<const Value *, 8> Seen;
  SmallVector<const Value *> Work{V};
  while (!Work.empty()) {
    const Value *X = Work.pop_back_val();
    if (!Seen.insert(X).second)
      continue;
    for (const User *U : X->users()) {
      if (isa<BitCastInst>(U) && U->getType()->isFloatingPointTy())
        As = U->getType();
      else if (isa<PHINode>(U))
        Work.push_back(U);
    }
  }
  return As;
}

/// The type of the number that A operates on, or null.
Type *numberType(const AtomicRMWInst &A) {
  if (Type *T = numberType(static_cast<const Value *>(&A)))
    return T;
  if (Type *T = numberType(A.getValOperand()))
    return T;
  Type *T = operandType(A);
  return T->isFloatingPointTy() ? T : nullptr;
}

class AtomicLowering {
public:
  explicit AtomicLowering(Unit &U) : U(U) {}
  void run();

private:
  bool collect(UnitFunction &UF);
  void lower(LoadInst &L);
  void lower(StoreInst &S);
  void lower(AtomicRMWInst &A);
  bool lower(AtomicCmpXchgInst &X, LoopInfo &LI);
  Value *read(IRBuilder<> &B, Instruction &I, Value *Place, Type *Number,
              Align A);
  void write(IRBuilder<> &B, Value *V, Value *Place, Type *Number, Align A);

  Unit &U;
  SmallVector<LoadInst *> Loads;
  SmallVector<StoreInst *> Stores;
  SmallVector<AtomicRMWInst *> Updates;
  SmallVector<std::pair<AtomicCmpXchgInst *, UnitFunction *>> Exchanges;
};

/// Reads the place as a number. That its bits are asked for as an integer does
/// not matter.
Value *AtomicLowering::read(IRBuilder<> &B, Instruction &I, Value *Place,
                            Type *Number, Align A) {
  LoadInst *L = B.CreateAlignedLoad(Number, Place, A);
  L->copyMetadata(I, {LLVMContext::MD_tbaa});
  return B.CreateBitCast(L, I.getType());
}

void AtomicLowering::write(IRBuilder<> &B, Value *V, Value *Place, Type *Number,
                           Align A) {
  B.CreateAlignedStore(B.CreateBitCast(V, Number), Place, A);
}

void AtomicLowering::lower(LoadInst &L) {
  IRBuilder<> B(&L);
  Value *P = L.getPointerOperand();
  callRuntime(B, Rt::atomic_begin, P);
  L.replaceAllUsesWith(read(B, L, P, numberType(&L), L.getAlign()));
  callRuntime(B, Rt::atomic_end, P);
  L.eraseFromParent();
}

void AtomicLowering::lower(StoreInst &S) {
  IRBuilder<> B(&S);
  Value *P = S.getPointerOperand(), *V = S.getValueOperand();
  callRuntime(B, Rt::atomic_begin, P);
  write(B, V, P, numberType(V), S.getAlign());
  callRuntime(B, Rt::atomic_end, P);
  S.eraseFromParent();
}

void AtomicLowering::lower(AtomicRMWInst &A) {
  IRBuilder<> B(&A);
  Value *P = A.getPointerOperand();
  Type *Number = numberType(A);
  callRuntime(B, Rt::atomic_begin, P);
  Value *Old = read(B, A, P, Number, A.getAlign());
  write(B, buildAtomicRMWValue(A.getOperation(), B, Old, A.getValOperand()), P,
        Number, A.getAlign());
  callRuntime(B, Rt::atomic_end, P);
  A.replaceAllUsesWith(Old);
  A.eraseFromParent();
}

/// Is V what the place held when X compared it?
static bool isSeen(AtomicCmpXchgInst &X, Value *V) {
  auto *E = dyn_cast<ExtractValueInst>(bitsOf(V));
  return E && E->getAggregateOperand() == &X && E->getIndices()[0] == 0;
}

/// The load by which X's loop reads the place first, if nothing but checks runs
/// between the load and the loop; else null.
static LoadInst *firstLook(AtomicCmpXchgInst &X, const Loop &L) {
  auto *Expected = dyn_cast<PHINode>(bitsOf(X.getCompareOperand()));
  BasicBlock *In = L.getLoopPredecessor();
  if (!In || !Expected || Expected->getParent() != L.getHeader())
    return nullptr;
  auto *First =
      dyn_cast<LoadInst>(bitsOf(Expected->getIncomingValueForBlock(In)));
  if (!First || First->isVolatile() ||
      First->getPointerOperand() != X.getPointerOperand())
    return nullptr;
  BasicBlock *To = L.getHeader();
  for (unsigned N = 0; N < 8 && In && wayOn(*In) == To; ++N) {
    for (Instruction &I : reverse(*In)) {
      if (&I == First)
        return First;
      if (!doesNothing(I))
        return nullptr;
    }
    To = In;
    In = In->getSinglePredecessor();
  }
  return nullptr;
}

/// Does the condition say that X swapped (true), or that it did not (false)?
static std::optional<bool> swapped(Value *Condition, AtomicCmpXchgInst &X) {
  return saysSwapped(
      Condition, X,
      [&](Value *V) { return bitsOf(V) == bitsOf(X.getCompareOperand()); },
      [&](Value *V) { return isSeen(X, V); });
}

/// Does L, where X fails, expect what X saw the next time? No other try can
/// fail then while no other thread comes between.
static bool triesTwice(AtomicCmpXchgInst &X, const Loop &L) {
  auto IsNext = [&](Value *V) {
    if (auto *S = dyn_cast<SelectInst>(bitsOf(V)))
      if (auto Is = swapped(S->getCondition(), X))
        V = *Is ? S->getFalseValue() : S->getTrueValue();
    return isSeen(X, V);
  };
  auto *Expected = dyn_cast<PHINode>(bitsOf(X.getCompareOperand()));
  return Expected && Expected->getParent() == L.getHeader() &&
         L.isLoopInvariant(X.getPointerOperand()) &&
         all_of(Expected->blocks(), [&](BasicBlock *From) {
           return !L.contains(From) ||
                  IsNext(Expected->getIncomingValueForBlock(From));
         });
}

/// How a loop that compares and swaps ends.
struct Ends {
  BranchInst *Test = nullptr;   ///< ends the loop when it swapped, or null
  BasicBlock *Done = nullptr;   ///< comes then
  SmallVector<Loop::Edge> Idle; ///< where it does not swap
};

/// How L ends, if it does no more than compute what X swaps.
static Ends endsOf(AtomicCmpXchgInst &X, const Loop &L) {
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (&I != &X && !doesNothing(I))
        return {};
  BasicBlock *Test = X.getParent();
  while (BasicBlock *Next = wayOn(*Test)) {
    if (!L.contains(Next) || Next == L.getHeader())
      return {};
    Test = Next;
  }
  Value *OtherCondition = nullptr;
  Ends E;
  E.Done = leavesSwapped(
      L, *Test, [&](Value *V) { return swapped(V, X); }, OtherCondition);
  SmallVector<Loop::Edge> Exits;
  L.getExitEdges(Exits);
  for (auto Exit : Exits)
    if (Exit.first != Test && !endsInReport(*Exit.second)) {
      auto *Br = dyn_cast<BranchInst>(Exit.first->getTerminator());
      if (!Br || Exit.first->getUniqueSuccessor())
        return {};
      E.Idle.push_back(Exit);
    }
  if (E.Done)
    E.Test = cast<BranchInst>(Test->getTerminator());
  return E;
}

/// Lowers the loop that reads, computes, and starts again where another thread
/// was faster, or ends where there is nothing to swap. All of it is one turn,
/// which begins with the first read. A read that something else looks at, too,
/// stays in front of the turn: the loop compares as it did, and its second try
/// swaps.
bool AtomicLowering::lower(AtomicCmpXchgInst &X, LoopInfo &LI) {
  Loop *L = LI.getLoopFor(X.getParent());
  LoadInst *First = L ? firstLook(X, *L) : nullptr;
  Ends End = L ? endsOf(X, *L) : Ends();
  Type *Number = numberType(X.getCompareOperand());
  if (!Number)
    Number = numberType(X.getNewValOperand());
  if (!End.Test || !Number ||
      !all_of(X.users(), [](User *V) { return isa<ExtractValueInst>(V); }))
    return false;
  BasicBlock *In = L->getLoopPredecessor();
  if (!First && (!In || wayOn(*In) != L->getHeader() || !triesTwice(X, *L)))
    return false;
  Value *P = X.getPointerOperand(), *Expected = X.getCompareOperand();
  IRBuilder<> B(First ? First : In->getTerminator());
  callRuntime(B, Rt::atomic_begin, P);
  if (First) {
    First->replaceAllUsesWith(read(B, *First, P, Number, First->getAlign()));
    erase(Loads, First);
    First->eraseFromParent();
  }
  B.SetInsertPoint(&X);
  Value *Seen = Expected, *Swaps = B.getTrue(), *New = X.getNewValOperand();
  if (!First) {
    LoadInst *Now = B.CreateAlignedLoad(Number, P, X.getAlign());
    Seen = B.CreateBitCast(Now, Expected->getType());
    Swaps = B.CreateICmpEQ(Seen, Expected);
    New = B.CreateSelect(Swaps, New, Seen);
  }
  write(B, New, P, Number, X.getAlign());
  for (User *V : make_early_inc_range(X.users())) {
    auto *E = cast<ExtractValueInst>(V);
    E->replaceAllUsesWith(E->getIndices()[0] == 0 ? Seen : Swaps);
    E->eraseFromParent();
  }
  X.eraseFromParent();
  if (First)
    End.Test->setCondition(B.getInt1(End.Test->getSuccessor(0) == End.Done));
  End.Idle.push_back({End.Test->getParent(), End.Done});
  for (auto [From, To] : End.Idle) {
    B.SetInsertPoint(SplitEdge(From, To)->getTerminator());
    callRuntime(B, Rt::atomic_end, P);
  }
  return true;
}

/// Collects the atomic operations. Is any of them more than a sum?
bool AtomicLowering::collect(UnitFunction &UF) {
  bool Ordered = false;
  for (Instruction &I : instructions(*UF.F)) {
    if (auto *L = dyn_cast<LoadInst>(&I); L && L->isAtomic() && numberType(L)) {
      Loads.push_back(L);
      Ordered = true;
    } else if (auto *S = dyn_cast<StoreInst>(&I);
               S && S->isAtomic() && numberType(S->getValueOperand())) {
      Stores.push_back(S);
      Ordered = true;
    } else if (auto *A = dyn_cast<AtomicRMWInst>(&I); A && numberType(*A)) {
      Updates.push_back(A);
      Ordered |= !isCommutingSum(*A);
    } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I);
               X && (numberType(X->getCompareOperand()) ||
                     numberType(X->getNewValOperand()))) {
      Exchanges.push_back({X, &UF});
      Ordered = true;
    }
  }
  return Ordered;
}

void AtomicLowering::run() {
  bool Ordered = false;
  for (auto &UF : U.Functions)
    Ordered |= collect(*UF);
  if (!Ordered)
    return;
  SmallPtrSet<UnitFunction *, 4> Changed;
  for (auto [X, UF] : Exchanges) {
    DominatorTree DT(*UF->F);
    LoopInfo LI(DT);
    if (lower(*X, LI))
      Changed.insert(UF);
  }
  for (LoadInst *L : Loads)
    lower(*L);
  for (StoreInst *S : Stores)
    lower(*S);
  for (AtomicRMWInst *A : Updates)
    lower(*A);
  for (UnitFunction *UF : Changed)
    for (BasicBlock &B : *UF->F)
      ConstantFoldTerminator(&B, true);
  for (UnitFunction *UF : Changed)
    removeUnreachableBlocks(*UF->F);
}

} // namespace

void lowerAtomics(Unit &U) {
  // Threads of a kernel cannot wait for each other's turns.
  if (!U.M.getTargetTriple().isGPU())
    AtomicLowering(U).run();
}

} // namespace retro
