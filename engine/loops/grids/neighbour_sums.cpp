// Sums over all places of a grid: neighbours that only such a sum reads are
// moved to the other factor, and places are taken in the order of memory.
// Without it a nest with such a sum would stay as it is. Members of Gatherer
// (neighbours.h).
#include "loops/grids/neighbours.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {

/// Is I used for nothing but a sum over the whole nest?
bool Gatherer::isSummedUp(Instruction &I) const {
  Instruction *V = &I;
  SmallPtrSet<const User *, 8> Sums;
  PHINode *Inner = nullptr; ///< the inner loop's sum
  for (const Loop *L : G.loops()) {
    PHINode *P = nullptr;
    while (!P) {
      Instruction *Next = nullptr;
      for (User *U : V->users()) {
        auto *X = cast<Instruction>(U);
        if (!L->contains(X) || X == Inner)
          continue;
        auto *Phi = dyn_cast<PHINode>(X);
        if (Next || P)
          return false;
        if (Phi && Phi->getParent() == L->getHeader())
          P = Phi;
        else if (Phi ? Phi->getNumIncomingValues() == 1
                     : X->getOpcode() == Instruction::FAdd)
          Next = X;
        else
          return false;
      }
      if (!P && (!Next || (!isa<PHINode>(Next) && !V->hasOneUse())))
        return false;
      if (Next) {
        V = Next;
        Sums.insert(V);
      }
    }
    // Nothing else reads the partial sum.
    const User *To = P->hasOneUse() ? P->user_back() : nullptr;
    while (!Inner && To && !Sums.contains(To))
      To = cast<Instruction>(To)->getOpcode() == Instruction::FAdd &&
                   To->hasOneUse()
               ? To->user_back()
               : nullptr;
    if (!To || (Inner && To != Inner))
      return false;
    Inner = P;
  }
  return true;
}

void Gatherer::findNeighbours(Value *V, SmallVectorImpl<Use *> &Found,
                              unsigned Depth) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != B || !I->hasOneUse() || Depth == 0)
    return;
  SmallVector<Use *, 2> Operands;
  auto *C = dyn_cast<IntrinsicInst>(I);
  if (I->getOpcode() == Instruction::FAdd)
    Operands = {&I->getOperandUse(0), &I->getOperandUse(1)};
  else if (I->getOpcode() == Instruction::FSub)
    Operands = {&I->getOperandUse(0)};
  else if (C && (C->getIntrinsicID() == Intrinsic::fmuladd ||
                 C->getIntrinsicID() == Intrinsic::fma))
    Operands = {&C->getArgOperandUse(2)};
  for (Use *U : Operands)
    if (isa<LoadInst>(U->get()))
      Found.push_back(U);
    else
      findNeighbours(U->get(), Found, Depth - 1);
}

/// The place that V is loaded from, if the nest does not change what is there.
std::optional<Grid::Place> Gatherer::constantPlace(Value *V) {
  auto *L = dyn_cast<LoadInst>(V);
  return L && L->getParent() == B && L->isSimple() && isConstant(*L)
             ? G.place(L->getPointerOperand())
             : std::nullopt;
}

/// Is V a sum of zeros, which removed summands have left?
static bool isNothing(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  const unsigned Op = I ? I->getOpcode() : 0;
  return match(V, PatternMatch::m_AnyZeroFP()) ||
         ((Op == Instruction::FAdd || Op == Instruction::FSub ||
           Op == Instruction::FNeg) &&
          all_of(I->operands(), [](Value *O) { return isNothing(O); }));
}

/// Removes neighbours of what the nest only reads from the sum. Returns, for
/// each array, the iteration's own element and the sum of the seed's neighbours
/// that is multiplied by it instead.
std::vector<Gatherer::Moved> Gatherer::moveOut(Seed &S, Use &Sum,
                                               IRBuilder<> &IR) {
  SmallVector<Use *> Found;
  findNeighbours(Sum, Found, MostSummands);
  std::map<Polynomial, std::map<Direction, Use *>> Arrays;
  for (Use *U : Found)
    if (auto At = constantPlace(*U); At && At->To != Toward::Same)
      Arrays[At->Array].try_emplace({At->Level, At->To}, U);
  std::vector<Moved> All;
  for (auto &[Array, Uses] : Arrays) {
    Grid::keepPairs(Uses);
    if (Uses.empty())
      continue;
    const Grid::Place OwnPlace{Array};
    NeighbourAddresses Addresses;
    for (auto &[To, U] : Uses)
      Addresses[To] = cast<LoadInst>(U->get())->getPointerOperand();
    auto *Like = cast<LoadInst>(Uses.begin()->second->get());
    Value *At = toArray(S.ptr(), S.At, Like->getPointerOperand(), OwnPlace, IR);
    Value *OfSeeds = At ? sumOf(S, Addresses, OwnPlace, IR) : nullptr;
    if (!OfSeeds)
      continue;
    All.push_back({loadAt(*Like, At, IR), OfSeeds, Array});
    for (auto &[To, U] : Uses)
      U->set(ConstantFP::getNegativeZero(Like->getType()));
  }
  return All;
}

/// Product is the seed times Sum. Neighbours in Sum, of what the nest only
/// reads, are replaced: what is read at the place itself is multiplied by the
/// seed's neighbours. A multiple of it in Sum comes along.
void Gatherer::moveIn(Seed &S, Instruction &Product, Use &Sum) {
  IRBuilder<> IR(Product.getNextNode());
  IR.setFastMathFlags(inAnyOrder());
  const std::vector<Moved> All = moveOut(S, Sum, IR);
  if (All.empty())
    return;
  SmallVector<Use *> Uses(make_pointer_range(Product.uses()));
  SmallVector<Value *> Products;
  for (const Moved &M : All) {
    auto IsOwn = [&](Value *V) {
      auto At = V->getType() == M.OwnElement->getType() ? constantPlace(V)
                                                        : std::nullopt;
      return At && At->To == Toward::Same && At->Array == M.Array;
    };
    Value *Seeds = withMultiple(M.OfSeeds, Sum, IsOwn, S.Load, IR);
    Products.push_back(IR.CreateFMul(M.OwnElement, Seeds));
  }
  // LLVM does not remove a product with zero, as the seed may be infinite.
  Value *New = isNothing(Sum) ? nullptr : &Product;
  for (Value *P : Products)
    New = New ? IR.CreateFAdd(New, P) : P;
  for (Use *U : Uses)
    U->set(New);
}

void Gatherer::moveInSums(Seed &S) {
  SmallVector<Use *> Uses(make_pointer_range(S.Load->uses()));
  for (Use *U : Uses) {
    auto *P = cast<Instruction>(U->getUser());
    if (P->getOpcode() == Instruction::FMul && P->getParent() == B &&
        isSummedUp(*P))
      moveIn(S, *P, P->getOperandUse(1 - U->getOperandNo()));
  }
}

/// The value that a phi with one predecessor passes on.
static Value *passedOn(Value *V) {
  while (auto *P = dyn_cast<PHINode>(V)) {
    if (P->getNumIncomingValues() != 1)
      break;
    V = P->getIncomingValue(0);
  }
  return V;
}

/// Is P, in a level's loop, a partial sum, and used for nothing but that sum?
bool Gatherer::isSum(PHINode &P, unsigned Level) const {
  auto Next = [&](PHINode &Phi, unsigned At) {
    return passedOn(
        Phi.getIncomingValueForBlock(G.loops()[At]->getLoopLatch()));
  };
  if (!P.hasOneUse())
    return false;
  if (Level > 0) {
    auto *Inner = dyn_cast<PHINode>(P.user_back());
    return Inner && Inner->getParent() == G.loops()[Level - 1]->getHeader() &&
           isSum(*Inner, Level - 1) &&
           Next(*Inner, Level - 1) == Next(P, Level);
  }
  const Value *Sum = Next(P, Level);
  Instruction *V = P.user_back();
  while (V != Sum && V->getOpcode() == Instruction::FAdd && V->hasOneUse())
    V = V->user_back();
  return V == Sum && V->getOpcode() == Instruction::FAdd;
}

/// Lets addresses go up in memory along a level, as LLVM compares ranges of
/// memory before a nest only then. Nothing may depend on the order of
/// iterations.
void Gatherer::mirror(const Loop &L) {
  BasicBlock *Latch = L.getLoopLatch();
  auto *Exit = dyn_cast<ICmpInst>(
      cast<BranchInst>(Latch->getTerminator())->getCondition());
  const SCEV *Last = SE.getBackedgeTakenCount(&L);
  SCEVExpander Expand(SE, "mirror");
  SmallVector<Instruction *> Indices;
  for (PHINode &P : L.getHeader()->phis()) {
    if (P.getType()->isFloatingPointTy())
      continue;
    auto *Next = dyn_cast<Instruction>(P.getIncomingValueForBlock(Latch));
    Indices.push_back(&P);
    if (Next)
      Indices.push_back(Next);
  }
  for (Instruction *I : Indices) {
    auto *A = cast<SCEVAddRecExpr>(SE.getSCEV(I));
    const SCEV *Ends = SE.getAddExpr(
        A->getStart(),
        A->evaluateAtIteration(SE.getNoopOrZeroExtend(Last, A->getType()), SE));
    Value *Sum = Expand.expandCodeFor(
        Ends, I->getType(),
        L.getLoopPreheader()->getTerminator()->getIterator());
    IRBuilder<> IR(I->getParent(), isa<PHINode>(I)
                                       ? I->getParent()->getFirstInsertionPt()
                                       : std::next(I->getIterator()));
    auto *Mirrored = cast<Instruction>(IR.CreateSub(Sum, I));
    I->replaceUsesWithIf(Mirrored, [&](Use &U) {
      auto *User = cast<Instruction>(U.getUser());
      return L.contains(User) && User != Mirrored && User != Exit &&
             !is_contained(Indices, User);
    });
  }
}

/// Does the loop end when an index itself has a certain value?
static bool comparesIndices(const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  auto *Exit = dyn_cast<ICmpInst>(
      cast<BranchInst>(Latch->getTerminator())->getCondition());
  return Exit && Exit->hasOneUse() && all_of(Exit->operands(), [&](Value *O) {
           return L.isLoopInvariant(O) ||
                  any_of(L.getHeader()->phis(), [&](const PHINode &P) {
                    return O == &P || O == P.getIncomingValueForBlock(Latch);
                  });
         });
}

/// Is P a multiple of the iteration's number?
bool Gatherer::isIndex(PHINode &P, const Loop &L) const {
  auto Counts = [&](Value *V) {
    auto *A = V->getType()->isIntegerTy()
                  ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(V))
                  : nullptr;
    return isa<Instruction>(V) && A && A->getLoop() == &L && A->isAffine();
  };
  return Counts(&P) && Counts(P.getIncomingValueForBlock(L.getLoopLatch()));
}

/// Does nothing leave the nest but sums over all of it?
bool Gatherer::leavesOnlySums() const {
  const Loop &Nest = G.outermost();
  SmallPtrSet<const Value *, 8> Sums;
  for (PHINode &P : Nest.getHeader()->phis())
    if (P.getType()->isFloatingPointTy())
      Sums.insert(passedOn(P.getIncomingValueForBlock(Nest.getLoopLatch())));
  return all_of(Nest.blocks(), [&](BasicBlock *In) {
    return all_of(*In, [&](Instruction &I) {
      return Sums.contains(passedOn(&I)) || none_of(I.users(), [&](User *U) {
               return !Nest.contains(cast<Instruction>(U));
             });
    });
  });
}

/// Do iterations only add up, so that their order does not matter?
bool Gatherer::hasNoOrder() const {
  if (!Seeds.empty() || !leavesOnlySums() ||
      any_of(Others, [&](Instruction *I) {
        auto *L = dyn_cast<LoadInst>(I);
        return !L || !isConstant(*L);
      }))
    return false;
  const unsigned Top = static_cast<unsigned>(G.loops().size()) - 1;
  return all_of(enumerate(G.loops()), [&](auto At) {
    auto [Level, L] = At;
    return comparesIndices(*L) &&
           all_of(L->getHeader()->phis(), [&](PHINode &P) {
             if (!P.getType()->isFloatingPointTy())
               return isIndex(P, *L);
             // The sum of an inner loop is part of another one.
             auto *Outer = dyn_cast<PHINode>(
                 P.getIncomingValueForBlock(L->getLoopPreheader()));
             return Level == Top
                        ? isSum(P, Top)
                        : Outer && Outer->getParent() ==
                                       G.loops()[Level + 1]->getHeader();
           });
  });
}

} // namespace retro
