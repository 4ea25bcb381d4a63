// Input: a call. Output: the operations that its result goes through before it
// is a part of a sum, if what their derivatives read is there before
// the call. A read that is not there yet would be of another iteration.
#include "facts/reversal/early_adjoints.h"

#include "facts/activity/needs.h"
#include "facts/reversal/fusion.h"
#include "front/known/known_functions.h"
#include "rules/uses.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {

/// More than this is not computed before a call for the adjoint of its result.
constexpr unsigned MostEarlier = 32;

namespace {

/// What is added up to one result, on any way there: each value has the
/// result's adjoint if it is a part of it at all.
using Sums = SmallSetVector<const Instruction *, 8>;

/// Is a value that is added to, wherever it has been computed, a part of the
/// result? Other values of a choice may be taken instead of it.
class AllWays {
public:
  AllWays(const UnitFunction &UF, const Sums &In, const Instruction &End,
          const BasicBlock &At)
      : LI(UF.LI), In(In), End(End), At(At), Around(LI.getLoopFor(&At)) {}

  bool leadTo(const Instruction &X) { return walk(X.getParent(), &X); }

private:
  /// What V becomes in Block by additions; null: not one value.
  const Instruction *behind(const BasicBlock *Block, const Instruction *V) {
    for (;;) {
      const Instruction *Next = nullptr;
      for (const User *U : V->users()) {
        auto *I = cast<Instruction>(U);
        if (I->getParent() != Block || isa<PHINode>(I) || !In.contains(I))
          continue;
        if (Next)
          return nullptr;
        Next = I;
      }
      if (!Next)
        return V;
      V = Next;
    }
  }

  bool walk(const BasicBlock *Block, const Instruction *V) {
    if (!Seen.insert({Block, V}).second)
      return true;
    if (Seen.size() > MostSteps || !(V = behind(Block, V)))
      return false;
    if (Block == &At)
      return V == &End;
    auto GoesOn = [&](const BasicBlock *To) {
      if (LI.getLoopFor(To) != Around || (Around && Around->getHeader() == To))
        return false;
      const Instruction *Now = nullptr;
      for (const PHINode &Phi : To->phis())
        if (Phi.getIncomingValueForBlock(Block) == V) {
          if (Now)
            return false;
          Now = &Phi;
        }
      return walk(To, Now ? Now : V);
    };
    return !succ_empty(Block) && all_of(successors(Block), GoesOn);
  }

  const LoopInfo &LI;
  const Sums &In;
  const Instruction &End;
  const BasicBlock &At;
  const Loop *Around;
  static constexpr size_t MostSteps = 1024;
  DenseSet<std::pair<const BasicBlock *, const Instruction *>> Seen;
};

} // namespace

/// The sum of the loop that I adds to: what it is in the next iteration.
static const Instruction *sumWith(const Instruction &I, const Loop &L,
                                  const UnitFunction &UF,
                                  const ActivityAnalysis &Act) {
  for (const PHINode &Sum : L.getHeader()->phis()) {
    const Sums In = Act.active(&Sum) ? summands(Sum, L) : Sums();
    if (!In.contains(&I))
      continue;
    auto *Next =
        dyn_cast<Instruction>(Sum.getIncomingValueForBlock(L.getLoopLatch()));
    return Next && AllWays(UF, In, *Next, *L.getLoopLatch()).leadTo(I)
               ? Next
               : nullptr;
  }
  return nullptr;
}

/// Is I, wherever it has been computed, a part of what the function returns?
static bool isReturned(const Instruction &I, const UnitFunction &UF) {
  Sums In;
  In.insert(&I);
  const ReturnInst *Return = nullptr;
  for (size_t N = 0; N < In.size(); ++N)
    for (const User *U : In[N]->users()) {
      auto *X = cast<Instruction>(U);
      if (auto *R = dyn_cast<ReturnInst>(X))
        Return = R;
      else if (isa<PHINode>(X) || is_contained(addedTo(*X), In[N]))
        In.insert(X);
      else
        return false;
    }
  auto IsOfIt = [&](const Value *V) {
    auto *X = dyn_cast<Instruction>(V);
    return X && In.contains(X);
  };
  auto *End =
      Return ? dyn_cast<Instruction>(Return->getReturnValue()) : nullptr;
  return End && In.contains(End) &&
         all_of(In,
                [&](const Instruction *X) {
                  return X == &I || isa<PHINode>(X) ||
                         count_if(X->operands(), IsOfIt) == 1;
                }) &&
         AllWays(UF, In, *End, *Return->getParent()).leadTo(I);
}

/// Does nothing between C and L, of one block, write what L reads? C does not.
static bool readsTheSameBefore(const LoadInst &L, const CallBase &C) {
  return L.isSimple() &&
         none_of(make_range(std::next(C.getIterator()), L.getIterator()),
                 [](const Instruction &I) { return I.mayWriteToMemory(); });
}

/// Is O there before C, or can it be computed there? Earlier: what then is.
static bool comesBefore(const Instruction &O, const CallBase &C,
                        const DominatorTree &DT,
                        SetVector<const Instruction *> &Earlier) {
  if (DT.dominates(&O, &C) || Earlier.contains(&O))
    return true;
  auto *L = dyn_cast<LoadInst>(&O);
  if (&O == &C || O.getParent() != C.getParent() || isa<PHINode>(O) ||
      Earlier.size() >= MostEarlier ||
      !(L ? readsTheSameBefore(*L, C)
          : !O.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&O)))
    return false;
  for (const Value *V : O.operands())
    if (auto *I = dyn_cast<Instruction>(V);
        I && !comesBefore(*I, C, DT, Earlier))
      return false;
  Earlier.insert(&O);
  return true;
}

/// Is all that the derivative of I by its operand N reads there before C?
static bool isKnownBefore(const Instruction &I, unsigned N, const CallBase &C,
                          const DominatorTree &DT,
                          SetVector<const Instruction *> &Earlier) {
  const auto Rule = ruleOf(I);
  if (!Rule || static_cast<int>(N) >= rules::arityOf(*Rule))
    return false;
  const rules::UseSet Reads = rules::usesOf(*Rule, static_cast<int>(N));
  if (Reads.result)
    return false;
  for (int J = 0; J < rules::arityOf(*Rule); ++J) {
    auto *O = dyn_cast<Instruction>(I.getOperand(static_cast<unsigned>(J)));
    if (Reads.readsOperand(J) && O && !comesBefore(*O, C, DT, Earlier))
      return false;
  }
  return true;
}

/// Does UF write to no memory, but in calls of the unit?
static bool writesNothing(const UnitFunction &UF, const Unit &U) {
  return none_of(instructions(*UF.F), [&](const Instruction &I) {
    auto *C = dyn_cast<CallBase>(&I);
    return I.mayWriteToMemory() && !(C && U.callee(*C)) &&
           !(C && knownCall(*C).isPure()) && !isAssumeLikeIntrinsic(&I);
  });
}

std::optional<EarlyAdjoint> adjointBefore(const CallBase &C,
                                          const UnitFunction &UF,
                                          const ActivityAnalysis &Act) {
  const Loop *L = UF.LI.getLoopFor(C.getParent());
  // The root is told the adjoint of its result when it has run.
  if (!C.getType()->isFloatingPointTy() ||
      (L ? !L->getLoopLatch() : UF.Root || !writesNothing(UF, Act.unit())))
    return std::nullopt;
  EarlyAdjoint Found;
  for (const Instruction *V = &C;;) {
    Found.Of = L ? sumWith(*V, *L, UF, Act) : nullptr;
    if (Found.Of || (!L && isReturned(*V, UF)))
      return Found;
    if (!V->hasOneUse())
      return std::nullopt;
    const Use &X = *V->use_begin();
    auto *I = cast<Instruction>(X.getUser());
    if (I->getParent() != C.getParent() || I->getType() != C.getType() ||
        !isKnownBefore(*I, X.getOperandNo(), C, UF.DT, Found.Earlier))
      return std::nullopt;
    Found.Through.push_back(&X);
    V = I;
  }
}

bool writesOnlyOwn(const UnitFunction &UF, const Unit &U) {
  SmallSetVector<const UnitFunction *, 8> All;
  All.insert(&UF);
  auto IsOwn = [](const Value *Ptr) {
    return isa<AllocaInst>(getUnderlyingObject(Ptr));
  };
  for (size_t N = 0; N < All.size(); ++N)
    for (const Instruction &I : instructions(*All[N]->F)) {
      auto *C = dyn_cast<CallBase>(&I);
      if (const UnitFunction *G = C ? U.callee(*C) : nullptr)
        All.insert(G);
      else if (auto *S = dyn_cast<StoreInst>(&I);
               S && !IsOwn(S->getPointerOperand()))
        return false;
      else if (auto *M = dyn_cast<MemIntrinsic>(&I); M && !IsOwn(M->getDest()))
        return false;
    }
  return true;
}

} // namespace retro
