// Input: the adjoint of a stencil, which adds to several neighbours in each
// iteration, so that several iterations in a row add to each place, or that of
// a product with what a loop does not change, which adds to one place in all
// iterations. Output: the partial sums are carried from iteration to iteration,
// and each place is read and written once. Without it, each iteration waits for
// the store of the one before.
#include "polish/carry.h"

#include "base/assert.h"
#include "loops/accumulation.h"
#include "loops/each_loop.h"
#include "loops/scopes.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace retro {
namespace {

/// *Ptr += something, once in each iteration.
struct CarriedSum {
  LoadInst *Load;
  StoreInst *Store;
  const SCEVAddRecExpr *Ptr;
  int64_t Offset = 0; ///< from the group's first, in steps of the loop
};

class Carrier {
public:
  Carrier(Loop &L, ScalarEvolution &SE, AAResults &AA)
      : SE(SE), AA(AA), L(L), B(L.getHeader()), Latch(L.getLoopLatch()),
        Entry(L.getLoopPreheader()), Exit(L.getExitBlock()) {}

  unsigned run();

private:
  using Group = SmallVector<CarriedSum, 5>;
  void collect();
  bool group(std::vector<Group> &Groups);
  bool isPrivate(const Group &G) const;
  bool isNeverAt(const Instruction &I, const StoreInst &Sum) const;
  void carry(Group &G);
  void collectFixed();
  unsigned carryFixed();

  ScalarEvolution &SE;
  AAResults &AA;
  Loop &L;
  BasicBlock *B; ///< is run once in each iteration, and leaves the loop
  BasicBlock *Latch, *Entry, *Exit;
  std::vector<CarriedSum> All;
  std::vector<Accumulation> Fixed; ///< to one place in all iterations
  SmallPtrSet<const Instruction *, 16> Parts; ///< loads and stores of All
};

void Carrier::collect() {
  for (Instruction &I : *B) {
    auto *S = dyn_cast<StoreInst>(&I);
    if (!S || !S->isSimple() ||
        !S->getValueOperand()->getType()->isFloatingPointTy())
      continue;
    auto *P = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(S->getPointerOperand()));
    if (!P || P->getLoop() != &L || !P->isAffine() ||
        !isa<SCEVConstant>(P->getStepRecurrence(SE)))
      continue;
    std::optional<Accumulation> A = accumulationOf(*S, 3, SE, AA);
    if (!A || any_of(A->Steps, [](Instruction *Step) {
          return Step->getOpcode() != Instruction::FAdd;
        }))
      continue;
    All.push_back({A->Load, S, P});
    Parts.insert(A->Load);
    Parts.insert(S);
  }
}

/// Sorts sums into groups of consecutive places, none missing and each there
/// once. What other groups add to the same places is added at other times.
bool Carrier::group(std::vector<Group> &Groups) {
  for (CarriedSum &A : All) {
    int64_t Step = cast<SCEVConstant>(A.Ptr->getStepRecurrence(SE))
                       ->getAPInt()
                       .getSExtValue();
    auto Fits = [&](Group &G) {
      if (G[0].Store->getValueOperand()->getType() !=
              A.Store->getValueOperand()->getType() ||
          G[0].Ptr->getStepRecurrence(SE) != A.Ptr->getStepRecurrence(SE))
        return false;
      auto *D = dyn_cast<SCEVConstant>(SE.getMinusSCEV(A.Ptr, G[0].Ptr));
      if (!D || D->getAPInt().getSExtValue() % Step != 0)
        return false;
      A.Offset = D->getAPInt().getSExtValue() / Step;
      return none_of(G, [&](CarriedSum &X) { return X.Offset == A.Offset; });
    };
    auto G = find_if(Groups, Fits);
    if (G == Groups.end())
      Groups.push_back({A});
    else
      G->push_back(A);
  }
  std::vector<Group> Runs;
  for (Group &G : Groups) {
    sort(G, [](const CarriedSum &X, const CarriedSum &Y) {
      return X.Offset < Y.Offset;
    });
    // Rows of a grid whose size is known lie at known distances, too.
    for (const CarriedSum &A : G) {
      if (&A == G.begin() || A.Offset != std::prev(&A)->Offset + 1)
        Runs.emplace_back();
      Runs.back().push_back(A);
    }
  }
  erase_if(Runs, [&](const Group &G) {
    return G.size() < 2 || G.size() > 8 || !isPrivate(G);
  });
  Groups = std::move(Runs);
  return !Groups.empty();
}

/// Do only sums of the group touch these places in the loop?
bool Carrier::isPrivate(const Group &G) const {
  DeclaredScopes Scopes(L.getBlocks());
  for (BasicBlock *X : L.blocks())
    for (Instruction &I : *X) {
      if (!I.mayReadOrWriteMemory() || Parts.contains(&I))
        continue;
      if (!isa<LoadInst, StoreInst>(I))
        return false;
      for (const CarriedSum &A : G)
        if (!Scopes.areApart(AA, I, *A.Store))
          return false;
    }
  return true;
}

/// Is I, which moves on in each iteration, always beyond or always before the
/// one place of Sum?
bool Carrier::isNeverAt(const Instruction &I, const StoreInst &Sum) const {
  const DataLayout &DL = B->getDataLayout();
  auto AddressOf = [&](const Instruction &X) {
    return SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&X)));
  };
  auto *At = dyn_cast<SCEVAddRecExpr>(AddressOf(I));
  const SCEV *Trips = SE.getBackedgeTakenCount(&L);
  if (!At || At->getLoop() != &L || !At->isAffine() ||
      isa<SCEVCouldNotCompute>(Trips))
    return false;
  auto *Step = dyn_cast<SCEVConstant>(At->getStepRecurrence(SE));
  if (!Step)
    return false;
  const bool Up = Step->getAPInt().isStrictlyPositive();
  const SCEV *First = At->getStart(),
             *Last = At->evaluateAtIteration(
                 SE.getTruncateOrZeroExtend(Trips, Step->getType()), SE);
  auto Beyond = [&](const SCEV *End) -> std::optional<int64_t> {
    auto *D = dyn_cast<SCEVConstant>(SE.getMinusSCEV(End, AddressOf(Sum)));
    if (!D || D->getAPInt().getSignificantBits() > 32)
      return std::nullopt;
    return D->getAPInt().getSExtValue();
  };
  auto Bytes = [&](const Instruction &X) {
    return static_cast<int64_t>(DL.getTypeStoreSize(getLoadStoreType(&X)));
  };
  const auto Lowest = Beyond(Up ? First : Last);
  const auto Highest = Beyond(Up ? Last : First);
  return (Lowest && *Lowest >= Bytes(Sum)) ||
         (Highest && *Highest <= -Bytes(I));
}

/// Is what A does to its place to add to it? Then it counts the same whenever
/// it is done.
static bool onlyAdds(const Accumulation &A) {
  const Value *Sum = A.Load;
  return all_of(A.Steps, [&](const Instruction *I) {
    // Of the others, fused ones have the sum where it is added.
    const bool Adds =
        I->getOpcode() != Instruction::FSub || I->getOperand(0) == Sum;
    Sum = I;
    return Adds;
  });
}

/// Sums in one place that LLVM leaves in memory, since others may be there. The
/// primal's are left in its order.
void Carrier::collectFixed() {
  for (Instruction &I : *B) {
    auto *S = dyn_cast<StoreInst>(&I);
    auto A = S ? accumulationOf(*S, 3, SE, AA) : std::nullopt;
    if (!A || !onlyAdds(*A))
      continue;
    Parts.insert(A->Load);
    Parts.insert(S);
    if (L.isLoopInvariant(S->getPointerOperand()) &&
        A->Load->getPointerOperand() == S->getPointerOperand() &&
        isOfAdjoints(*S))
      Fixed.push_back(std::move(*A));
  }
}

/// Adds up in a register what the loop adds to one place. All else that may be
/// there are sums, too, which do not mind when it is added.
unsigned Carrier::carryFixed() {
  unsigned Count = 0;
  for (const Accumulation &A : Fixed) {
    StoreInst *S = A.Store;
    DeclaredScopes Scopes(L.getBlocks());
    auto IsElsewhere = [&](Instruction &I) {
      return !I.mayReadOrWriteMemory() || Parts.contains(&I) ||
             (isa<LoadInst, StoreInst>(I) &&
              (Scopes.areApart(AA, I, *S) || isNeverAt(I, *S)));
    };
    if (!all_of(L.blocks(),
                [&](BasicBlock *X) { return all_of(*X, IsElsewhere); }))
      continue;
    Type *T = S->getValueOperand()->getType();
    PHINode *Sum = PHINode::Create(T, 2, "carried", B->begin());
    Sum->addIncoming(ConstantFP::getNegativeZero(T), Entry);
    Sum->addIncoming(S->getValueOperand(), Latch);
    A.Load->replaceAllUsesWith(Sum);
    BasicBlock *After = SplitEdge(B, Exit);
    IRBuilder<> IR(After->getTerminator());
    IR.setFastMathFlags(A.Steps.back()->getFastMathFlags());
    A.Load->moveBefore(After->getTerminator()->getIterator());
    Value *All = IR.CreateFAdd(A.Load, S->getValueOperand());
    S->setOperand(0, All);
    S->moveBefore(After->getTerminator()->getIterator());
    Exit = After;
    ++Count;
  }
  return Count;
}

/// Makes the sums of a group values that the loop carries. An offset of k steps
/// is a place that the member of offset 0 adds to k iterations later, so the
/// largest offset is added to first, and the smallest completes the sum: with
/// offsets -1, 0 and 1, iteration i begins the sum for place i + 1, goes on
/// with that for i, and stores that for i - 1.
void Carrier::carry(Group &G) {
  CarriedSum &Last = G.front();
  for (size_t N = 0; N < G.size(); ++N) {
    retroAssert(G[N].Offset == Last.Offset + static_cast<int64_t>(N), "carry",
                B->getParent(), "the places of a group follow each other");
    retroAssert(G[N].Load->hasOneUse(), "carry", B->getParent(),
                "what a place held is read for its sum alone");
  }
  Type *T = Last.Store->getValueOperand()->getType();
  IRBuilder<> TB(B->getTerminator());
  FastMathFlags FMF;
  FMF.setNoSignedZeros();
  FMF.setAllowReassoc();
  TB.setFastMathFlags(FMF);
  Value *Sum = nullptr;
  SmallVector<PHINode *> Carried; ///< the longest under way first
  for (CarriedSum &A : reverse(G)) {
    A.Load->replaceAllUsesWith(ConstantFP::getNegativeZero(T));
    Value *Part = A.Store->getValueOperand();
    if (Sum) {
      PHINode *P = PHINode::Create(T, 2, "carried", B->begin());
      P->addIncoming(Constant::getNullValue(T), Entry);
      P->addIncoming(Sum, Latch);
      Carried.push_back(P);
      Sum = TB.CreateFAdd(P, Part);
    } else {
      Sum = Part;
    }
  }
  auto AddTo = [&](IRBuilder<> &IR, Value *Ptr, Value *V) {
    LoadInst *Ld = IR.CreateAlignedLoad(T, Ptr, Last.Load->getAlign());
    StoreInst *St = IR.CreateAlignedStore(IR.CreateFAdd(Ld, V), Ptr,
                                          Last.Store->getAlign());
    Ld->setAAMetadata(Last.Load->getAAMetadata());
    St->setAAMetadata(Last.Store->getAAMetadata());
  };
  Value *Ptr = Last.Store->getPointerOperand();
  AddTo(TB, Ptr, Sum);
  // The last iterations leave sums unfinished, which are added behind the loop.
  BasicBlock *After = SplitEdge(B, Exit);
  IRBuilder<> AB(After->getTerminator());
  AB.setFastMathFlags(FMF);
  int64_t Step = cast<SCEVConstant>(Last.Ptr->getStepRecurrence(SE))
                     ->getAPInt()
                     .getSExtValue();
  for (size_t K = 0; K < Carried.size(); ++K) {
    int64_t Steps = static_cast<int64_t>(Carried.size() - K);
    AddTo(AB, AB.CreatePtrAdd(Ptr, AB.getInt64(Steps * Step)),
          Carried[K]->getIncomingValueForBlock(Latch));
  }
  Exit = After;
  for (CarriedSum &A : G) {
    A.Store->eraseFromParent();
    A.Load->eraseFromParent();
  }
}

unsigned Carrier::run() {
  if (!Entry || !Exit || L.getExitingBlock() != B || !L.isLoopSimplifyForm())
    return 0;
  collect();
  std::vector<Group> Groups;
  if (group(Groups)) {
    for (Group &G : Groups)
      carry(G);
    return static_cast<unsigned>(Groups.size());
  }
  collectFixed();
  return carryFixed();
}

} // namespace

unsigned carrySums(Function &F, FunctionAnalysisManager &FAM) {
  return changeInnermostLoops(F, FAM, [&](Loop &L) {
    return Carrier(L, FAM.getResult<ScalarEvolutionAnalysis>(F),
                   FAM.getResult<AAManager>(F))
        .run();
  });
}

} // namespace retro
