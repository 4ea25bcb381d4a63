// Input: a load and a store whose addresses are sums of numbers of iterations
// with factors that are constants, or polynomials in arguments that are known
// to be no large numbers. Output: whether the store comes to the load's place
// after the load, in any of the orders in which loops run them. A factorization
// in place reads columns that it has finished, and a recurrence the elements
// before the one that it stores: what has been read there stays, though all of
// it lies in one array, and needs no tape.
//
// For each loop around both the store is taken to run in a later iteration of
// it, and then in the same one of all. The distance of the two places is
// bounded by what the numbers of iterations can be, at once or but for a
// multiple of a factor: rows of a matrix lie a row's length apart, so that only
// the columns have to differ. Where it says too much, a load would be repeated
// that finds another number.
#include "facts/writes/later_places.h"

#include "base/scev.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace llvm;

namespace retro {
namespace {

/// Where I accesses memory; of what fills or copies, where it writes.
const Value *placePointer(const Instruction &I) {
  if (auto *M = dyn_cast<MemIntrinsic>(&I))
    return M->isVolatile() ? nullptr : M->getRawDest();
  return getLoadStorePointerOperand(&I);
}

/// Larger numbers are not followed, so that sums of a few do not overflow.
constexpr unsigned MostBits = 40;
/// Longer expressions are not followed.
constexpr unsigned MostDeep = 8;

} // namespace

/// What one of the two executions calls the numbers of iterations.
class LaterPlaces::View {
public:
  View(LaterPlaces &Of, Executions &E) : Of(Of), E(E) {}

  /// Gives the iterations of L the number that they have in another view.
  void share(const Loop &L, const Linear &Number) { Numbers[&L] = Number; }
  /// Gives the iterations of L a number of this view's own.
  void open(const Loop &L) {
    Linear Number;
    Number.add(E.addVariable(lastOf(L)), Polynomial(1));
    Numbers[&L] = Number;
  }
  const Linear &number(const Loop &L) const { return Numbers.find(&L)->second; }
  std::optional<Linear> lastOf(const Loop &L) {
    const Sum &S = Of.lastOf(L);
    return S && S->Others.empty() ? translated(*S) : std::nullopt;
  }
  std::optional<Linear> translated(const IterationSum &S) const {
    Linear Out;
    Out.addConstant(S.Constant);
    for (auto &[L, Factor] : S.Loops) {
      auto It = Numbers.find(L);
      if (It == Numbers.end())
        return std::nullopt;
      Out.add(It->second, Factor);
    }
    return Out;
  }

private:
  LaterPlaces &Of;
  Executions &E;
  DenseMap<const Loop *, Linear> Numbers;
};

LaterPlaces::LaterPlaces(Function &F, FunctionAnalysisManager &FAM,
                         const NumberBounds &Bounded)
    : DL(F.getDataLayout()), LI(FAM.getResult<LoopAnalysis>(F)),
      SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      DT(FAM.getResult<DominatorTreeAnalysis>(F)), Bounded(Bounded) {}

SmallVector<unsigned, 4> LaterPlaces::possiblyBounded(const Function &F) {
  SmallVector<unsigned, 4> Out;
  for (const Argument &A : F.args())
    if (A.getType()->isIntegerTy(32) || A.getType()->isIntegerTy(64))
      Out.push_back(A.getArgNo());
  return Out;
}

bool LaterPlaces::isPlaced(const Instruction &I) { return placePointer(I); }

LaterPlaces::Chain LaterPlaces::around(const Loop *Innermost) const {
  Chain Out;
  for (const Loop *L = Innermost; L; L = L->getParentLoop())
    Out.push_back(L);
  std::reverse(Out.begin(), Out.end());
  return Out;
}

/// A constant, or an argument that is a number within bounds, which is the same
/// with and without its sign.
std::optional<Polynomial> LaterPlaces::numberOf(const SCEV *S) {
  if (auto *C = dyn_cast<SCEVConstant>(S)) {
    if (C->getAPInt().getSignificantBits() > MostBits)
      return std::nullopt;
    return Polynomial(C->getAPInt().getSExtValue());
  }
  if (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(S))
    S = cast<SCEVCastExpr>(S)->getOperand();
  auto *U = dyn_cast<SCEVUnknown>(S);
  auto *A = U ? dyn_cast<Argument>(U->getValue()) : nullptr;
  if (!A || !is_contained(Bounded.Arguments, A->getArgNo()))
    return std::nullopt;
  Met.insert(A->getArgNo());
  return Polynomial::variable(A->getArgNo());
}

/// Adds a value that is computed in the loops Around, times a number.
bool LaterPlaces::add(IterationSum &To, const SCEV *S, const Polynomial &Times,
                      const Chain &Around) {
  if (!Times.isKnown())
    return false;
  if (auto N = numberOf(S)) {
    To.Constant = To.Constant + *N * Times;
    return To.Constant.isKnown();
  }
  if (auto *A = dyn_cast<SCEVAddExpr>(S))
    return all_of(A->operands(), [&](const SCEV *Part) {
      return add(To, Part, Times, Around);
    });
  if (auto *M = dyn_cast<SCEVMulExpr>(S)) {
    Polynomial Product = Times;
    SmallVector<const SCEV *, 2> Rest;
    for (const SCEV *Factor : M->operands())
      if (auto N = numberOf(Factor))
        Product = Product * *N;
      else
        Rest.push_back(Factor);
    if (Rest.size() == 1)
      return add(To, Rest.front(), Product, Around);
    if (Rest.empty()) {
      To.Constant = To.Constant + Product;
      return To.Constant.isKnown();
    }
  }
  if (auto *R = dyn_cast<SCEVAddRecExpr>(S)) {
    IterationSum Step;
    if (!R->isAffine() || !is_contained(Around, R->getLoop()) ||
        !add(Step, R->getOperand(1), Times, {}) || !Step.Loops.empty() ||
        !Step.Others.empty())
      return false;
    Polynomial &Factor = To.Loops[R->getLoop()];
    Factor = Factor + Step.Constant;
    return Factor.isKnown() && add(To, R->getStart(), Times, Around);
  }
  // What changes in no loop around has one value.
  if (SCEVExprContains(
          S, [](const SCEV *Part) { return isa<SCEVAddRecExpr>(Part); }) ||
      (!Around.empty() && !SE.isLoopInvariant(S, Around.front())))
    return false;
  Polynomial &Factor = To.Others[S];
  Factor = Factor + Times;
  return Factor.isKnown();
}

/// A product of arguments in fewer than 64 bits, which may overflow there and
/// then is less than this.
std::optional<Polynomial> LaterPlaces::mostOfProduct(const SCEV *S) {
  auto *Wide = dyn_cast<SCEVZeroExtendExpr>(S);
  auto *M = Wide ? dyn_cast<SCEVMulExpr>(Wide->getOperand()) : nullptr;
  if (!M)
    return std::nullopt;
  Polynomial Product(1);
  for (const SCEV *Factor : M->operands()) {
    const auto N = numberOf(Factor);
    if (!N || !isNotNegative(*N))
      return std::nullopt;
    Product = Product * *N;
  }
  return Product.isKnown() ? std::optional(Product) : std::nullopt;
}

/// Of max(1, N), where L is not come to if N is 0: N, which is not negative.
/// LLVM puts it that way where it does not know the sign of a size.
std::optional<Polynomial> LaterPlaces::largerThanZero(const SCEV *S,
                                                      const Loop &L) {
  if (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(S))
    S = cast<SCEVCastExpr>(S)->getOperand();
  auto *M = dyn_cast<SCEVMinMaxExpr>(S);
  if (!M || !isa<SCEVSMaxExpr, SCEVUMaxExpr>(M) || M->getNumOperands() != 2 ||
      !M->getOperand(0)->isOne())
    return std::nullopt;
  const SCEV *Size = M->getOperand(1);
  if (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(Size))
    Size = cast<SCEVCastExpr>(Size)->getOperand();
  auto *U = dyn_cast<SCEVUnknown>(Size);
  const auto N = U ? numberOf(U) : std::nullopt;
  return N && isNotZeroIn(*U->getValue(), *L.getHeader()) ? N : std::nullopt;
}

/// Is B come to only by a branch that V, which is 0, does not take?
bool LaterPlaces::isNotZeroIn(const Value &V, const BasicBlock &B) const {
  const Constant *Zero = Constant::getNullValue(V.getType());
  for (auto *N = DT.getNode(&B)->getIDom(); N; N = N->getIDom()) {
    auto *Br = dyn_cast<BranchInst>(N->getBlock()->getTerminator());
    for (unsigned To = 0; Br && Br->isConditional() && To < 2; ++To)
      if (DT.dominates(BasicBlockEdge(N->getBlock(), Br->getSuccessor(To)),
                       &B) &&
          isImpliedCondition(Br->getCondition(), CmpInst::ICMP_NE, &V, Zero, DL,
                             To == 0)
              .value_or(false))
        return true;
  }
  return false;
}

/// Adds a number that is no less than S, which is of how often L runs.
bool LaterPlaces::addAtMost(IterationSum &To, const SCEV *S, const Loop &L,
                            const Chain &Around) {
  if (auto *A = dyn_cast<SCEVAddExpr>(S))
    return all_of(A->operands(), [&](const SCEV *Part) {
      return addAtMost(To, Part, L, Around);
    });
  auto Most = mostOfProduct(S);
  if (!Most)
    Most = largerThanZero(S, L);
  if (!Most)
    return add(To, S, Polynomial(1), Around);
  To.Constant = To.Constant + *Most;
  return To.Constant.isKnown();
}

/// How many bytes are read or written at the access's place; null: not known.
std::optional<Polynomial> LaterPlaces::bytesOf(const Instruction &Access) {
  if (auto *M = dyn_cast<MemIntrinsic>(&Access)) {
    IterationSum S;
    if (M->getLength()->getType()->isIntegerTy(64) &&
        add(S, offsetOf(M->getLength(), 0), Polynomial(1), {}) &&
        S.Loops.empty() && S.Others.empty())
      return S.Constant;
    return std::nullopt;
  }
  const TypeSize Size = DL.getTypeStoreSize(getLoadStoreType(&Access));
  if (Size.isScalable())
    return std::nullopt;
  return Polynomial(static_cast<int64_t>(Size.getFixedValue()));
}

/// The sum, difference or product of both operands; null: Opcode is of none.
static const SCEV *combined(ScalarEvolution &SE, unsigned Opcode,
                            function_ref<const SCEV *(unsigned)> Operand) {
  switch (Opcode) {
  case Instruction::Add:
    return SE.getAddExpr(Operand(0), Operand(1));
  case Instruction::Sub:
    return SE.getMinusSCEV(Operand(0), Operand(1));
  case Instruction::Mul:
    return SE.getMulExpr(Operand(0), Operand(1));
  default:
    return nullptr;
  }
}

/// V, extended to 64 bits. Where it is a sum or product that would be poison if
/// it overflowed, it is that of its operands, which ScalarEvolution cannot say
/// of it everywhere: here an access is made with it.
const SCEV *LaterPlaces::extended(const Value *V, bool Signed, unsigned Deep) {
  auto *O = dyn_cast<OverflowingBinaryOperator>(V);
  const bool Holds = O && Deep < MostDeep &&
                     (Signed ? O->hasNoSignedWrap() : O->hasNoUnsignedWrap());
  auto Operand = [&](unsigned N) {
    return extended(O->getOperand(N), Signed, Deep + 1);
  };
  if (const SCEV *S = Holds ? combined(SE, O->getOpcode(), Operand) : nullptr)
    return S;
  Type *I64 = Type::getInt64Ty(V->getContext());
  const SCEV *S = scevOf(SE, V);
  return Signed ? SE.getSignExtendExpr(S, I64) : SE.getZeroExtendExpr(S, I64);
}

/// V, of 64 bits, in a sum that is an address.
const SCEV *LaterPlaces::offsetOf(const Value *V, unsigned Deep) {
  auto *O = dyn_cast<BinaryOperator>(V);
  auto *Cast = dyn_cast<CastInst>(V);
  auto Operand = [&](unsigned N) {
    return offsetOf(O->getOperand(N), Deep + 1);
  };
  if (Cast && isa<SExtInst, ZExtInst>(Cast))
    return extended(Cast->getOperand(0),
                    isa<SExtInst>(Cast) || Cast->hasNonNeg(), Deep);
  const SCEV *S =
      O && Deep < MostDeep ? combined(SE, O->getOpcode(), Operand) : nullptr;
  return S ? S : scevOf(SE, V);
}

const SCEV *LaterPlaces::addressOf(const Value *Ptr) {
  auto *G = dyn_cast<GEPOperator>(Ptr);
  SmallMapVector<Value *, APInt, 4> Indices;
  APInt Constant(64, 0);
  if (!G || !G->getType()->isPointerTy() ||
      !G->collectOffset(DL, 64, Indices, Constant))
    return scevOf(SE, Ptr);
  SmallVector<const SCEV *> Sum{addressOf(G->getPointerOperand()),
                                SE.getConstant(Constant)};
  for (auto &[V, Bytes] : Indices) {
    if (!V->getType()->isIntegerTy(64))
      return scevOf(SE, Ptr);
    Sum.push_back(SE.getMulExpr(offsetOf(V, 0), SE.getConstant(Bytes)));
  }
  return SE.getAddExpr(Sum);
}

const LaterPlaces::Sum &LaterPlaces::placeOf(const Instruction &Access) {
  auto [It, New] = Places.try_emplace(&Access);
  IterationSum S;
  if (New && add(S, addressOf(placePointer(Access)), Polynomial(1),
                 around(LI.getLoopFor(Access.getParent()))))
    It->second = S;
  return It->second;
}

const LaterPlaces::Sum &LaterPlaces::lastOf(const Loop &L) {
  auto [It, New] = Last.try_emplace(&L);
  if (!New)
    return It->second;
  Type *I64 = Type::getInt64Ty(L.getHeader()->getContext());
  for (const SCEV *Taken : {SE.getBackedgeTakenCount(&L),
                            SE.getConstantMaxBackedgeTakenCount(&L)}) {
    IterationSum S;
    // A constant has no sign here. A sum that is negative stands for so many
    // iterations that nothing comes behind them.
    auto *C = dyn_cast<SCEVConstant>(Taken);
    if (isa<SCEVCouldNotCompute>(Taken) ||
        (C && C->getAPInt().getActiveBits() > MostBits) ||
        SE.getTypeSizeInBits(Taken->getType()) > 64 ||
        !addAtMost(S, SE.getNoopOrZeroExtend(Taken, I64), L,
                   around(L.getParentLoop())) ||
        !S.Others.empty())
      continue;
    It->second = S;
    break;
  }
  return It->second;
}

/// Does B run in the first iteration of L alone? LLVM makes that one a loop's
/// branch of its own where another loop does not run in it.
bool LaterPlaces::isOfFirst(const BasicBlock &B, const Loop &L) {
  for (auto *N = DT.getNode(&B); N && N->getBlock() != L.getHeader();
       N = N->getIDom()) {
    auto *Before = N->getIDom() ? N->getIDom()->getBlock() : nullptr;
    auto *Br = Before && L.contains(Before)
                   ? dyn_cast<BranchInst>(Before->getTerminator())
                   : nullptr;
    auto *C = Br && Br->isConditional() ? dyn_cast<ICmpInst>(Br->getCondition())
                                        : nullptr;
    if (!C || !C->isEquality() || !SE.isSCEVable(C->getOperand(0)->getType()))
      continue;
    const unsigned Equal = C->getPredicate() == CmpInst::ICMP_EQ ? 0 : 1;
    auto *R = dyn_cast<SCEVAddRecExpr>(SE.getMinusSCEV(
        SE.getSCEV(C->getOperand(0)), SE.getSCEV(C->getOperand(1))));
    if (R && R->getLoop() == &L && R->isAffine() && R->getStart()->isZero() &&
        (R->getStepRecurrence(SE)->isOne() ||
         R->getStepRecurrence(SE)->isAllOnesValue()) &&
        DT.dominates(BasicBlockEdge(Before, Br->getSuccessor(Equal)), &B))
      return true;
  }
  return false;
}

/// Does a way lead from First to Second in one iteration of L, or, if it is
/// null, in the whole function?
bool LaterPlaces::followsWithin(const Loop *L, const BasicBlock &First,
                                const BasicBlock &Second) {
  if (&First == &Second)
    return true;
  SmallSetVector<const BasicBlock *, 16> &Seen = Following[{L, &First}];
  if (Seen.empty()) {
    Seen.insert(&First);
    for (size_t N = 0; N < Seen.size(); ++N)
      for (const BasicBlock *S : successors(Seen[N]))
        if (!L || (S != L->getHeader() && L->contains(S)))
          Seen.insert(S);
  }
  return Seen.contains(&Second);
}

/// Is what S stores apart from what L has read, where S runs in a later
/// iteration of loop Common[Later] and in the same iterations of the loops
/// before that? If there is no such loop, S runs in the same iterations of all.
bool LaterPlaces::areApart(const LoadInst &L, const Instruction &S,
                           const Chain &Common, size_t Later) {
  Executions E(Bounded.Most);
  View Loads(*this, E), Stores(*this, E);
  for (size_t N = 0; N < std::min(Later, Common.size()); ++N) {
    Loads.open(*Common[N]);
    Stores.share(*Common[N], Loads.number(*Common[N]));
  }
  if (Later < Common.size()) {
    const Loop &At = *Common[Later];
    std::optional<Linear> Before = Loads.lastOf(At);
    if (Before)
      Before->addConstant(Polynomial(-1)); // there is a later one
    Linear Number;
    Number.add(E.addVariable(Before), Polynomial(1));
    Loads.share(At, Number);
    if (Before)
      Before->add(Number, Polynomial(-1));
    Number.add(E.addVariable(Before), Polynomial(1));
    Number.addConstant(Polynomial(1));
    Stores.share(At, Number);
  }
  for (auto [I, V] : {std::pair<const Instruction *, View *>(&L, &Loads),
                      std::pair<const Instruction *, View *>(&S, &Stores)}) {
    const Chain Around = around(LI.getLoopFor(I->getParent()));
    for (const Loop *Inner :
         ArrayRef(Around).drop_front(std::min(Later + 1, Common.size())))
      V->open(*Inner);
  }
  return areApart(L, S, E, Loads, Stores);
}

bool LaterPlaces::areApart(const Instruction &A, const Instruction &B,
                           const Executions &E, const View &OfA,
                           const View &OfB) {
  auto From = OfA.translated(*placeOf(A)), To = OfB.translated(*placeOf(B));
  if (!From || !To)
    return false;
  To->add(*From, Polynomial(-1));
  const auto Loaded = bytesOf(A), Stored = bytesOf(B);
  return Loaded && Stored && E.areApart(*To, *Loaded, *Stored);
}

/// Do their places differ by numbers of iterations alone?
bool LaterPlaces::areComparable(const Instruction &A, const Instruction &B) {
  auto HasPlace = [&](const Instruction &I) {
    return isPlaced(I) &&
           DL.getPointerTypeSizeInBits(placePointer(I)->getType()) == 64 &&
           placeOf(I);
  };
  if (!HasPlace(A) || !HasPlace(B))
    return false;
  const Sum From = placeOf(A), &To = placeOf(B);
  return From->Others.size() == To->Others.size() &&
         all_of(From->Others, [&](const auto &Term) {
           return To->Others.lookup(Term.first) == Term.second;
         });
}

bool LaterPlaces::areApartIn(const BasicBlock &Header, const Instruction &A,
                             const Instruction &B) {
  const Loop *In = LI.getLoopFor(&Header);
  if (!In || In->getHeader() != &Header || !areComparable(A, B))
    return false;
  Executions E(Bounded.Most);
  View OfA(*this, E), OfB(*this, E);
  const Chain Outside = around(In->getParentLoop());
  for (const Loop *Same : Outside) {
    OfA.open(*Same);
    OfB.share(*Same, OfA.number(*Same));
  }
  for (auto [I, V] : {std::pair(&A, &OfA), std::pair(&B, &OfB)}) {
    const Chain Around = around(LI.getLoopFor(I->getParent()));
    for (const Loop *Inner : ArrayRef(Around).drop_front(Outside.size()))
      V->open(*Inner);
  }
  return areApart(A, B, E, OfA, OfB);
}

bool LaterPlaces::areApart(const LoadInst &L, const Instruction &S) {
  if (!areComparable(L, S))
    return false;
  const Loop *Innermost = LI.getLoopFor(L.getParent());
  while (Innermost && !Innermost->contains(S.getParent()))
    Innermost = Innermost->getParentLoop();
  const Chain Common = around(Innermost);
  for (size_t Later = 0; Later < Common.size(); ++Later)
    if (!isOfFirst(*S.getParent(), *Common[Later]) &&
        !areApart(L, S, Common, Later))
      return false;
  // In one iteration a store that comes first, or on another way, does not
  // follow.
  return DT.dominates(&S, &L) ||
         !followsWithin(Innermost, *L.getParent(), *S.getParent()) ||
         areApart(L, S, Common, Common.size());
}

} // namespace retro
