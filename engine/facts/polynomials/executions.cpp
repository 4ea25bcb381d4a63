// Input: a sum of variables, with what each can be at most. Output: whether it
// is larger, or smaller, than a number of bytes, at once or but for a multiple
// of a factor. Where it says too much, a load would be repeated that finds
// another number.
#include "facts/polynomials/executions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace llvm;

namespace retro {
namespace {

/// No loop runs so often before the program is ended by other things.
constexpr int64_t Endless = int64_t(1) << 53;
/// Addresses are computed without regard to overflow. Distances that stay below
/// this are the same so.
constexpr int64_t MostDistance = int64_t(1) << 62;

/// P's terms of one sign.
Polynomial partOf(const Polynomial &P, bool Positive) {
  Polynomial Part;
  for (auto &[M, C] : P.terms()) {
    if ((C > 0) != Positive)
      continue;
    Polynomial Term(C);
    for (unsigned V : M)
      Term = Term * Polynomial::variable(V);
    Part = Part + Term;
  }
  return Part;
}

/// How often Of, which is not 0, is in P by its term of highest degree.
int64_t timesOf(const Polynomial &P, const Polynomial &Of) {
  auto Last = max_element(Of.terms(), [](const auto &A, const auto &B) {
    return A.first.size() < B.first.size();
  });
  return P.coefficient(Last->first) / Last->second;
}

/// What is left of P without multiples of Of: of a step by a row and a column,
/// in a triangle, the column. Where two numbers may be left, it is the one
/// nearer to 0.
Polynomial remainderOf(const Polynomial &P, const Polynomial &Of) {
  const Polynomial Rest = P - Of * timesOf(P, Of);
  const auto Number = Rest.asConstant(), Most = Of.asConstant();
  if (!Number || !Most || std::abs(*Number) * 2 <= *Most)
    return Rest;
  return *Number > 0 ? Rest - Of : Rest + Of;
}

} // namespace

bool isNotNegative(const Polynomial &P) {
  return P.isKnown() &&
         all_of(P.terms(), [](const auto &T) { return T.second > 0; });
}

/// The code is executed, so the bound is not negative: if it is an argument
/// less a number, the argument is no less than that number.
unsigned Executions::addVariable(std::optional<Linear> Greatest) {
  const bool IsOfArguments =
      Greatest && all_of(Greatest->Factors, [](const Polynomial &Factor) {
        return Factor == Polynomial();
      });
  if (IsOfArguments) {
    const Polynomial &P = Greatest->Constant;
    const Polynomial Rest = P - Polynomial(P.constant());
    if (P.isKnown() && P.constant() < 0 && Rest.terms().size() == 1) {
      auto &[Product, Times] = *Rest.terms().begin();
      const bool IsAlone = Product.size() == 1 && Times == 1;
      for (unsigned V : Product)
        if (int64_t &Least = LeastArguments[V]; Times > 0)
          Least = std::max(Least, IsAlone ? -P.constant() : 1);
    }
  }
  Bounds.push_back(std::move(Greatest));
  return static_cast<unsigned>(Bounds.size() - 1);
}

/// Is P - Q at least 0, in what each argument is more than its least?
bool Executions::isAtLeast(const Polynomial &P, const Polynomial &Q) const {
  const Polynomial Difference = P - Q;
  Polynomial Sum;
  for (auto &[Product, Times] : Difference.terms()) {
    Polynomial Term(Times);
    for (unsigned V : Product) {
      auto It = LeastArguments.find(V);
      Term = Term * (Polynomial::variable(V) +
                     Polynomial(It == LeastArguments.end() ? 0 : It->second));
    }
    Sum = Sum + Term;
  }
  return Difference.isKnown() && isNotNegative(Sum);
}

/// The greatest that P, without its signs, can be.
std::optional<int64_t> Executions::mostOf(const Polynomial &P) const {
  std::optional<int64_t> Sum = P.isKnown() ? std::optional(0) : std::nullopt;
  for (auto &[M, C] : P.terms()) {
    std::optional<int64_t> Term = std::abs(C);
    for (size_t N = 0; N < M.size() && Term; ++N)
      Term = checkedMul(*Term, MostArgument);
    Sum = Sum && Term ? checkedAdd(*Sum, *Term) : std::nullopt;
  }
  return Sum;
}

std::optional<Polynomial> Executions::bound(Linear L, bool Greatest) const {
  for (unsigned V = static_cast<unsigned>(Bounds.size()); V-- > 0;) {
    const Polynomial Factor = L.factor(V);
    if (Factor == Polynomial())
      continue;
    L.Factors[V] = Polynomial();
    // The terms of each sign by themselves, as nobody knows which is larger. 0
    // is the least that the variable is, for those that it does not help.
    const Polynomial Part = partOf(Factor, Greatest);
    if (!Factor.isKnown() || (!(Part == Polynomial()) && !Bounds[V]))
      return std::nullopt;
    if (!(Part == Polynomial()))
      L.add(*Bounds[V], Part);
  }
  return L.Constant.isKnown() ? std::optional(L.Constant) : std::nullopt;
}

bool Executions::cannotOverflow(const Linear &L) const {
  std::optional<int64_t> Reach = mostOf(L.Constant);
  for (unsigned V = 0; V < Bounds.size() && Reach; ++V) {
    if (L.factor(V) == Polynomial())
      continue;
    Linear Alone;
    Alone.add(V, Polynomial(1));
    const auto Most = bound(Alone, true);
    const auto Times = Most ? mostOf(*Most) : std::optional(Endless);
    const auto Factor = mostOf(L.factor(V));
    auto More = Times && Factor ? checkedMul(*Factor, *Times) : std::nullopt;
    Reach = More ? checkedAdd(*Reach, *More) : std::nullopt;
  }
  return Reach && *Reach < MostDistance;
}

/// Are the executions apart by what is left of Distance when its multiples of
/// one factor, which is not negative, are left out?
bool Executions::areApartBut(const Linear &Distance, const Polynomial &Multiple,
                             const Polynomial &Loaded,
                             const Polynomial &Stored) const {
  Linear Rest = Distance;
  for (Polynomial &Factor : Rest.Factors)
    Factor = remainderOf(Factor, Multiple);
  auto Least = bound(Rest, false), Greatest = bound(Rest, true);
  if (!Least || !Greatest)
    return false;
  const Polynomial From = *Least - Loaded, Last = *Greatest + Stored;
  // Between which two multiples does it lie?
  const int64_t Near = timesOf(From, Multiple);
  for (const int64_t Below : {Near - 1, Near, Near + 1})
    if (isAtLeast(From, Multiple * Below) &&
        isAtLeast(Multiple * (Below + 1), Last))
      return true;
  return false;
}

bool Executions::areApart(const Linear &Distance, const Polynomial &Loaded,
                          const Polynomial &Stored) const {
  for (const Polynomial &Bytes : {Loaded, Stored})
    if (auto Length = mostOf(Bytes); !Length || *Length >= MostDistance)
      return false;
  if (!cannotOverflow(Distance))
    return false;
  auto Least = bound(Distance, false), Greatest = bound(Distance, true);
  if ((Least && isAtLeast(*Least, Loaded)) ||
      (Greatest && isAtLeast(Stored * -1, *Greatest)))
    return true;
  return any_of(Distance.Factors, [&](const Polynomial &Factor) {
    const bool Grows = isNotNegative(Factor);
    const Polynomial Multiple = Grows ? Factor : Factor * -1;
    // Multiples of a number that is no longer than what is loaded leave no gap.
    const auto Number = Multiple.asConstant(), Length = Loaded.asConstant();
    return isNotNegative(Multiple) &&
           !(Number && Length && *Number <= *Length) &&
           areApartBut(Distance, Multiple, Loaded, Stored);
  });
}

} // namespace retro
