// Input: a load and a store whose addresses are sums of numbers of iterations
// with constant factors. Output: whether the store comes to the load's place
// after the load, in any of the orders in which loops run them. A factorization
// in place reads columns that it has finished, and a recurrence the elements
// before the one that it stores: what has been read there stays, though all of
// it lies in one array, and needs no tape.
//
// For each loop around both the store is taken to run in a later iteration of
// it, and then in the same one of all. The distance of the two places is
// bounded by what the numbers of iterations can be, at once or but for a
// multiple of a factor: rows of a matrix lie a row's length apart, so that only
// the columns have to differ.
#include "facts/writes/later_places.h"

#include "base/scev.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace llvm;

namespace retro {
namespace {

/// Larger numbers are not followed, so that sums of a few do not overflow.
constexpr unsigned MostBits = 40;
/// No loop runs so often before the program is ended by other things.
constexpr int64_t Endless = int64_t(1) << 53;
/// Addresses are computed without regard to overflow. Distances that stay below
/// this are the same so.
constexpr int64_t MostDistance = int64_t(1) << 62;

std::optional<int64_t> numberOf(const SCEV *S) {
  auto *C = dyn_cast<SCEVConstant>(S);
  if (!C || C->getAPInt().getSignificantBits() > MostBits)
    return std::nullopt;
  return C->getAPInt().getSExtValue();
}

/// A sum of variables with factors; nothing after an overflow.
struct Linear {
  std::optional<int64_t> Constant = 0;
  SmallVector<int64_t, 8> Factors; ///< by variable

  int64_t factor(unsigned V) const {
    return V < Factors.size() ? Factors[V] : 0;
  }
  void add(unsigned V, int64_t Factor) {
    if (V >= Factors.size())
      Factors.resize(V + 1);
    if (auto Sum = checkedAdd(Factors[V], Factor))
      Factors[V] = *Sum;
    else
      Constant = std::nullopt;
  }
  void addConstant(int64_t C) {
    if (Constant)
      Constant = checkedAdd(*Constant, C);
  }
  void add(const Linear &O, int64_t Times) {
    auto C = O.Constant ? checkedMul(*O.Constant, Times) : std::nullopt;
    if (!C)
      Constant = std::nullopt;
    else
      addConstant(*C);
    for (unsigned V = 0; V < O.Factors.size(); ++V) {
      auto Factor = checkedMul(O.Factors[V], Times);
      if (!Factor)
        Constant = std::nullopt;
      else if (*Factor)
        add(V, *Factor);
    }
  }
};

/// The two executions: numbers of iterations as variables that are not
/// negative. Those that bounds of others depend on come first.
class Executions {
public:
  unsigned addVariable(std::optional<Linear> Most) {
    Bounds.push_back(std::move(Most));
    return static_cast<unsigned>(Bounds.size() - 1);
  }
  /// The least or greatest that L can be; null: not known.
  std::optional<int64_t> bound(Linear L, bool Greatest) const;
  bool areApart(const Linear &Distance, int64_t Loaded, int64_t Stored) const;

private:
  bool cannotOverflow(const Linear &L) const;
  bool areApartBut(const Linear &Distance, int64_t Multiple, int64_t Loaded,
                   int64_t Stored) const;

  SmallVector<std::optional<Linear>, 8> Bounds; ///< by variable
};

std::optional<int64_t> Executions::bound(Linear L, bool Greatest) const {
  for (unsigned V = static_cast<unsigned>(Bounds.size()); V-- > 0;) {
    const int64_t Factor = L.factor(V);
    if (!Factor)
      continue;
    L.Factors[V] = 0;
    if ((Factor > 0) != Greatest)
      continue; // 0 is the least that it is
    if (!Bounds[V])
      return std::nullopt;
    L.add(*Bounds[V], Factor);
  }
  return L.Constant;
}

bool Executions::cannotOverflow(const Linear &L) const {
  if (!L.Constant)
    return false;
  std::optional<int64_t> Reach = checkedAdd(std::abs(*L.Constant), int64_t(1));
  for (unsigned V = 0; V < Bounds.size() && Reach; ++V)
    if (const int64_t Factor = std::abs(L.factor(V))) {
      Linear Alone;
      Alone.add(V, 1);
      const int64_t Most = bound(Alone, true).value_or(Endless);
      auto More = checkedMul(Factor, std::max<int64_t>(Most, 0));
      Reach = More ? checkedAdd(*Reach, *More) : std::nullopt;
    }
  return Reach && *Reach < MostDistance;
}

/// Are the executions apart by what is left of Distance when its multiples of
/// one factor are left out?
bool Executions::areApartBut(const Linear &Distance, int64_t Multiple,
                             int64_t Loaded, int64_t Stored) const {
  Linear Rest = Distance;
  for (int64_t &Factor : Rest.Factors) {
    Factor %= Multiple; // a row and a column further, in a triangle
    if (std::abs(Factor) > Multiple / 2)
      Factor -= Factor > 0 ? Multiple : -Multiple;
  }
  auto Least = bound(Rest, false), Greatest = bound(Rest, true);
  auto From = Least ? checkedSub(*Least, Loaded) : std::nullopt;
  if (!From || !Greatest)
    return false;
  // Between which two multiples does it lie?
  const int64_t Below =
      *From >= 0 ? *From / Multiple : -((-*From + Multiple - 1) / Multiple);
  auto End = checkedMul(Below + 1, Multiple);
  auto Last = checkedAdd(*Greatest, Stored);
  return End && Last && *Last <= *End;
}

/// Distance: from the first byte loaded to the first byte stored.
bool Executions::areApart(const Linear &Distance, int64_t Loaded,
                          int64_t Stored) const {
  if (!cannotOverflow(Distance))
    return false;
  auto Least = bound(Distance, false), Greatest = bound(Distance, true);
  if ((Least && *Least >= Loaded) || (Greatest && *Greatest <= -Stored))
    return true;
  return any_of(Distance.Factors, [&](int64_t Factor) {
    return std::abs(Factor) > Loaded &&
           areApartBut(Distance, std::abs(Factor), Loaded, Stored);
  });
}

} // namespace

/// What one of the two executions calls the numbers of iterations.
class LaterPlaces::View {
public:
  View(LaterPlaces &Of, Executions &E) : Of(Of), E(E) {}

  /// The same as in another view.
  void share(const Loop &L, const Linear &Number) { Numbers[&L] = Number; }
  /// An iteration of its own.
  void open(const Loop &L) {
    Linear Number;
    Number.add(E.addVariable(lastOf(L)), 1);
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
    for (auto [L, Factor] : S.Loops) {
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

LaterPlaces::LaterPlaces(Function &F, FunctionAnalysisManager &FAM)
    : LI(FAM.getResult<LoopAnalysis>(F)),
      SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      DT(FAM.getResult<DominatorTreeAnalysis>(F)) {}

LaterPlaces::Chain LaterPlaces::around(const Loop *Innermost) const {
  Chain Out;
  for (const Loop *L = Innermost; L; L = L->getParentLoop())
    Out.push_back(L);
  std::reverse(Out.begin(), Out.end());
  return Out;
}

/// Adds a value that is computed in the loops Around, times a number.
bool LaterPlaces::add(IterationSum &To, const SCEV *S, int64_t Times,
                      const Chain &Around) const {
  if (std::abs(Times) >> MostBits)
    return false;
  if (isa<SCEVConstant>(S)) {
    auto N = numberOf(S);
    auto Product = N ? checkedMul(*N, Times) : std::nullopt;
    auto Sum = Product ? checkedAdd(To.Constant, *Product) : std::nullopt;
    To.Constant = Sum.value_or(0);
    return Sum.has_value();
  }
  if (auto *A = dyn_cast<SCEVAddExpr>(S))
    return all_of(A->operands(), [&](const SCEV *Part) {
      return add(To, Part, Times, Around);
    });
  if (auto *M = dyn_cast<SCEVMulExpr>(S); M && M->getNumOperands() == 2)
    if (auto N = numberOf(M->getOperand(0)))
      if (auto Product = checkedMul(*N, Times))
        return add(To, M->getOperand(1), *Product, Around);
  if (auto *R = dyn_cast<SCEVAddRecExpr>(S)) {
    auto Step = R->isAffine() ? numberOf(R->getOperand(1)) : std::nullopt;
    auto Product = Step ? checkedMul(*Step, Times) : std::nullopt;
    if (!Product || std::abs(*Product) >> MostBits ||
        !is_contained(Around, R->getLoop()))
      return false;
    To.Loops[R->getLoop()] += *Product;
    return add(To, R->getStart(), Times, Around);
  }
  // What changes in no loop around has one value.
  if (SCEVExprContains(
          S, [](const SCEV *Part) { return isa<SCEVAddRecExpr>(Part); }) ||
      (!Around.empty() && !SE.isLoopInvariant(S, Around.front())))
    return false;
  To.Others[S] += Times;
  return true;
}

const LaterPlaces::Sum &LaterPlaces::placeOf(const Instruction &Access) {
  auto [It, New] = Places.try_emplace(&Access);
  IterationSum S;
  if (New && add(S, scevOf(SE, getLoadStorePointerOperand(&Access)), 1,
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
        !add(S, SE.getNoopOrZeroExtend(Taken, I64), 1,
             around(L.getParentLoop())) ||
        !S.Others.empty())
      continue;
    It->second = S;
    break;
  }
  return It->second;
}

/// The same, where S runs in a later iteration of Common[Later], and in the
/// same of those before; in the same of all, if there is no such loop.
bool LaterPlaces::areApart(const LoadInst &L, const StoreInst &S,
                           const Chain &Common, size_t Later) {
  Executions E;
  View Loads(*this, E), Stores(*this, E);
  for (size_t N = 0; N < std::min(Later, Common.size()); ++N) {
    Loads.open(*Common[N]);
    Stores.share(*Common[N], Loads.number(*Common[N]));
  }
  if (Later < Common.size()) {
    const Loop &At = *Common[Later];
    std::optional<Linear> Before = Loads.lastOf(At);
    if (Before)
      Before->addConstant(-1); // there is a later one
    Linear Number;
    Number.add(E.addVariable(Before), 1);
    Loads.share(At, Number);
    if (Before)
      Before->add(Number, -1);
    Number.add(E.addVariable(Before), 1);
    Number.addConstant(1);
    Stores.share(At, Number);
  }
  for (auto [I, V] : {std::pair<const Instruction *, View *>(&L, &Loads),
                      std::pair<const Instruction *, View *>(&S, &Stores)}) {
    const Chain Around = around(LI.getLoopFor(I->getParent()));
    for (const Loop *Inner :
         ArrayRef(Around).drop_front(std::min(Later + 1, Common.size())))
      V->open(*Inner);
  }
  auto From = Loads.translated(*placeOf(L)),
       To = Stores.translated(*placeOf(S));
  if (!From || !To)
    return false;
  To->add(*From, -1);
  const DataLayout &DL = L.getDataLayout();
  return E.areApart(*To, static_cast<int64_t>(DL.getTypeStoreSize(L.getType())),
                    static_cast<int64_t>(
                        DL.getTypeStoreSize(S.getValueOperand()->getType())));
}

bool LaterPlaces::areApart(const LoadInst &L, const StoreInst &S) {
  if (L.getDataLayout().getPointerTypeSizeInBits(L.getPointerOperandType()) !=
          64 ||
      L.getType()->isScalableTy() ||
      S.getValueOperand()->getType()->isScalableTy())
    return false;
  const Sum From = placeOf(L), &To = placeOf(S);
  if (!From || !To || From->Others.size() != To->Others.size() ||
      any_of(From->Others, [&](const auto &Term) {
        return To->Others.lookup(Term.first) != Term.second;
      }))
    return false;
  const Loop *Innermost = LI.getLoopFor(L.getParent());
  while (Innermost && !Innermost->contains(S.getParent()))
    Innermost = Innermost->getParentLoop();
  const Chain Common = around(Innermost);
  for (size_t Later = 0; Later < Common.size(); ++Later)
    if (!areApart(L, S, Common, Later))
      return false;
  // In one iteration a store that is always first does not follow.
  return DT.dominates(&S, &L) || areApart(L, S, Common, Common.size());
}

} // namespace retro
