// What an address is in an iteration is a polynomial in the iterations' numbers
// k = 0 .. N and in numbers that the nest does not change. Extensions of
// numbers are followed where no wrap is allowed, as a wrap would make the
// address poison. A clamped index is, with m(p) = max(p, 0): max(p, q) =
// q + m(p - q), min(p, q) = q - m(q - p). The next place of k is
// N - m(N - 1 - k), the prior one is m(k - 1). A periodic index is, with e = 1
// in the last iteration and b = 1 in the first, otherwise 0: the next place of
// k is k + 1 - (N + 1) e, the prior one is k - 1 + (N + 1) b.
#include "facts/loops/grid.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace retro {

Grid::Grid(Loop &Innermost, ScalarEvolution &SE, const DominatorTree &DT)
    : SE(SE), DT(DT) {
  auto Counts = [&](const Loop &L) {
    return L.isLoopSimplifyForm() && L.getExitingBlock() == L.getLoopLatch() &&
           L.getExitBlock() &&
           !isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L));
  };
  if (Innermost.getNumBlocks() != 1 || !Counts(Innermost))
    return;
  Loops.push_back(&Innermost);
  for (Loop *L = Innermost.getParentLoop();
       L && Counts(*L) && isNested(*L, *Loops.back()); L = L->getParentLoop())
    Loops.push_back(L);
  for (const Loop *L : Loops) {
    Maybe N = of(SE.getBackedgeTakenCount(L));
    if (!N || !N->isKnown() ||
        N->anyVariable([&](unsigned V) { return V < Loops.size(); }))
      break;
    Last.push_back(*N);
  }
}

/// Does each iteration of L run Inner once, and otherwise straight code?
bool Grid::isNested(const Loop &L, const Loop &Inner) const {
  return L.getSubLoops().size() == 1 && all_of(L.blocks(), [&](BasicBlock *B) {
           return Inner.contains(B) || B == L.getLoopLatch() ||
                  B->getSingleSuccessor();
         });
}

/// Does a branch that leads to the nest, from wherever, say that V is not
/// negative?
bool Grid::isImplied(const Value *V) const {
  const BasicBlock *Entry = Loops.back()->getLoopPreheader();
  const DataLayout &DL = Entry->getDataLayout();
  for (auto *N = DT.getNode(Entry); N && N->getIDom(); N = N->getIDom()) {
    const BasicBlock *From = N->getIDom()->getBlock();
    auto *Br = dyn_cast<BranchInst>(From->getTerminator());
    if (!Br || !Br->isConditional())
      continue;
    for (bool True : {true, false}) {
      BasicBlockEdge Edge(From, Br->getSuccessor(True ? 0 : 1));
      if (DT.dominates(Edge, Entry) &&
          isImpliedCondition(Br->getCondition(), ICmpInst::ICMP_SGE, V,
                             Constant::getNullValue(V->getType()), DL, True)
              .value_or(false))
        return true;
    }
  }
  return false;
}

bool Grid::isNonNegative(const SCEV *S) const {
  auto *U = dyn_cast<SCEVUnknown>(S);
  return SE.isKnownNonNegative(S) ||
         (U && SE.isLoopInvariant(S, Loops.back()) &&
          isImplied(U->getValue())) ||
         (SE.isLoopInvariant(S, Loops.back()) &&
          SE.isLoopEntryGuardedByCond(Loops.back(), ICmpInst::ICMP_SGE, S,
                                      SE.getZero(S->getType())));
}

/// Does the number have no more bits, in all iterations?
bool Grid::isNarrow(const SCEV *S, unsigned Bits) const {
  auto Fits = [&](const SCEV *X) {
    // A narrow number that is not negative, or less.
    auto *Sum = dyn_cast<SCEVAddExpr>(X);
    auto *Offset = Sum && Sum->getNumOperands() == 2
                       ? dyn_cast<SCEVConstant>(Sum->getOperand(0))
                       : nullptr;
    auto *Z = dyn_cast<SCEVZeroExtendExpr>(Offset ? Sum->getOperand(1) : X);
    if (Z && SE.getTypeSizeInBits(Z->getOperand()->getType()) <= Bits &&
        isNonNegative(Z->getOperand()) &&
        (!Offset || (Offset->getAPInt().isNegative() &&
                     Offset->getAPInt().getSignificantBits() <= Bits)))
      return true;
    return SE.getSignedRange(SE.applyLoopGuards(X, Loops.back()))
               .getMinSignedBits() <= Bits;
  };
  auto *R = dyn_cast<SCEVAddRecExpr>(S);
  if (!R || Fits(S))
    return Fits(S);
  // The number goes from one end of its range to the other, by steps that do
  // not wrap around.
  auto *Step = dyn_cast<SCEVConstant>(R->getStepRecurrence(SE));
  const SCEV *Last = is_contained(Loops, R->getLoop())
                         ? SE.getBackedgeTakenCount(R->getLoop())
                         : nullptr;
  return Last && R->isAffine() && Step &&
         Step->getAPInt().getSignificantBits() <= 16 &&
         SE.getUnsignedRangeMax(SE.applyLoopGuards(Last, Loops.back()))
                 .getActiveBits() <= 40 &&
         Fits(R->getStart()) && Fits(R->evaluateAtIteration(Last, SE));
}

/// V's value as a signed number of 64 bits.
const SCEV *Grid::wide(Value *V) const {
  Type *I64 = Type::getInt64Ty(V->getContext());
  if (auto *T = dyn_cast<TruncInst>(V); T && T->getSrcTy() == I64)
    if (const SCEV *S = SE.getSCEV(T->getOperand(0));
        isNarrow(S, T->getType()->getIntegerBitWidth()))
      return S;
  return SE.getNoopOrSignExtend(SE.getSCEV(V), I64);
}

/// Is the result as if computed with more bits?
bool Grid::cannotWrap(const BinaryOperator &I) const {
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  if (!isa<OverflowingBinaryOperator>(I) || I.hasNoSignedWrap() || Bits == 64)
    return true;
  const SCEV *A = wide(I.getOperand(0)), *B = wide(I.getOperand(1));
  return (I.getOpcode() == Instruction::Add &&
          isNarrow(SE.getAddExpr(A, B), Bits)) ||
         (I.getOpcode() == Instruction::Sub &&
          isNarrow(SE.getMinusSCEV(A, B), Bits));
}

/// A variable that stands for a number derived from others; 0: for a new one.
Polynomial Grid::derived(unsigned &Variable) {
  if (Variable == 0) {
    Variable = static_cast<unsigned>(Loops.size() + Leaves.size());
    Leaves.push_back(nullptr);
  }
  return Polynomial::variable(Variable);
}

Polynomial Grid::clamped(const Polynomial &P) { return derived(Clamped[P]); }

Polynomial Grid::end(unsigned Level, bool AtLast) {
  return derived(Ends[{Level, AtLast}]);
}

Grid::Maybe Grid::leaf(Value *V) {
  if (!Loops.back()->isLoopInvariant(V))
    return std::nullopt;
  auto [It, New] =
      Known.try_emplace(V, static_cast<unsigned>(Loops.size() + Leaves.size()));
  if (New)
    Leaves.push_back(V);
  return Polynomial::variable(It->second);
}

Grid::Maybe Grid::of(Value *V, unsigned Depth) {
  Type *T = V->getType();
  if (!T->isPointerTy() && (!T->isIntegerTy() || T->getIntegerBitWidth() > 64))
    return std::nullopt;
  if (auto *C = dyn_cast<ConstantInt>(V))
    return Polynomial(C->getSExtValue());
  if (auto *I = dyn_cast<Instruction>(V); I && Depth > 0)
    if (Maybe P = ofInstruction(*I, Depth - 1))
      return P;
  return leaf(V);
}

Grid::Maybe Grid::ofInstruction(Instruction &I, unsigned Depth) {
  auto Operand = [&](unsigned N) { return of(I.getOperand(N), Depth); };
  if (auto *G = dyn_cast<GetElementPtrInst>(&I))
    return ofAddress(*G, Depth);
  if (auto *M = dyn_cast<MinMaxIntrinsic>(&I))
    return ofExtremum(*M, Depth);
  if (auto *S = dyn_cast<SelectInst>(&I))
    return ofChoice(*S, Depth);
  if (isa<PHINode>(I))
    return isa<SCEVAddRecExpr>(SE.getSCEV(&I)) ? of(SE.getSCEV(&I))
                                               : std::nullopt;
  if (isa<SExtInst>(I))
    return Operand(0);
  if (isa<ZExtInst>(I))
    return I.hasNonNeg() || isNonNegative(SE.getSCEV(I.getOperand(0)))
               ? Operand(0)
               : std::nullopt;
  if (auto *T = dyn_cast<TruncInst>(&I))
    return T->hasNoSignedWrap() || isNarrow(SE.getSCEV(T->getOperand(0)),
                                            T->getType()->getIntegerBitWidth())
               ? Operand(0)
               : std::nullopt;
  auto *Op = dyn_cast<BinaryOperator>(&I);
  if (!Op)
    return std::nullopt;
  // The low part of a wide number.
  if (Op->getOpcode() == Instruction::And ||
      Op->getOpcode() == Instruction::AShr)
    return isa<SCEVCastExpr>(SE.getSCEV(Op)) ? of(SE.getSCEV(Op))
                                             : std::nullopt;
  if (auto *Or = dyn_cast<PossiblyDisjointInst>(Op); Or && !Or->isDisjoint())
    return std::nullopt;
  if (!cannotWrap(*Op))
    return std::nullopt;
  Maybe A = Operand(0), B = Operand(1);
  if (!A || !B)
    return std::nullopt;
  switch (Op->getOpcode()) {
  case Instruction::Add:
  case Instruction::Or:
    return *A + *B;
  case Instruction::Sub:
    return *A - *B;
  case Instruction::Mul:
    return *A * *B;
  case Instruction::Shl:
    if (auto N = B->asConstant(); N && *N >= 0 && *N < 32)
      return *A * (int64_t(1) << *N);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Is the difference that of an iteration's number, or of those that are left,
/// and a constant? No wide number wraps so: each iteration has memory.
bool Grid::isNear(const Polynomial &Difference) const {
  for (unsigned Level = 0; Level < Last.size(); ++Level) {
    const Polynomial K = Polynomial::variable(Level), Left = Last[Level] - K;
    for (const Polynomial &D :
         {Difference - K, Difference + K, Difference - Left, Difference + Left})
      if (auto N = D.asConstant(); N && isInt<32>(*N))
        return true;
  }
  return false;
}

Grid::Maybe Grid::ofExtremum(MinMaxIntrinsic &I, unsigned Depth) {
  const SCEV *X = SE.getSCEV(I.getLHS()), *Y = SE.getSCEV(I.getRHS());
  if (!I.isSigned() && (!isNonNegative(X) || !isNonNegative(Y)))
    return std::nullopt;
  Maybe A = of(I.getLHS(), Depth), B = of(I.getRHS(), Depth);
  // Differences of narrow numbers do not wrap in 64 bits.
  if (!A || !B || (I.getType()->isIntegerTy(64) && !isNear(*A - *B)))
    return std::nullopt;
  const bool Largest = ICmpInst::isGT(I.getPredicate());
  return Largest ? *B + clamped(*A - *B) : *B - clamped(*B - *A);
}

Grid::Maybe Grid::ofAddress(GetElementPtrInst &I, unsigned Depth) {
  const DataLayout &DL = I.getDataLayout();
  SmallMapVector<Value *, APInt, 4> Variable;
  APInt Constant(64, 0);
  Maybe P = of(I.getPointerOperand(), Depth);
  if (!P || DL.getIndexTypeSizeInBits(I.getType()) != 64 ||
      I.getType()->isVectorTy() ||
      !cast<GEPOperator>(I).collectOffset(DL, 64, Variable, Constant))
    return std::nullopt;
  Polynomial Sum = *P + Polynomial(Constant.getSExtValue());
  for (auto &[V, Scale] : Variable) {
    Maybe N = of(V, Depth);
    if (!N)
      return std::nullopt;
    Sum = Sum + *N * Polynomial(Scale.getSExtValue());
  }
  return Sum;
}

Grid::Maybe Grid::of(const SCEV *S) {
  const bool Wide =
      S->getType()->isPointerTy() || SE.getTypeSizeInBits(S->getType()) == 64;
  auto Fold = [&](const SCEVNAryExpr *N, auto Join) -> Maybe {
    if (!Wide && !N->hasNoSignedWrap())
      return std::nullopt;
    Maybe R = of(N->getOperand(0));
    for (const SCEV *O : drop_begin(N->operands())) {
      Maybe P = of(O);
      R = R && P ? Maybe(Join(*R, *P)) : std::nullopt;
    }
    return R;
  };
  if (auto *C = dyn_cast<SCEVConstant>(S))
    return Polynomial(C->getAPInt().getSExtValue());
  if (auto *U = dyn_cast<SCEVUnknown>(S))
    return isa<PHINode>(U->getValue()) ? leaf(U->getValue())
                                       : of(U->getValue());
  if (isa<SCEVAddExpr>(S))
    return Fold(cast<SCEVAddExpr>(S), std::plus<Polynomial>());
  if (isa<SCEVMulExpr>(S))
    return Fold(cast<SCEVMulExpr>(S), std::multiplies<Polynomial>());
  auto *Cast = dyn_cast<SCEVCastExpr>(S);
  if (auto *T = Cast ? dyn_cast<SCEVTruncateExpr>(Cast->getOperand()) : nullptr)
    return isNarrow(T->getOperand(), static_cast<unsigned>(
                                         SE.getTypeSizeInBits(T->getType()))) &&
                   (isa<SCEVSignExtendExpr>(S) ||
                    (isa<SCEVZeroExtendExpr>(S) &&
                     isNonNegative(T->getOperand())))
               ? of(T->getOperand())
               : std::nullopt;
  if (auto *X = dyn_cast<SCEVSignExtendExpr>(S))
    return of(X->getOperand());
  if (auto *X = dyn_cast<SCEVZeroExtendExpr>(S))
    return isNonNegative(X->getOperand()) ? of(X->getOperand()) : std::nullopt;
  auto *R = dyn_cast<SCEVAddRecExpr>(S);
  auto At = R ? find(Loops, R->getLoop()) : Loops.end();
  if (At == Loops.end() || !R->isAffine() || (!Wide && !R->hasNoSignedWrap()))
    return std::nullopt;
  Maybe Start = of(R->getStart()), Step = of(R->getStepRecurrence(SE));
  if (!Start || !Step)
    return std::nullopt;
  auto Level = static_cast<unsigned>(At - Loops.begin());
  return *Start + *Step * Polynomial::variable(Level);
}

bool Grid::shapeLike(Value *Ptr, uint64_t Size) {
  if (Last.size() < 2)
    return false;
  Maybe P = of(Ptr);
  if (!P || !P->isKnown() ||
      P->anyVariable([&](unsigned V) { return isDerived(V); }))
    return false;
  Polynomial Stride(static_cast<int64_t>(Size));
  unsigned Level = 0;
  Backward.clear();
  for (; Level < Last.size(); ++Level) {
    Maybe Step = P->factorOf(Level);
    if (!Step || !(*Step == Stride || *Step == Stride * -1))
      break;
    Backward.push_back(!(*Step == Stride));
    Stride = Stride * (Last[Level] + Polynomial(1));
  }
  if (Level < 2)
    return false;
  Levels = Level;
  Shape = *P;
  return true;
}

Polynomial Grid::moved(unsigned Level, Toward To) {
  const Polynomial One(1), K = Polynomial::variable(Level), N = Last[Level];
  switch (To) {
  case Toward::Same:
    return K;
  case Toward::Next:
    return N - clamped(N - One - K);
  case Toward::Prior:
    return clamped(K - One);
  case Toward::NextAround:
    return K + One - (N + One) * end(Level, true);
  case Toward::PriorAround:
    return K - One + (N + One) * end(Level, false);
  }
  llvm_unreachable("a way along a level");
}

Grid::Toward Grid::opposite(Toward To) {
  switch (To) {
  case Toward::Same:
    return Toward::Same;
  case Toward::Next:
    return Toward::Prior;
  case Toward::Prior:
    return Toward::Next;
  case Toward::NextAround:
    return Toward::PriorAround;
  case Toward::PriorAround:
    return Toward::NextAround;
  }
  llvm_unreachable("a way along a level");
}

std::optional<Grid::Place> Grid::place(Value *Ptr) {
  Maybe P = of(Ptr);
  if (!P)
    return std::nullopt;
  auto IsFixed = [&](const Polynomial &D) {
    return D.isKnown() && !D.anyVariable([&](unsigned V) {
      return isIteration(V) || isDerived(V);
    });
  };
  if (Polynomial D = *P - Shape; IsFixed(D))
    return Place{D};
  for (unsigned Level = 0; Level < Levels; ++Level)
    for (Toward To :
         {Toward::Next, Toward::Prior, Toward::NextAround, Toward::PriorAround})
      if (Polynomial D = *P - Shape.substitute(Level, moved(Level, To));
          IsFixed(D))
        return Place{D, To, Level};
  return std::nullopt;
}

std::optional<int64_t> Grid::beyond(const Place &From, Value *FromBase,
                                    const Place &To, Value *ToBase) {
  Maybe A = of(FromBase), B = of(ToBase);
  if (!A || !B)
    return std::nullopt;
  return ((To.Array - *B) - (From.Array - *A)).asConstant();
}

bool Grid::isNonNegative(Value *V) const {
  return !nest().empty() && isNonNegative(wide(V));
}

const SCEV *Grid::begin(Value *Ptr) const {
  const SCEV *At = SE.getSCEV(Ptr);
  for (auto [L, Down] : zip(loops(), Backward)) {
    auto *R = dyn_cast<SCEVAddRecExpr>(At);
    if (!R || R->getLoop() != L || !R->isAffine())
      return nullptr;
    At = Down ? R->evaluateAtIteration(SE.getBackedgeTakenCount(L), SE)
              : R->getStart();
  }
  return At;
}

const SCEV *Grid::bytes(uint64_t Size) const {
  Type *I64 = Type::getInt64Ty(SE.getContext());
  const SCEV *N = SE.getConstant(I64, Size);
  for (const Loop *L : loops())
    N = SE.getMulExpr(
        N, SE.getTripCountFromExitCount(SE.getBackedgeTakenCount(L), I64, L));
  return N;
}

bool readsNeighbours(Loop &L, ScalarEvolution &SE, const DominatorTree &DT) {
  if (!L.isInnermost() || L.getNumBlocks() != 1)
    return false;
  Grid G(L, SE, DT);
  BasicBlock &B = *L.getHeader();
  const DataLayout &DL = B.getDataLayout();
  auto Shapes = [&](Instruction &I) {
    auto *S = dyn_cast<StoreInst>(&I);
    Type *T = S ? S->getValueOperand()->getType() : nullptr;
    return T && T->isFloatingPointTy() &&
           G.shapeLike(S->getPointerOperand(), DL.getTypeStoreSize(T));
  };
  if (none_of(B, Shapes))
    return false;
  std::map<Polynomial, std::map<Grid::Direction, LoadInst *>> Arrays;
  for (Instruction &I : B)
    if (auto *Ld = dyn_cast<LoadInst>(&I))
      if (auto At = G.place(Ld->getPointerOperand());
          At && At->To != Grid::Toward::Same)
        Arrays[At->Array][{At->Level, At->To}] = Ld;
  return any_of(Arrays, [](auto &A) {
    Grid::keepPairs(A.second);
    return !A.second.empty();
  });
}

} // namespace retro
