// Input: an innermost loop that reads and writes one array: a factorization's
// a[i * n + k], a[k * n + j] and a[i * n + j]. Output: the same with scopes
// that say which of them never meet while it runs. LLVM knows nothing of
// products of variables; without the scopes each iteration of the reverse pass
// would load and store the adjoint of a[i * n + k], which is one sum, and no
// iterations could run side by side.
#include "prepare/loops/places_apart.h"

#include "base/scev.h"
#include "facts/writes/later_places.h"
#include "loops/scopes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace retro {
namespace {

/// Loops with more places are left alone.
constexpr size_t MostPlaces = 8;

/// All accesses by one pointer.
struct Place {
  const Value *Ptr = nullptr;
  SmallVector<Instruction *, 2> Accesses;
};

/// The places from which L loads numbers, and to which it stores them; none if
/// there are too many.
SmallVector<Place> placesOf(const Loop &L) {
  SmallVector<Place> All;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      const Value *Ptr = getLoadStorePointerOperand(&I);
      // Nothing is added to the shadows of others.
      if (!Ptr || I.isVolatile() || I.isAtomic() ||
          !getLoadStoreType(&I)->isFPOrFPVectorTy())
        continue;
      auto *It = find_if(All, [&](const Place &P) { return P.Ptr == Ptr; });
      if (It == All.end())
        It = &All.emplace_back(Place{Ptr, {}});
      It->Accesses.push_back(&I);
    }
  return All.size() > MostPlaces ? SmallVector<Place>() : All;
}

/// Does L come from one element to the next wherever it goes? Vectors whose
/// elements lie far apart are slower than one element after the other, and with
/// scopes LLVM would make them.
bool isInOrder(const Loop &L, ArrayRef<Place> Places, ScalarEvolution &SE) {
  return all_of(Places, [&](const Place &P) {
    const SCEV *At = scevOf(SE, P.Ptr);
    auto *Row = dyn_cast<SCEVAddRecExpr>(At);
    auto *Step = Row && Row->getLoop() == &L && Row->isAffine()
                     ? dyn_cast<SCEVConstant>(Row->getStepRecurrence(SE))
                     : nullptr;
    const Instruction &I = *P.Accesses.front();
    return SE.isLoopInvariant(At, &L) ||
           (Step && Step->getAPInt().abs() ==
                        I.getDataLayout()
                            .getTypeStoreSize(getLoadStoreType(&I))
                            .getKnownMinValue());
  });
}

class PlacesApart {
public:
  PlacesApart(const Loop &L, LaterPlaces &Later, ScalarEvolution &SE)
      : L(L), Later(Later), Places(placesOf(L)) {
    if (!isInOrder(L, Places, SE))
      Places.clear();
  }

  bool mark();

private:
  bool areApart(const Place &A, const Place &B) const {
    return getUnderlyingObject(A.Ptr) == getUnderlyingObject(B.Ptr) &&
           all_of(A.Accesses, [&](Instruction *X) {
             return all_of(B.Accesses, [&](Instruction *Y) {
               return Later.areApartIn(*L.getHeader(), *X, *Y);
             });
           });
  }

  const Loop &L;
  LaterPlaces &Later;
  SmallVector<Place> Places;
};

void append(Instruction &I, unsigned Kind, ArrayRef<Metadata *> Scopes) {
  I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind),
                                          MDNode::get(I.getContext(), Scopes)));
}

bool PlacesApart::mark() {
  SmallVector<SmallVector<unsigned, 4>> From(Places.size());
  bool Any = false;
  for (unsigned A = 0; A < Places.size(); ++A)
    for (unsigned B = A + 1; B < Places.size(); ++B)
      if (areApart(Places[A], Places[B])) {
        From[A].push_back(B);
        From[B].push_back(A);
        Any = true;
      }
  if (!Any)
    return false;
  MDBuilder MDB(L.getHeader()->getContext());
  MDNode *Domain = MDB.createAnonymousAliasScopeDomain(DomainOfPlaces);
  IRBuilder<> IR(L.getLoopPreheader()->getTerminator());
  SmallVector<Metadata *> Scopes;
  for (size_t N = 0; N < Places.size(); ++N) {
    Scopes.push_back(MDB.createAnonymousAliasScope(Domain));
    IR.CreateNoAliasScopeDeclaration(
        MDNode::get(IR.getContext(), Scopes.back()));
  }
  for (unsigned N = 0; N < Places.size(); ++N) {
    SmallVector<Metadata *> Others;
    for (unsigned O : From[N])
      Others.push_back(Scopes[O]);
    for (Instruction *I : Places[N].Accesses) {
      append(*I, LLVMContext::MD_alias_scope, Scopes[N]);
      if (!Others.empty())
        append(*I, LLVMContext::MD_noalias, Others);
    }
  }
  return true;
}

} // namespace

unsigned markPlacesApart(Function &F, FunctionAnalysisManager &FAM,
                         const NumberBounds &Bounded) {
  FAM.invalidate(F, LoopSimplifyPass().run(F, FAM));
  LaterPlaces Later(F, FAM, Bounded);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  unsigned Count = 0;
  for (const Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (L->isInnermost() && L->getLoopPreheader())
      Count += PlacesApart(*L, Later, SE).mark();
  return Count;
}

} // namespace retro
