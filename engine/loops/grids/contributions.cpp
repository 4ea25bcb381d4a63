// What a place of a grid gives to a neighbour: a seed, times or plus numbers
// that are at the place or that the nest does not change. Here it is computed
// at the neighbour instead, which adds up what it gets and stores once. Without
// it two iterations could add to one place, and none would run beside another.
// Members of Gatherer (neighbours.h).
#include "loops/grids/neighbours.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {

/// Longer arithmetic is not repeated for each neighbour.
static constexpr size_t MostSteps = 4;

static bool isArithmetic(const Instruction &I) {
  if (auto *C = dyn_cast<IntrinsicInst>(&I))
    return C->getIntrinsicID() == Intrinsic::fmuladd ||
           C->getIntrinsicID() == Intrinsic::fma;
  const unsigned Op = I.getOpcode();
  return Op == Instruction::FAdd || Op == Instruction::FSub ||
         Op == Instruction::FMul || Op == Instruction::FNeg;
}

/// Finds what V is computed from. False if that is more than a Contribution
/// holds.
bool Gatherer::findParts(Value *V, Contribution &C) const {
  if (G.outermost().isLoopInvariant(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != B)
    return false;
  if (auto *L = dyn_cast<LoadInst>(I)) {
    if (any_of(Seeds, [&](const Seed &S) { return S.Load == L; })) {
      if (C.Seed && C.Seed != L)
        return false;
      C.Seed = L;
    } else if (!is_contained(C.Reads, L)) {
      C.Reads.push_back(L);
    }
    return L->isSimple();
  }
  if (is_contained(C.Steps, I))
    return true;
  if (!isArithmetic(*I) ||
      !all_of(I->operands(), [&](Value *O) { return findParts(O, C); }))
    return false;
  C.Steps.push_back(I);
  return C.Steps.size() <= MostSteps;
}

/// If I is a product of a constant and a factor that Is accepts, the constant;
/// or null.
static ConstantFP *factorOf(const Instruction &I,
                            function_ref<bool(Value *)> Is) {
  for (unsigned N : {0u, 1u})
    if (auto *C = dyn_cast<ConstantFP>(I.getOperand(N));
        C && Is(I.getOperand(1 - N)))
      return C;
  return nullptr;
}

/// Removes the summand "a constant times a value that Is accepts" from the sum
/// Of, and returns the constant; null where there is none. Minus says that the
/// summand is subtracted, which changes the constant's sign.
Constant *Gatherer::takeMultiple(Use &Of, function_ref<bool(Value *)> Is,
                                 bool Minus, unsigned Depth) const {
  auto *I = dyn_cast<Instruction>(Of.get());
  if (!I || I->getParent() != B || !I->hasOneUse() || Depth == 0)
    return nullptr;
  auto Taken = [&](ConstantFP *C, Value *Remainder) {
    Of.set(Remainder);
    return Minus ? ConstantFP::get(C->getType(), neg(C->getValueAPF())) : C;
  };
  const unsigned Op = I->getOpcode();
  if (Op == Instruction::FMul)
    if (ConstantFP *C = factorOf(*I, Is))
      return Taken(C, ConstantFP::getZero(I->getType(), !Minus));
  if (auto *Fused = dyn_cast<IntrinsicInst>(I); Fused && isArithmetic(*I)) {
    Use &Addend = Fused->getArgOperandUse(2);
    ConstantFP *C = factorOf(*I, Is);
    return C ? Taken(C, Addend) : takeMultiple(Addend, Is, Minus, Depth - 1);
  }
  if (Op == Instruction::FNeg)
    return takeMultiple(I->getOperandUse(0), Is, !Minus, Depth - 1);
  if (Op != Instruction::FAdd && Op != Instruction::FSub)
    return nullptr;
  Constant *C = takeMultiple(I->getOperandUse(0), Is, Minus, Depth - 1);
  return C ? C
           : takeMultiple(I->getOperandUse(1), Is,
                          Minus != (Op == Instruction::FSub), Depth - 1);
}

/// Returns Sum + c * Of, where c * (a value that Is accepts) was a summand of
/// OwnSum and is removed from there.
Value *Gatherer::withMultiple(Value *Sum, Use &OwnSum,
                              function_ref<bool(Value *)> Is, Value *Of,
                              IRBuilder<> &IR) const {
  IRBuilder<>::FastMathFlagGuard Guard(IR);
  IR.setFastMathFlags(inAnyOrder());
  Constant *C = takeMultiple(OwnSum, Is, false, MostSummands);
  return C ? IR.CreateFAdd(Sum, IR.CreateFMul(Of, C)) : Sum;
}

/// The load that V is a multiple of, by Factors that the nest does not change;
/// or null.
LoadInst *Gatherer::scaled(Value *V,
                           SmallVectorImpl<Instruction *> &Factors) const {
  while (auto *I = dyn_cast<BinaryOperator>(V)) {
    if (I->getOpcode() != Instruction::FMul || I->getParent() != B)
      return nullptr;
    bool First = G.outermost().isLoopInvariant(I->getOperand(0));
    if (!First && !G.outermost().isLoopInvariant(I->getOperand(1)))
      return nullptr;
    Factors.push_back(I);
    V = I->getOperand(First ? 1 : 0);
  }
  return dyn_cast<LoadInst>(V);
}

/// Is Added computed from the seed in a way that can be repeated for
/// neighbours?
bool Gatherer::isGivenBy(Value *Added, const Seed &S) {
  SmallVector<Instruction *> Factors;
  if (scaled(Added, Factors) == S.Load)
    return true;
  Contribution C;
  return findParts(Added, C) && C.Seed == S.Load &&
         all_of(C.Reads, [&](LoadInst *L) {
           auto At = G.place(L->getPointerOperand());
           return At && At->To == Toward::Same && isConstant(*L);
         });
}

/// Loads from Ptr, another place of the array, as L loads from its own.
LoadInst *Gatherer::loadAt(LoadInst &L, Value *Ptr, IRBuilder<> &IR) const {
  auto *New = cast<LoadInst>(L.clone());
  New->setOperand(LoadInst::getPointerOperandIndex(), Ptr);
  New->setAlignment(commonAlignment(
      L.getAlign(), B->getDataLayout().getTypeStoreSize(L.getType())));
  return IR.Insert(New);
}

/// The sum of what the seed's array has at the neighbours whose Addresses are
/// given in Array.
Value *Gatherer::sumOf(Seed &S, const NeighbourAddresses &Addresses,
                       const Grid::Place &Array, IRBuilder<> &IR) {
  IRBuilder<>::FastMathFlagGuard Guard(IR);
  IR.setFastMathFlags(inAnyOrder());
  Value *Sum = nullptr;
  for (auto &[To, Ptr] : Addresses) {
    Value *At = toArray(Ptr, Array, S.ptr(), S.At, IR);
    if (!At)
      return nullptr;
    LoadInst *L = loadAt(*S.Load, At, IR);
    Sum = Sum ? IR.CreateFAdd(Sum, L) : L;
  }
  return Sum;
}

/// Computes C for the place of Array at address Ptr; null where that is
/// impossible.
Value *Gatherer::contributionOf(Seed &S, const Contribution &C, Value *Ptr,
                                const Grid::Place &Array, IRBuilder<> &IR) {
  DenseMap<Value *, Value *> There;
  auto Load = [&](LoadInst *L, const Grid::Place &LoadPlace) {
    Value *At = toArray(Ptr, Array, L->getPointerOperand(), LoadPlace, IR);
    There[L] = At ? loadAt(*L, At, IR) : nullptr;
    return At != nullptr;
  };
  if (!Load(S.Load, S.At) || !all_of(C.Reads, [&](LoadInst *L) {
        return Load(L, *G.place(L->getPointerOperand()));
      }))
    return nullptr;
  Value *Last = nullptr;
  for (Instruction *I : C.Steps) {
    Instruction *New = I->clone();
    for (Use &U : New->operands())
      if (Value *V = There.lookup(U))
        U.set(V);
    There[I] = Last = IR.Insert(New);
  }
  return Last;
}

/// The sum of what the neighbours at the addresses give, if each gives what its
/// place computes as Added. A multiple of Added in OwnSum is moved into the
/// result, as both get the same factors.
Value *Gatherer::givenBy(Seed &S, Value *Added, Use *OwnSum,
                         const NeighbourAddresses &Addresses,
                         const Grid::Place &Array, IRBuilder<> &IR) {
  SmallVector<Instruction *> Factors;
  if (scaled(Added, Factors) == S.Load) {
    Value *Sum = sumOf(S, Addresses, Array, IR);
    if (Sum && OwnSum)
      Sum = withMultiple(
          Sum, *OwnSum, [&](Value *V) { return V == Added; }, S.Load, IR);
    for (Instruction *F : reverse(Factors)) {
      if (!Sum)
        break;
      Instruction *New = F->clone();
      New->setOperand(G.outermost().isLoopInvariant(F->getOperand(0)) ? 1 : 0,
                      Sum);
      Sum = IR.Insert(New);
    }
    return Sum;
  }
  Contribution C;
  findParts(Added, C);
  IRBuilder<>::FastMathFlagGuard Guard(IR);
  IR.setFastMathFlags(inAnyOrder());
  Value *Sum = nullptr;
  for (auto &[To, Ptr] : Addresses) {
    Value *Part = contributionOf(S, C, Ptr, Array, IR);
    if (!Part)
      return nullptr;
    Sum = Sum ? IR.CreateFAdd(Sum, Part) : Part;
  }
  return Sum;
}

} // namespace retro
