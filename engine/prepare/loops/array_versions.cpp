// Input: a nest of loops that reads an array again and again, and stores to
// memory that may be the same, for all that is known. Output: two versions of
// the nest, and a comparison of the ranges that it reads and stores to; in one
// version none is overwritten. Of such an array the derivative keeps one copy,
// but of one that may be overwritten what each iteration reads.
#include "prepare/loops/array_versions.h"

#include "base/scev.h"
#include "base/unit.h"
#include "facts/loops/array_ranges.h"
#include "front/known/known_functions.h"
#include "loops/nest_versions.h"
#include "loops/overlap_marks.h"
#include "loops/scopes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {
namespace {

/// Larger nests are not doubled, no more of them in one function, and no more
/// pairs of arrays are compared.
constexpr size_t MostInstructions = 400, MostNests = 16, MostPairs = 8;

/// Does a derivative need V's value, as far as additions and factors that are
/// constants lead?
bool isNeeded(const Value &V) {
  SmallSetVector<const Value *, 16> Work;
  Work.insert(&V);
  for (size_t N = 0; N < Work.size() && N < 32; ++N)
    for (const Use &U : Work[N]->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      auto *C = dyn_cast<IntrinsicInst>(I);
      const bool Fused = C && (C->getIntrinsicID() == Intrinsic::fmuladd ||
                               C->getIntrinsicID() == Intrinsic::fma);
      const unsigned At = U.getOperandNo();
      if (isa<StoreInst>(I))
        continue;
      if (I->getOpcode() == Instruction::FMul || (Fused && At < 2)) {
        if (!isa<Constant>(I->getOperand(1 - At)))
          return true;
      } else if (!Fused && !isa<PHINode, FPExtInst, FPTruncInst>(I) &&
                 I->getOpcode() != Instruction::FAdd &&
                 I->getOpcode() != Instruction::FSub &&
                 I->getOpcode() != Instruction::FNeg) {
        return true;
      }
      Work.insert(I);
    }
  return false;
}

class ArrayVersions {
public:
  ArrayVersions(Loop &Nest, Function &F, FunctionAnalysisManager &FAM)
      : Nest(Nest), Scopes(Nest.getBlocks()),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        AA(FAM.getResult<AAManager>(F)), LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)) {}

  /// False: there is nothing to do.
  bool run();

private:
  struct Array {
    const SCEVUnknown *Base = nullptr;
    const SCEV *Start = nullptr, *Low = nullptr, *High = nullptr; ///< offsets
    SmallVector<std::pair<const Loop *, const SCEV *>, 3> Steps;
    SmallVector<Instruction *> Accesses;
    bool Written = false, Kept = true;
    double Bytes = 0, Loaded = 0;
  };
  bool isRunThrough() const;
  bool findArrays();
  std::optional<Array> touched(Instruction &I);
  bool addAccess(Instruction &I);
  bool addReach(Array &A, const Loop &L, const SCEV *Step);
  double tripsOf(const Loop &L);
  bool mayMeet(const Array &A, const Array &B);
  bool isOneArray(const Array &A, const Array &B);
  bool findPairs();
  Value *compare();
  void note(ValueToValueMapTy &VM);

  Loop &Nest;
  DeclaredScopes Scopes;
  ScalarEvolution &SE;
  AAResults &AA;
  LoopInfo &LI;
  DominatorTree &DT;
  std::vector<Array> Arrays;
  SmallVector<std::pair<unsigned, unsigned>, 4> Pairs;
};

/// Has the nest nothing but loops that are left at their latches, and accesses
/// that are plain?
bool ArrayVersions::isRunThrough() const {
  size_t Count = 0;
  for (const Loop *L : Nest.getLoopsInPreorder())
    if (!L->isLoopSimplifyForm() || L->getExitingBlock() != L->getLoopLatch())
      return false;
  for (const BasicBlock *B : Nest.blocks())
    for (const Instruction &I : *B) {
      auto *C = dyn_cast<CallBase>(&I);
      if (++Count > MostInstructions || (C && !isa<IntrinsicInst>(C) &&
                                         knownCall(*C).Kind != KnownKind::Math))
        return false;
    }
  return Nest.getExitBlock();
}

double ArrayVersions::tripsOf(const Loop &L) {
  const unsigned N = SE.getSmallConstantTripCount(&L);
  return N ? N : UnknownSize;
}

/// The range gets as long as the loop goes on.
bool ArrayVersions::addReach(Array &A, const Loop &L, const SCEV *Step) {
  const SCEV *Taken = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Taken) ||
      SE.getTypeSizeInBits(Taken->getType()) > 64 ||
      !SE.isAvailableAtLoopEntry(Taken, &Nest) ||
      !SE.isAvailableAtLoopEntry(Step, &Nest))
    return false;
  const SCEV *Zero = SE.getZero(Step->getType());
  const SCEV *Reach =
      SE.getMulExpr(SE.getNoopOrZeroExtend(Taken, Step->getType()), Step);
  if (!SE.isKnownNonNegative(Step))
    A.Low = SE.getAddExpr(A.Low, SE.getSMinExpr(Reach, Zero));
  A.High = SE.getAddExpr(A.High, SE.isKnownNonNegative(Step)
                                     ? Reach
                                     : SE.getSMaxExpr(Reach, Zero));
  A.Bytes += expectedSize(Step) * tripsOf(L);
  return true;
}

bool ArrayVersions::isOneArray(const Array &A, const Array &B) {
  return A.Base == B.Base && A.Steps == B.Steps &&
         isa<SCEVConstant>(SE.getMinusSCEV(A.Start, B.Start));
}

/// What one access touches in the nest, as an array of its own; nothing if that
/// is not known before the nest.
std::optional<ArrayVersions::Array> ArrayVersions::touched(Instruction &I) {
  const SCEV *P = scevOf(SE, getLoadStorePointerOperand(&I));
  Array A;
  A.Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(P));
  A.Start = SE.removePointerBase(P);
  if (!A.Base || !SE.isAvailableAtLoopEntry(A.Base, &Nest) ||
      !A.Start->getType()->isIntegerTy(64))
    return std::nullopt;
  const SCEV *Size =
      SE.getStoreSizeOfExpr(A.Start->getType(), getLoadStoreType(&I));
  const Loop *Inner = LI.getLoopFor(I.getParent());
  A.Low = SE.getZero(A.Start->getType());
  A.High = Size;
  A.Loaded = A.Bytes = expectedSize(Size);
  for (const Loop *X = Inner;; X = X->getParentLoop()) {
    auto *Row = dyn_cast<SCEVAddRecExpr>(A.Start);
    A.Loaded *= tripsOf(*X);
    if (Row && Row->getLoop() == X) {
      const SCEV *Step = Row->getStepRecurrence(SE);
      if (!Row->isAffine() || !addReach(A, *X, Step))
        return std::nullopt;
      A.Steps.push_back({X, Step});
      A.Start = Row->getStart();
    }
    if (X == &Nest)
      break;
  }
  if (!SE.isAvailableAtLoopEntry(A.Start, &Nest))
    return std::nullopt;
  A.Low = SE.getAddExpr(A.Start, A.Low);
  A.High = SE.getAddExpr(A.Start, A.High);
  // If no place is read again, the range is as long as it is often read.
  const bool Again = any_of(A.Steps, [&](const auto &X) {
    return count_if(A.Steps,
                    [&](const auto &Y) { return X.second == Y.second; }) > 1;
  });
  if (A.Steps.size() == Inner->getLoopDepth() - Nest.getLoopDepth() + 1 &&
      !Again)
    A.Bytes = std::max(A.Bytes, A.Loaded);
  A.Accesses.push_back(&I);
  A.Written = isa<StoreInst>(I);
  A.Kept = isa<LoadInst>(I) && I.getType()->isFPOrFPVectorTy() &&
           DT.dominates(I.getParent(), Inner->getLoopLatch());
  return A;
}

/// Adds an access to the array that it is of.
bool ArrayVersions::addAccess(Instruction &I) {
  auto *L = dyn_cast<LoadInst>(&I);
  auto *S = dyn_cast<StoreInst>(&I);
  if (!(L && L->isSimple()) && !(S && S->isSimple()))
    return false;
  std::optional<Array> Found = touched(I);
  if (!Found)
    return false;
  Array &A = *Found;
  for (Array &B : Arrays)
    if (isOneArray(A, B)) {
      B.Low = SE.getSMinExpr(A.Low, B.Low);
      B.High = SE.getSMaxExpr(A.High, B.High);
      B.Accesses.push_back(&I);
      B.Written |= A.Written;
      B.Kept &= A.Kept;
      B.Loaded += A.Loaded;
      return true;
    }
  Arrays.push_back(std::move(A));
  return true;
}

bool ArrayVersions::findArrays() {
  for (BasicBlock *B : Nest.blocks())
    for (Instruction &I : *B) {
      auto *C = dyn_cast<CallBase>(&I);
      if (I.mayReadOrWriteMemory() && !isa<NoAliasScopeDeclInst>(I) &&
          !(C && knownCall(*C).Kind == KnownKind::Math) && !addAccess(I))
        return false;
    }
  return true;
}

bool ArrayVersions::mayMeet(const Array &A, const Array &B) {
  return any_of(A.Accesses, [&](Instruction *I) {
    return any_of(B.Accesses,
                  [&](Instruction *J) { return !Scopes.areApart(AA, *I, *J); });
  });
}

/// The pairs of an array that is read and one that is written, where they may
/// overlap. False: none of them is of an array that is worth a copy. The others
/// are compared as well, since iterations commute where none writes what
/// another one reads.
bool ArrayVersions::findPairs() {
  bool Gains = false;
  for (unsigned N = 0; N < Arrays.size(); ++N) {
    const Array &A = Arrays[N];
    SmallVector<std::pair<unsigned, unsigned>, 4> With;
    bool Overlaps = A.Written;
    for (unsigned O = 0; O < Arrays.size() && !Overlaps; ++O) {
      if (!Arrays[O].Written || !mayMeet(A, Arrays[O]))
        continue;
      // Of one array a nest reads what it has written, as a rule.
      Overlaps = A.Base == Arrays[O].Base &&
                 isa<SCEVConstant>(SE.getMinusSCEV(A.Start, Arrays[O].Start));
      With.push_back({N, O});
    }
    if (Overlaps || With.empty())
      continue;
    Pairs.append(With);
    Gains |= A.Kept && A.Bytes * 2 <= A.Loaded &&
             any_of(A.Accesses, [](auto *I) { return isNeeded(*I); });
  }
  return Gains && Pairs.size() <= MostPairs;
}

/// The comparison, before the nest; null if it cannot be computed there.
Value *ArrayVersions::compare() {
  Instruction *At = Nest.getLoopPreheader()->getTerminator();
  auto BoundsOf = [&](unsigned N) -> ArrayBounds {
    const Array &A = Arrays[N];
    return {SE.getAddExpr(A.Base, A.Low), SE.getAddExpr(A.Base, A.High)};
  };
  Value *All = compareArrays(Pairs, BoundsOf, SE, At, "arrays");
  return All ? IRBuilder<>(At).CreateFreeze(All, "apart") : nullptr;
}

/// Says in the copy what has been compared.
void ArrayVersions::note(ValueToValueMapTy &VM) {
  LLVMContext &C = Nest.getHeader()->getContext();
  MDBuilder MDB(C);
  MDNode *Domain = MDB.createAnonymousAliasScopeDomain("retro.arrays");
  DenseMap<unsigned, Metadata *> ScopeOf;
  SmallVector<Metadata *> All;
  for (auto [N, O] : Pairs)
    for (unsigned X : {N, O})
      if (!ScopeOf.contains(X)) {
        ScopeOf[X] = MDB.createAnonymousAliasScope(Domain);
        All.push_back(ScopeOf[X]);
      }
  for (unsigned X = 0; X < Arrays.size(); ++X) {
    if (!ScopeOf.contains(X))
      continue;
    SmallVector<Metadata *> Others;
    for (auto [N, O] : Pairs)
      if (N == X || O == X)
        Others.push_back(ScopeOf[N == X ? O : N]);
    for (Instruction *I : Arrays[X].Accesses)
      markApart(*cast<Instruction>(VM[I]), ScopeOf[X], Others, ApartInNest);
  }
  Loop *Copied = LI.getLoopFor(cast<BasicBlock>(VM[Nest.getHeader()]));
  IRBuilder<> IR(Copied->getLoopPreheader()->getTerminator());
  for (Metadata *Scope : All)
    IR.CreateNoAliasScopeDeclaration(MDNode::get(C, Scope));
  addStringMetadataToLoop(Copied, ApartNest, 1);
}

bool ArrayVersions::run() {
  if (!isRunThrough() || !findArrays() || !findPairs())
    return false;
  Value *Apart = compare();
  if (!Apart)
    return false;
  ValueToValueMapTy VM;
  versionNest(Nest, Apart, LI, DT, VM);
  note(VM);
  for (Loop *L : Nest.getLoopsInPreorder())
    addStringMetadataToLoop(L, Overlapping, 1);
  return true;
}

/// Is the loop of a nest that there are two versions of?
bool isVersion(const Loop &L) {
  return mayOverlap(L) || findOptionMDForLoop(&L, ApartNest) ||
         (L.getParentLoop() && isVersion(*L.getParentLoop()));
}

} // namespace

unsigned versionForArrays(Function &F, FunctionAnalysisManager &FAM) {
  FunctionPassManager Form;
  Form.addPass(LoopSimplifyPass());
  Form.addPass(LCSSAPass());
  FAM.invalidate(F, Form.run(F, FAM));
  unsigned Count = 0;
  for (bool Again = true; Again && Count < MostNests;) {
    Again = false;
    for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
      if (isVersion(*L) || !ArrayVersions(*L, F, FAM).run())
        continue;
      FAM.invalidate(F, PreservedAnalyses::none());
      ++Count;
      Again = true;
      break;
    }
  }
  return Count;
}

} // namespace retro
