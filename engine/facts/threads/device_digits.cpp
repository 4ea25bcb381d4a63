// Addresses that are numbers of several digits: a block's number times the
// bytes of its part, a row's times those of a row, and so on. Where each digit
// stays below what the next one counts, only few differences of the digits of
// two threads bring them to one place; a store of the primal that has these
// digits, too, excludes them. Without it such additions would have to be
// atomic. Members of DeviceProof (device_races.h).
#include "facts/threads/device_races.h"

#include <set>

using namespace llvm;

namespace retro {
namespace {

using Wide = __int128;

struct Digit {
  unsigned Variable;
  int64_t Stride;
  std::optional<int64_t> Spread; ///< two threads' differ by no more
};

/// Bounds of V that hold where the derivative is requested.
std::optional<int64_t> spreadOf(const ThreadTerms &Terms, unsigned V) {
  std::optional<int64_t> Low = Terms.variables()[V].Low,
                         High = Terms.variables()[V].High;
  auto AtMost = [&](int64_t X) { High = High ? std::min(*High, X) : X; };
  auto AtLeast = [&](int64_t X) { Low = Low ? std::max(*Low, X) : X; };
  for (const Comparison &C : Terms.atRequest()) {
    Polynomial P = C.Left - C.Right; // k V + c
    int64_t K = P.coefficient({V}), Constant = P.constant();
    bool Always =
        !C.NotNegative || C.NotNegative->asConstant().value_or(-1) >= 0;
    if (!Always || !P.isKnown() || (K != 1 && K != -1) ||
        P.terms().size() > (Constant ? 2u : 1u) ||
        std::abs(Constant) > (int64_t(1) << 40))
      continue;
    CmpInst::Predicate Pred =
        K > 0 ? C.Pred : CmpInst::getSwappedPredicate(C.Pred);
    int64_t At = -K * Constant; // V Pred At
    if (Pred == CmpInst::ICMP_SLE || Pred == CmpInst::ICMP_EQ)
      AtMost(At);
    if (Pred == CmpInst::ICMP_SLT)
      AtMost(At - 1);
    if (Pred == CmpInst::ICMP_SGE || Pred == CmpInst::ICMP_EQ)
      AtLeast(At);
    if (Pred == CmpInst::ICMP_SGT)
      AtLeast(At + 1);
  }
  if (!Low || !High || *High - *Low < 0 || *High - *Low > (int64_t(1) << 40))
    return std::nullopt;
  return *High - *Low;
}

/// The digits of an address, the largest first; none if it is not made so.
SmallVector<Digit, 4> digitsOf(const ThreadTerms &Terms, const Polynomial &P) {
  SmallVector<Digit, 4> Out;
  for (auto &[M, C] : P.terms()) {
    if (M.size() != 1 || std::abs(C) > (int64_t(1) << 40))
      return {};
    Out.push_back({M[0], C, spreadOf(Terms, M[0])});
  }
  sort(Out, [](const Digit &X, const Digit &Y) {
    return std::abs(X.Stride) > std::abs(Y.Stride);
  });
  return Out;
}

/// Is each combination of differences whose sum is in [Low, High] one that
/// Excluded says cannot be? False, too, where there are many.
class Differences {
public:
  Differences(ArrayRef<Digit> Digits,
              function_ref<bool(ArrayRef<int64_t>)> Excluded)
      : Digits(Digits), Excluded(Excluded) {}
  bool allExcluded(Wide Low, Wide High);

private:
  ArrayRef<Digit> Digits;
  function_ref<bool(ArrayRef<int64_t>)> Excluded;
  SmallVector<int64_t, 4> Chosen;
  unsigned Budget = 256;
};

bool Differences::allExcluded(Wide Low, Wide High) {
  if (Chosen.size() == Digits.size())
    return Low > 0 || High < 0 || Excluded(Chosen);
  const Digit &D = Digits[Chosen.size()];
  Wide Rest = 0;
  for (const Digit &Other : Digits.drop_front(Chosen.size() + 1)) {
    if (!Other.Spread)
      return false;
    Rest += Wide(std::abs(Other.Stride)) * *Other.Spread;
  }
  const Wide Stride = std::abs(D.Stride);
  auto Floor = [&](Wide X) {
    return X >= 0 ? X / Stride : -((-X + Stride - 1) / Stride);
  };
  Wide From = -Floor(-(Low - Rest)), To = Floor(High + Rest);
  if (D.Spread) {
    From = std::max(From, -Wide(*D.Spread));
    To = std::min(To, Wide(*D.Spread));
  }
  for (Wide N = From; N <= To; ++N) {
    if (Budget == 0)
      return false;
    --Budget;
    Chosen.push_back(static_cast<int64_t>(D.Stride < 0 ? -N : N));
    bool All = allExcluded(Low - N * Stride, High - N * Stride);
    Chosen.pop_back();
    if (!All)
      return false;
  }
  return true;
}

} // namespace

bool DeviceProof::haveDigits(const Accesses &Reads, const Accesses &Stores) {
  const Polynomial First = Terms->split(Reads[0].Where.At).Varying;
  SmallVector<Digit, 4> Digits = digitsOf(*Terms, First);
  if (Digits.empty())
    return false;
  // Two stores meet where the sum of Times and differences, plus By, is in
  // (-Left, Right).
  using Meeting = std::tuple<std::vector<int64_t>, int64_t, int64_t, int64_t>;
  std::set<Meeting> Meetings;
  for (const Access &S : Stores)
    for (const Access &T : Stores) {
      auto P = Terms->split(S.Where.At), Q = Terms->split(T.Where.At);
      auto By = (P.Uniform - Q.Uniform).asConstant();
      if (S.Where.Base != T.Where.Base || !(P.Varying == Q.Varying) || !By)
        continue;
      std::vector<int64_t> Times;
      for (const Digit &D : Digits)
        Times.push_back(P.Varying.coefficient({D.Variable}));
      if (P.Varying.terms().size() ==
          static_cast<size_t>(count_if(Times, [](int64_t X) { return X; })))
        Meetings.insert({Times, *By, S.Bytes, T.Bytes});
    }
  auto Excluded = [&](ArrayRef<int64_t> Difference) {
    return any_of(Meetings, [&](const Meeting &M) {
      auto &[Times, By, Left, Right] = M;
      Wide At = By;
      for (size_t N = 0; N < Times.size(); ++N)
        At += Wide(Times[N]) * Difference[N];
      return At < Right && -At < Left;
    });
  };
  std::set<std::pair<int64_t, int64_t>> Ranges;
  for (const Access &A : Reads)
    for (const Access &B : Reads) {
      auto P = Terms->split(A.Where.At), Q = Terms->split(B.Where.At);
      auto L = Terms->range(P.Counted), R = Terms->range(Q.Counted);
      auto By = (P.Uniform - Q.Uniform).asConstant();
      if (!(P.Varying == First) || !(Q.Varying == First) || !By || !L || !R)
        return false;
      Ranges.insert({R->first - L->second - A.Bytes + 1 - *By,
                     R->second - L->first + B.Bytes - 1 - *By});
    }
  return all_of(Ranges, [&](auto Range) {
    return Differences(Digits, Excluded).allExcluded(Range.first, Range.second);
  });
}

} // namespace retro
