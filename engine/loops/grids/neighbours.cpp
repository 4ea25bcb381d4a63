// Input: the adjoint of a stencil on a grid with clamped or periodic indices.
// It reads a place's adjoint, the seed, and adds something to the place's
// neighbours. Output: where it adds the same to the next and to the prior place
// in a direction, each place adds up what its neighbours would have given. That
// is the same, since who is next to whom is symmetric, at the two ends of the
// grid as well. Seeds are read more than once then, so they are set to zero
// behind the nest. The same symmetry moves neighbours in a sum over all places:
// the sum of x[c] * (y[next c] + y[prior c]) is that of y[c] * (x[next c] +
// x[prior c]).
#include "loops/grids/neighbours.h"

#include "loops/each_loop.h"
#include "loops/grids/grids.h"
#include "loops/overlap_marks.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {

Value *baseOf(Value *Ptr) {
  while (auto *P = dyn_cast<GetElementPtrInst>(Ptr))
    Ptr = P->getPointerOperand();
  return Ptr;
}

FastMathFlags inAnyOrder() {
  FastMathFlags FMF;
  FMF.setNoSignedZeros();
  FMF.setAllowReassoc();
  return FMF;
}

/// Does nothing write to their place between the load and the store?
bool Gatherer::isSafe(StoreInst &S, LoadInst &From) const {
  for (Instruction *I = From.getNextNode(); I != &S; I = I->getNextNode())
    if (I->mayWriteToMemory() &&
        isModSet(AA.getModRefInfo(I, MemoryLocation::get(&From))))
      return false;
  return true;
}

/// The load from Ptr with which the sum V begins; or null.
static LoadInst *summand(Value *V, Value *Ptr, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !I->hasOneUse())
    return nullptr;
  if (auto *L = dyn_cast<LoadInst>(I))
    return L->isSimple() && L->getPointerOperand() == Ptr ? L : nullptr;
  const bool Minus = I->getOpcode() == Instruction::FSub;
  if ((!Minus && I->getOpcode() != Instruction::FAdd) || Depth == 0)
    return nullptr;
  LoadInst *L = summand(I->getOperand(0), Ptr, Depth - 1);
  return L || Minus ? L : summand(I->getOperand(1), Ptr, Depth - 1);
}

bool Gatherer::collectStore(StoreInst &S) {
  Value *V = S.getValueOperand(), *Ptr = S.getPointerOperand();
  if (!S.isSimple() || !V->getType()->isFloatingPointTy())
    return false;
  if (auto *C = dyn_cast<ConstantFP>(V)) {
    for (Instruction *I = S.getPrevNode(); I && C->isExactlyValue(0.0);
         I = I->getPrevNode())
      if (auto *L = dyn_cast<LoadInst>(I);
          L && L->isSimple() && L->getPointerOperand() == Ptr) {
        if (L->getType() != V->getType() || !isSafe(S, *L))
          return false;
        Seeds.push_back({L, &S, {}});
        return true;
      }
    return false;
  }
  LoadInst *L = summand(V, Ptr, 3);
  if (!L || L->getParent() != B || L->getType() != V->getType() ||
      !isSafe(S, *L))
    return false;
  auto *Sum = cast<Instruction>(V);
  Value *Added = Sum->getOperand(0) == L   ? Sum->getOperand(1)
                 : Sum->getOperand(1) == L ? Sum->getOperand(0)
                                           : nullptr;
  if (Added && Sum->getOpcode() == Instruction::FSub) {
    IRBuilder<> IR(Sum);
    IR.setFastMathFlags(Sum->getFastMathFlags());
    Added = IR.CreateFNeg(Added);
    S.setOperand(0, IR.CreateFAdd(L, Added));
    Sum->eraseFromParent();
  }
  Additions.push_back({L, &S, Added, std::nullopt});
  return true;
}

bool Gatherer::collect() {
  for (Instruction &I : *B)
    if (auto *S = dyn_cast<StoreInst>(&I); S && !collectStore(*S))
      return false;
  auto First = find_if(Seeds, [&](const Seed &S) {
    return G.shapeLike(S.ptr(),
                       B->getDataLayout().getTypeStoreSize(S.Load->getType()));
  });
  if (First == Seeds.end())
    return false;
  Type *Element = First->Load->getType();
  SmallPtrSet<const Instruction *, 16> Parts;
  erase_if(Seeds, [&](Seed &S) {
    auto At = G.place(S.ptr());
    if (!At || At->To != Toward::Same || S.Load->getType() != Element) {
      Others.push_back(S.Zero);
      return true;
    }
    S.At = *At;
    Parts.insert_range(ArrayRef<Instruction *>{S.Load, S.Zero});
    return false;
  });
  for (Addition &A : Additions) {
    A.At = G.place(A.ptr());
    Parts.insert_range(ArrayRef<Instruction *>{A.Load, A.Store});
  }
  for (BasicBlock *In : G.outermost().blocks())
    for (Instruction &I : *In) {
      if (!I.mayReadOrWriteMemory() || Parts.contains(&I) ||
          isa<NoAliasScopeDeclInst>(I))
        continue;
      if (!isa<LoadInst>(I) && !is_contained(Others, &I))
        return false;
      if (isa<LoadInst>(I))
        Others.push_back(&I);
    }
  return Others.size() + Parts.size() <= 200;
}

/// Does nothing else in the nest touch the seed's array?
bool Gatherer::isAlone(const Seed &S) const {
  return all_of(Others, [&](Instruction *I) { return isApart(*S.Load, *I); }) &&
         all_of(
             Additions,
             [&](const Addition &A) { return isApart(*S.Load, *A.Store); }) &&
         all_of(Seeds, [&](const Seed &O) {
           return &O == &S || isApart(*S.Load, *O.Zero);
         });
}

bool Gatherer::isOnlyAddedTo(const Addition &A) const {
  return all_of(Others,
                [&](Instruction *I) { return isApart(*A.Store, *I); }) &&
         all_of(Seeds,
                [&](const Seed &S) { return isApart(*A.Store, *S.Zero); });
}

/// Does the nest leave unchanged what L loads?
bool Gatherer::isConstant(const LoadInst &L) const {
  return all_of(Others,
                [&](Instruction *I) {
                  return isa<LoadInst>(I) || isApart(L, *I);
                }) &&
         all_of(Additions,
                [&](const Addition &A) { return isApart(L, *A.Store); }) &&
         all_of(Seeds, [&](const Seed &S) { return isApart(L, *S.Zero); });
}

/// Ptr as an address in another object, Beyond bytes on.
Value *Gatherer::rebase(Value *Ptr, Value *Base, int64_t Beyond,
                        IRBuilder<> &IR) const {
  auto *P = dyn_cast<GetElementPtrInst>(Ptr);
  if (!P)
    return Beyond ? IR.CreatePtrAdd(Base, IR.getInt64(Beyond)) : Base;
  auto *New = cast<GetElementPtrInst>(P->clone());
  New->setOperand(0, rebase(P->getPointerOperand(), Base, Beyond, IR));
  New->setNoWrapFlags(GEPNoWrapFlags::none());
  return IR.Insert(New);
}

/// The address, in the array To that Like points into, of the place whose
/// address in array From is Ptr. Null if the arrays are not a constant distance
/// apart.
Value *Gatherer::toArray(Value *Ptr, const Grid::Place &From, Value *Like,
                         const Grid::Place &To, IRBuilder<> &IR) {
  auto N = G.beyond(From, baseOf(Ptr), To, baseOf(Like));
  return N ? rebase(Ptr, baseOf(Like), *N, IR) : nullptr;
}

bool Gatherer::addTogether(Seed &S,
                           const std::map<Direction, Addition> &Members) {
  const Addition One = Members.begin()->second;
  NeighbourAddresses Addresses;
  for (auto &[To, A] : Members)
    Addresses[To] = A.ptr();
  IRBuilder<> IR(B->getTerminator());
  Value *At = toArray(S.ptr(), S.At, One.ptr(), *One.At, IR);
  // What the place gives to itself is added together with what neighbours give.
  auto OwnAddition = find_if(Additions, [&](const Addition &A) {
    return A.Added && A.At && A.At->To == Toward::Same &&
           A.At->Array == One.At->Array && isOnlyAddedTo(A);
  });
  Use *Gives = nullptr;
  if (OwnAddition != Additions.end())
    Gives =
        find_if(cast<User>(OwnAddition->Store->getValueOperand())->operands(),
                [&](const Use &U) { return U == OwnAddition->Added; });
  Value *Sum =
      At ? givenBy(S, One.Added, Gives, Addresses, *One.At, IR) : nullptr;
  if (!Sum)
    return false;
  IR.setFastMathFlags(inAnyOrder());
  if (Gives)
    Sum = IR.CreateFAdd(*Gives, Sum);
  LoadInst *Old = loadAt(*One.Load, At, IR);
  Value *New = IR.CreateFAdd(Old, Sum);
  auto *St = cast<StoreInst>(One.Store->clone());
  St->setOperand(0, New);
  St->setOperand(StoreInst::getPointerOperandIndex(), At);
  St->setAlignment(Old->getAlign());
  IR.Insert(St);
  if (OwnAddition == Additions.end()) {
    Additions.push_back({Old, St, Sum, Grid::Place{One.At->Array}});
  } else {
    OwnAddition->Store->eraseFromParent();
    *OwnAddition = {Old, St, Sum, OwnAddition->At};
  }
  return true;
}

/// Returns how many fewer additions there are.
unsigned Gatherer::gather(Seed &S) {
  if (!isAlone(S))
    return 0;
  struct Group {
    Polynomial Array;
    Value *Added;
    std::map<Direction, Addition> Members;
  };
  std::vector<Group> Groups; // in the order of the code
  for (Addition &A : Additions) {
    if (!A.Added || !A.At || A.At->To == Toward::Same ||
        !isGivenBy(A.Added, S) || !isOnlyAddedTo(A))
      continue;
    auto In = find_if(Groups, [&](const Group &Of) {
      return Of.Added == A.Added && Of.Array == A.At->Array;
    });
    if (In == Groups.end())
      In = Groups.insert(In, {A.At->Array, A.Added, {}});
    // A second addition in the same direction stays as it is.
    In->Members.try_emplace({A.At->Level, A.At->To}, A);
  }
  SmallPtrSet<StoreInst *, 8> Done;
  for (auto &[Array, Added, Members] : Groups) {
    Grid::keepPairs(Members);
    if (Members.empty() || !addTogether(S, Members))
      continue;
    for (auto &[To, A] : Members)
      Done.insert(A.Store);
  }
  erase_if(Additions, [&](Addition &A) {
    if (!Done.contains(A.Store))
      return false;
    A.Store->eraseFromParent(); // LLVM removes what only it has needed
    return true;
  });
  return static_cast<unsigned>(Done.size());
}

uint64_t Gatherer::sizeOf(const Seed &S) const {
  return B->getDataLayout().getTypeStoreSize(S.Load->getType());
}

void Gatherer::zeroBehind(Seed &S) {
  SCEVExpander Expand(SE, "neighbours");
  BasicBlock *Exit = G.outermost().getExitBlock();
  auto Where = Exit->getFirstInsertionPt();
  Value *Begin =
      Expand.expandCodeFor(G.begin(S.ptr()), S.ptr()->getType(), Where);
  Value *Bytes = Expand.expandCodeFor(G.bytes(sizeOf(S)), nullptr, Where);
  IRBuilder<> IR(Exit, Where);
  auto *Set = IR.CreateMemSet(Begin, IR.getInt8(0), Bytes, S.Zero->getAlign());
  AAMDNodes Tags = Scopes.placeBeyond(*S.Zero).AATags;
  Tags.TBAA = nullptr;
  Set->setAAMetadata(Tags);
  S.Zero->eraseFromParent();
}

unsigned Gatherer::run() {
  if (!collect())
    return 0;
  unsigned Done = 0;
  SCEVExpander Expand(SE, "neighbours");
  for (size_t N = 0; N < Seeds.size(); ++N) {
    Seed &S = Seeds[N];
    const SCEV *Begin = G.begin(S.ptr());
    if (!Begin || !Expand.isSafeToExpand(Begin) ||
        !Expand.isSafeToExpand(G.bytes(sizeOf(S))))
      continue;
    unsigned Replaced = gather(S);
    if (Replaced == 0)
      continue;
    Done += Replaced;
    moveInSums(S);
    zeroBehind(S);
    Seeds.erase(Seeds.begin() + static_cast<std::ptrdiff_t>(N--));
  }
  if (Done && hasNoOrder())
    for (auto [Level, L] : enumerate(G.loops()))
      if (Level > 0 && G.isBackward(static_cast<unsigned>(Level)))
        mirror(*L);
  return Done;
}

bool readsNeighbours(Function &F, FunctionAnalysisManager &FAM) {
  bool Found = false;
  changeInnermostLoops(F, FAM, [&](Loop &L) {
    Found |= readsNeighbours(L, FAM.getResult<ScalarEvolutionAnalysis>(F),
                             FAM.getResult<DominatorTreeAnalysis>(F));
    return 0u;
  });
  return Found;
}

unsigned gatherNeighbours(Function &F, FunctionAnalysisManager &FAM) {
  return changeInnermostLoops(F, FAM, [&](Loop &L) {
    return mayOverlap(L)
               ? 0
               : Gatherer(L, FAM.getResult<ScalarEvolutionAnalysis>(F),
                          FAM.getResult<AAManager>(F),
                          FAM.getResult<DominatorTreeAnalysis>(F))
                     .run();
  });
}

} // namespace retro
