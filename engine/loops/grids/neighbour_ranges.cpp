// Input: a nest over a grid whose arrays may overlap, for all that is known.
// Output: two versions of the nest, and a comparison of the arrays in front of
// them; in one version LLVM is told that the arrays are apart. Without it the
// nest would stay as it is, for the sake of programs that hardly exist. It
// also has a member of Gatherer (neighbours.h).
#include "loops/grids/neighbour_ranges.h"

#include "base/unit.h"
#include "loops/each_loop.h"
#include "loops/grids/neighbours.h"
#include "loops/nest_versions.h"
#include "loops/overlap_marks.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace retro {
namespace {

/// No more pairs of arrays are compared.
constexpr size_t MostPairs = 32;

/// Two versions of a nest over a grid, one of them for arrays that are apart.
class GridVersions {
public:
  /// OwnAddress is the address of the iteration's element, of Size bytes, in an
  /// array that gave the grid its shape.
  GridVersions(Grid &G, Value *OwnAddress, uint64_t Size, ScalarEvolution &SE,
               AAResults &AA)
      : G(G), OwnAddress(OwnAddress), Size(Size), SE(SE), AA(AA) {}

  /// Makes the versions, where it can be compared but not known whether arrays
  /// overlap.
  bool make(LoopInfo &LI, DominatorTree &DT);

private:
  struct Array {
    Grid::Place At;
    Value *Like; ///< a pointer into it
    SmallVector<Instruction *> Accesses;
    bool Written;
  };
  using Pairs = SmallSet<std::pair<unsigned, unsigned>, 16>;

  bool findArrays();
  Pairs mayMeet() const;
  const SCEV *begin(const Array &A);
  Value *compare(const Pairs &Meeting);
  void note(const Pairs &Meeting, ValueToValueMapTy &VM) const;

  Grid &G;
  Value *OwnAddress;
  uint64_t Size;
  ScalarEvolution &SE;
  AAResults &AA;
  std::vector<Array> Arrays;
};

} // namespace

bool areApart(const Instruction &A, const Instruction &B) {
  const MDNode *X = A.getMetadata(ApartFrom), *Y = B.getMetadata(ApartFrom);
  return X && Y && is_contained(drop_begin(X->operands()), Y->getOperand(0));
}

/// Finds the arrays that the nest accesses. False if it accesses something
/// else.
bool GridVersions::findArrays() {
  for (BasicBlock *B : G.outermost().blocks())
    for (Instruction &I : *B) {
      if (!I.mayReadOrWriteMemory() || isa<NoAliasScopeDeclInst>(I))
        continue;
      auto *L = dyn_cast<LoadInst>(&I);
      auto *S = dyn_cast<StoreInst>(&I);
      auto At = (L && L->isSimple()) || (S && S->isSimple())
                    ? G.place(getLoadStorePointerOperand(&I))
                    : std::nullopt;
      if (!At || B != G.loops().front()->getHeader() ||
          B->getDataLayout().getTypeStoreSize(getLoadStoreType(&I)) != Size)
        return false;
      auto A = find_if(Arrays,
                       [&](const Array &X) { return X.At.Array == At->Array; });
      if (A == Arrays.end()) {
        Arrays.push_back(
            {{At->Array}, getLoadStorePointerOperand(&I), {}, false});
        A = std::prev(Arrays.end());
      }
      A->Accesses.push_back(&I);
      A->Written |= S != nullptr;
    }
  return true;
}

/// The pairs of arrays that may overlap, of which the nest writes at least one.
GridVersions::Pairs GridVersions::mayMeet() const {
  Pairs Meeting;
  DeclaredScopes Scopes(G.outermost().getBlocks());
  for (unsigned A = 0; A < Arrays.size(); ++A)
    for (unsigned O = 0; O < A; ++O)
      if ((Arrays[A].Written || Arrays[O].Written) &&
          any_of(Arrays[A].Accesses, [&](Instruction *I) {
            return any_of(Arrays[O].Accesses, [&](Instruction *J) {
              return !Scopes.areApart(AA, *I, *J);
            });
          }))
        Meeting.insert({A, O});
  return Meeting;
}

/// The address where an array begins, from the beginning of OwnAddress's array.
const SCEV *GridVersions::begin(const Array &A) {
  Value *Base = baseOf(A.Like), *OwnBase = baseOf(OwnAddress);
  auto At = G.place(OwnAddress);
  auto N = At ? G.beyond(*At, OwnBase, A.At, Base) : std::nullopt;
  const SCEV *Begin = N ? G.begin(OwnAddress) : nullptr;
  const SCEV *Offset =
      Begin ? SE.getMinusSCEV(Begin, SE.getSCEV(OwnBase)) : nullptr;
  if (!Offset || isa<SCEVCouldNotCompute>(Offset))
    return nullptr;
  return SE.getAddExpr(
      SE.getAddExpr(SE.getSCEV(Base), Offset),
      SE.getConstant(Offset->getType(), static_cast<uint64_t>(*N), true));
}

/// The comparison, before the nest, that no pair overlaps; null if impossible.
Value *GridVersions::compare(const Pairs &Meeting) {
  auto BoundsOf = [&](unsigned N) -> ArrayBounds {
    const SCEV *From = begin(Arrays[N]);
    return {From, From ? SE.getAddExpr(From, G.bytes(Size)) : nullptr};
  };
  return compareArrays(
      SmallVector<std::pair<unsigned, unsigned>>(Meeting.begin(),
                                                 Meeting.end()),
      BoundsOf, SE, G.outermost().getLoopPreheader()->getTerminator(), "apart");
}

/// Tells LLVM what has been compared, in the copy.
void GridVersions::note(const Pairs &Meeting, ValueToValueMapTy &VM) const {
  MDBuilder MDB(OwnAddress->getContext());
  MDNode *Domain = MDB.createAnonymousAliasScopeDomain("retro.grid");
  SmallVector<Metadata *> Scopes;
  for (size_t N = 0; N < Arrays.size(); ++N)
    Scopes.push_back(MDB.createAnonymousAliasScope(Domain));
  for (unsigned A = 0; A < Arrays.size(); ++A) {
    SmallVector<Metadata *> Apart;
    for (unsigned O = 0; O < Arrays.size(); ++O)
      if (Meeting.contains({std::max(A, O), std::min(A, O)}))
        Apart.push_back(Scopes[O]);
    for (Instruction *I : Arrays[A].Accesses)
      markApart(*cast<Instruction>(VM[I]), Scopes[A], Apart, ApartFrom);
  }
}

bool GridVersions::make(LoopInfo &LI, DominatorTree &DT) {
  // In a loop arrays may be swapped, and what LLVM is told has to hold for all
  // of it.
  if (G.outermost().getParentLoop() || !findArrays())
    return false;
  Pairs Meeting = mayMeet();
  if (Meeting.empty() || Meeting.size() > MostPairs)
    return false;
  Value *Apart = compare(Meeting);
  if (!Apart)
    return false;
  ValueToValueMapTy VM;
  versionNest(G.outermost(), Apart, LI, DT, VM);
  note(Meeting, VM);
  for (Loop *L : G.loops()) {
    addStringMetadataToLoop(L, Overlapping, 1);
    addStringMetadataToLoop(L, "llvm.loop.vectorize.enable", 0);
  }
  return true;
}

bool Gatherer::separate(LoopInfo &LI, DominatorTree &DT) {
  const bool Wanted = collect() && any_of(Additions, [&](const Addition &A) {
                        Contribution C;
                        return A.Added && A.At && A.At->To != Toward::Same &&
                               findParts(A.Added, C) && C.Seed;
                      });
  if (!Wanted)
    return false;
  const Seed &S = Seeds.front();
  return GridVersions(G, S.ptr(), sizeOf(S), SE, AA).make(LI, DT);
}

unsigned versionGrids(Function &F, FunctionAnalysisManager &FAM) {
  return changeInnermostLoops(F, FAM, [&](Loop &L) -> unsigned {
    return !mayOverlap(L) &&
           Gatherer(L, FAM.getResult<ScalarEvolutionAnalysis>(F),
                    FAM.getResult<AAManager>(F),
                    FAM.getResult<DominatorTreeAnalysis>(F))
               .separate(FAM.getResult<LoopAnalysis>(F),
                         FAM.getResult<DominatorTreeAnalysis>(F));
  });
}

unsigned versionPrimalGrids(Function &F, FunctionAnalysisManager &FAM) {
  return changeInnermostLoops(F, FAM, [&](Loop &L) -> unsigned {
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    if (mayOverlap(L) || !readsNeighbours(L, SE, DT))
      return 0;
    Grid G(L, SE, DT);
    for (Instruction &I : *L.getHeader())
      if (auto *S = dyn_cast<StoreInst>(&I)) {
        Value *Ptr = S->getPointerOperand();
        uint64_t Size =
            F.getDataLayout().getTypeStoreSize(S->getValueOperand()->getType());
        if (G.shapeLike(Ptr, Size))
          return GridVersions(G, Ptr, Size, SE, FAM.getResult<AAManager>(F))
              .make(FAM.getResult<LoopAnalysis>(F), DT);
      }
    return 0;
  });
}

} // namespace retro
