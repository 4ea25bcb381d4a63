// Input: a loop that stores to places which it looks up in a list. Two
// iterations may store to one place, and the last one counts, so LLVM runs no
// such loop in vectors. Output: metadata that allows it, where what is stored
// depends on nothing but the place, so that the order does not matter.
#include "polish/scatters/scatters.h"
#include "base/scev.h"
#include "loops/vector_loop.h"
#include "ranges/access_ranges.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace retro {
namespace {

/// If there are more pairs of accesses, none are compared.
constexpr size_t MostComparisons = 10000;

class ScatterLoop {
public:
  ScatterLoop(Loop &L, ScalarEvolution &SE, AAResults &AA,
              const DominatorTree &DT, const TargetTransformInfo &TTI)
      : L(L), SE(SE), DT(DT), TTI(TTI), Any(AA) {
    Any.enableCrossIterationMode();
  }

  bool run();

private:
  bool findAccesses();
  bool isSeenByItselfAlone(const StoreInst &S);
  Value *indexOf(const StoreInst &S) const;
  bool dependsOnlyOn(const Value *Index, const Value *V);
  bool isAlways(const Instruction &I) const {
    return DT.dominates(I.getParent(), L.getLoopLatch());
  }
  InstructionCost selectCost(Type *T) const;
  bool pays() const;

  Loop &L;
  ScalarEvolution &SE;
  const DominatorTree &DT;
  const TargetTransformInfo &TTI;
  BatchAAResults Any;
  SmallVector<const Instruction *> Accesses;
  SmallPtrSet<const Value *, 32> Visited;
  unsigned Lanes = 1;
};

/// Collects all accesses of memory, which every iteration makes. False if there
/// are others.
bool ScatterLoop::findAccesses() {
  size_t Stores = 0;
  for (BasicBlock *B : L.blocks())
    for (const Instruction &I : *B) {
      const bool IsAccess = isa<LoadInst, StoreInst>(I);
      if (!isForVectors(I) || (IsAccess && !isAlways(I)))
        return false;
      if (IsAccess)
        Accesses.push_back(&I);
      Stores += isa<StoreInst>(I);
    }
  return Stores && Stores * Accesses.size() <= MostComparisons;
}

bool ScatterLoop::isSeenByItselfAlone(const StoreInst &S) {
  return all_of(Accesses, [&](const Instruction *I) {
    return I == &S ||
           Any.isNoAlias(MemoryLocation::get(I), MemoryLocation::get(&S));
  });
}

/// The index that two iterations must share for their stores to overlap; or
/// null.
Value *ScatterLoop::indexOf(const StoreInst &S) const {
  const Value *Ptr = S.getPointerOperand();
  auto *Sum = dyn_cast<SCEVAddExpr>(scevOf(SE, Ptr));
  if (!Sum)
    return nullptr;
  const SCEV *Varies = nullptr;
  for (const SCEV *Term : Sum->operands())
    if (!SE.isLoopInvariant(Term, &L)) {
      if (Varies)
        return nullptr;
      Varies = Term;
    }
  auto X = Varies ? scaledIndexOf(Varies) : std::nullopt;
  if (!X || static_cast<uint64_t>(std::abs(X->Scale)) <
                S.getDataLayout()
                    .getTypeStoreSize(S.getValueOperand()->getType())
                    .getFixedValue())
    return nullptr;
  // Products of different indices are different if none overflows.
  if (X->Extended)
    return X->Index->getType()->getIntegerBitWidth() <= 32 ? X->Index : nullptr;
  auto *GEP = dyn_cast<GEPOperator>(Ptr);
  return GEP && GEP->isInBounds() && GEP->getNumIndices() == 1 &&
                 GEP->getOperand(1) == X->Index
             ? X->Index
             : nullptr;
}

/// Is V the same in all iterations with the same index?
bool ScatterLoop::dependsOnlyOn(const Value *Index, const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (V == Index || !I || !L.contains(I) || !Visited.insert(V).second)
    return true;
  auto Operands = [&](const Instruction *X) {
    return all_of(X->operands(), [&](const Use &U) {
      return isa<BasicBlock>(U) || dependsOnlyOn(Index, U);
    });
  };
  // All branches but the loop's own decide where a phi's value comes from.
  if (isa<PHINode>(I) && (I->getParent() == L.getHeader() ||
                          any_of(L.blocks(), [&](BasicBlock *B) {
                            return B != L.getLoopLatch() &&
                                   !Operands(B->getTerminator());
                          })))
    return false;
  return Operands(I);
}

InstructionCost ScatterLoop::selectCost(Type *T) const {
  Type *Wide = FixedVectorType::get(T, Lanes);
  return TTI.getCmpSelInstrCost(
      Instruction::Select, Wide, CmpInst::makeCmpResultType(Wide),
      CmpInst::BAD_FCMP_PREDICATE, TargetTransformInfo::TCK_RecipThroughput);
}

/// Do vectors save a tenth of the arithmetic on floating-point numbers? A block
/// that not all iterations run counts as run by one in two. What mispredicted
/// branches cost is left out.
bool ScatterLoop::pays() const {
  constexpr auto Kind = TargetTransformInfo::TCK_RecipThroughput;
  InstructionCost Twice = 0, Vector = 0;
  for (BasicBlock *B : L.blocks())
    for (const Instruction &I : *B) {
      auto *S = dyn_cast<StoreInst>(&I);
      Type *T = S ? S->getValueOperand()->getType() : I.getType();
      if (!T->isFloatingPointTy() || (B == L.getHeader() && isa<PHINode>(I)))
        continue;
      if (isa<PHINode>(I)) {
        Vector += selectCost(T);
        continue;
      }
      InstructionCost Once = TTI.getInstructionCost(&I, Kind);
      Twice += isAlways(I) ? Once * 2 : Once;
      Vector += vectorCost(I, Lanes, isInRow(I, L, SE), TTI);
    }
  return Twice.isValid() && Vector.isValid() && Twice * Lanes * 5 > Vector * 11;
}

bool ScatterLoop::run() {
  if (!L.isLoopSimplifyForm() || L.getExitingBlock() != L.getLoopLatch() ||
      !findAccesses() || isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)))
    return false;
  unsigned Bits = 32;
  bool Scatters = false;
  for (const Instruction *I : Accesses) {
    auto *S = dyn_cast<StoreInst>(I);
    if (!S)
      continue;
    Type *T = S->getValueOperand()->getType();
    if ((!T->isFloatTy() && !T->isDoubleTy()) || !isSeenByItselfAlone(*S))
      return false;
    Bits = std::max(Bits, T->getScalarSizeInBits());
    if (isApartInEach(*S, L, SE))
      continue;
    Value *Index = indexOf(*S);
    Visited.clear();
    if (!Index || !dependsOnlyOn(Index, S->getValueOperand()))
      return false;
    Scatters = true;
  }
  Lanes = lanesOf(Bits, TTI);
  if (!Scatters || Lanes < 2 || !pays())
    return false;
  runInVectors(L.getBlocks(), *L.getLoopLatch()->getTerminator(), Lanes);
  return true;
}

} // namespace

unsigned markScatters(Function &F, FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AA = FAM.getResult<AAManager>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  auto Loops = FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder();
  return static_cast<unsigned>(count_if(Loops, [&](Loop *L) {
    return L->isInnermost() && ScatterLoop(*L, SE, AA, DT, TTI).run();
  }));
}

} // namespace retro
