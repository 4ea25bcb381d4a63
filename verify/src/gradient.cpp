// Claimed derivatives against central differences.
#include "text.hpp"
#include <numeric>

namespace retro::verify {

namespace {
/// A claimed derivative beside its estimate.
struct Comparison {
  double Claimed;
  Estimate By;
};
} // namespace

static std::string describe(const Comparison &C) {
  return text("claimed ", C.Claimed, ", differences ", C.By.value, " +- ",
              C.By.error);
}

static Verdict judgeOne(const Comparison &C, const DifferenceOptions &Options,
                        std::string Check) {
  const Estimate &E = C.By;
  if (!std::isfinite(C.Claimed))
    return failed(std::move(Check), text("claimed derivative is ", C.Claimed));
  if (!E.trouble.empty())
    return unknown(std::move(Check), describe(C) + ": " + E.trouble);

  double Scale =
      std::max({std::abs(E.value), std::abs(C.Claimed), Options.scale});
  if (E.value == 0 && C.Claimed == 0 && !Options.allowZero)
    return unknown(std::move(Check), "vacuous: zero against zero", 0);
  if (Options.allowZero && C.Claimed == 0)
    Scale = std::max(Scale, E.size);
  if (Scale == 0)
    return judge(std::move(Check), 0, 0x1p-52, "zero against zero");

  double Error = std::abs(C.Claimed - E.value) / Scale;
  double Tolerance =
      Options.safety * E.error / Scale + 16 * Options.steps.roundoff;
  if (Tolerance <= Options.worstTolerance)
    return judge(std::move(Check), Error, Tolerance, describe(C));
  // Too rough to confirm anything, but an error far outside the bar of an
  // estimate that has a digit or more is still a refutation.
  if (Tolerance < 0.1 && Error > Tolerance)
    return failed(std::move(Check), describe(C), Error, Tolerance);
  return unknown(std::move(Check),
                 describe(C) + text(": too rough, wanted a tolerance of ",
                                    Options.worstTolerance),
                 Error, Tolerance);
}

Verdict centralDifference(const Function &F, const std::vector<double> &X,
                          std::size_t Index, double Claimed,
                          const DifferenceOptions &Options, std::string Check) {
  if (Check.empty())
    Check = text("central difference [", Index, "]");
  if (Index >= X.size())
    return failed(std::move(Check), "index out of range");
  return judgeOne({Claimed, estimateEntry(F, X, Index, Options.steps)}, Options,
                  std::move(Check));
}

/// What is wrong with a gradient before any number is compared, or an empty
/// string.
static std::string malformed(std::size_t Length, View V, View Gradient) {
  if (V.size() != Length || Gradient.size() != Length)
    return "lengths of x, v and gradient differ";
  return notFinite("gradient", Gradient);
}

Verdict directionalDerivative(const Function &F, const std::vector<double> &X,
                              View V, View Gradient,
                              const DifferenceOptions &Options,
                              std::string Check) {
  if (std::string Why = malformed(X.size(), V, Gradient); !Why.empty())
    return failed(std::move(Check), Why);
  std::vector<double> Direction(V.begin(), V.end());
  return directionalDerivative(estimateAlong(F, X, Direction, Options.steps), V,
                               Gradient, Options, std::move(Check));
}

Verdict directionalDerivative(const Estimate &Along, View V, View Gradient,
                              const DifferenceOptions &Options,
                              std::string Check) {
  if (std::string Why = malformed(V.size(), V, Gradient); !Why.empty())
    return failed(std::move(Check), Why);
  double Claimed =
      std::inner_product(V.begin(), V.end(), Gradient.begin(), 0.0);
  // Where the terms cancel, the sum cannot be known better than its terms.
  DifferenceOptions Scaled = Options;
  double Largest = 0;
  for (std::size_t I = 0; I < V.size(); ++I)
    Largest = std::max(Largest, std::abs(V[I] * Gradient[I]));
  Scaled.scale = std::max(Scaled.scale, 1e-3 * Largest);
  return judgeOne({Claimed, Along}, Scaled, std::move(Check));
}

/// `Wanted` of the indices below N in random order; all of them in order if
/// Wanted is 0 or not smaller than N.
static std::vector<std::size_t> chooseEntries(std::size_t N, std::size_t Wanted,
                                              std::uint64_t Seed) {
  std::vector<std::size_t> Entries(N);
  std::iota(Entries.begin(), Entries.end(), std::size_t{0});
  if (Wanted == 0 || Wanted >= N)
    return Entries;
  std::vector<double> Random = randomVector(Wanted, Seed, 0, 1);
  for (std::size_t I = 0; I < Wanted; ++I) {
    auto Offset =
        static_cast<std::size_t>(Random[I] * static_cast<double>(N - I));
    std::swap(Entries[I], Entries[I + Offset]);
  }
  Entries.resize(Wanted);
  return Entries;
}

/// Orders verdicts of one outcome: how close to (or beyond) the tolerance. What
/// has no number is worst.
static double badness(const Verdict &V) {
  double Ratio = V.error / V.tolerance;
  return std::isnan(Ratio) ? INFINITY : Ratio;
}

/// One verdict for many: failed before unknown before passed, and among equals
/// the worst.
static Verdict summarize(const std::vector<Verdict> &All, std::string Check,
                         std::size_t Entries, std::size_t OutOf) {
  int Counts[3] = {};
  const Verdict *Worst = nullptr;
  auto Severity = [](const Verdict &V) {
    return V.outcome() == Outcome::Failed    ? 2
           : V.outcome() == Outcome::Unknown ? 1
                                             : 0;
  };
  for (const Verdict &V : All) {
    ++Counts[static_cast<int>(V.outcome())];
    if (!Worst || Severity(V) > Severity(*Worst) ||
        (Severity(V) == Severity(*Worst) && badness(V) > badness(*Worst)))
      Worst = &V;
  }
  Verdict Result = *Worst;
  Result.detail = text(Entries, " of ", OutOf, " entries");
  if (Counts[1])
    Result.detail += text(", ", Counts[1], " failed");
  if (Counts[2])
    Result.detail += text(", ", Counts[2], " unknown");
  Result.detail += text("; worst ", Worst->check, ": ", Worst->detail);
  Result.check = std::move(Check);
  return Result;
}

Verdict checkGradient(const Function &F, const std::vector<double> &X,
                      View Gradient, const GradientOptions &Options,
                      std::string Check) {
  if (Gradient.size() != X.size())
    return failed(std::move(Check), text("gradient has ", Gradient.size(),
                                         " entries, x has ", X.size()));
  if (std::string Where = notFinite("gradient", Gradient); !Where.empty())
    return failed(std::move(Check), Where);
  if (X.empty())
    return unknown(std::move(Check), "vacuous: no entries");

  std::vector<std::size_t> Entries =
      chooseEntries(X.size(), Options.sample, Options.seed);
  std::vector<Comparison> Compared;
  double Largest = largestMagnitude(Gradient);
  for (std::size_t I : Entries) {
    Compared.push_back(
        {Gradient[I], estimateEntry(F, X, I, Options.difference.steps)});
    const Estimate &E = Compared.back().By;
    if (E.trouble.empty() && E.error < 0.1 * std::abs(E.value))
      Largest = std::max(Largest, std::abs(E.value));
  }
  if (Largest == 0 && !Options.allowZero) {
    bool AllZero = true;
    for (const Comparison &C : Compared)
      AllZero &= C.By.value == 0 && C.By.trouble.empty();
    if (AllZero)
      return unknown(std::move(Check),
                     "vacuous: gradient and differences are "
                     "zero in every entry",
                     0);
  }

  DifferenceOptions Each = Options.difference;
  Each.scale = std::max(Each.scale, Options.floor * Largest);
  // One zero among entries that are not is an ordinary answer.
  Each.allowZero = Options.allowZero || Largest > 0;
  std::vector<Verdict> All;
  for (std::size_t K = 0; K < Entries.size(); ++K)
    All.push_back(judgeOne(Compared[K], Each, text("[", Entries[K], "]")));
  if (Entries.size() < X.size())
    All.push_back(
        directionalDerivative(F, X, randomDirection(X.size(), Options.seed + 1),
                              Gradient, Each, "random direction"));
  return summarize(All, std::move(Check), Entries.size(), X.size());
}

namespace detail {
Verdict judgeComplexStep(const Function &RealPart, const std::vector<double> &X,
                         const std::vector<double> &V, double ByComplexStep,
                         double Claimed, const ComplexStepOptions &Options,
                         std::string Check) {
  if (!std::isfinite(Claimed) || !std::isfinite(ByComplexStep))
    return failed(std::move(Check),
                  text("claimed ", Claimed, ", complex step ", ByComplexStep));
  Estimate E = estimateAlong(RealPart, X, V, Options.steps);
  std::string Pair =
      text("claimed ", Claimed, ", complex step ", ByComplexStep);
  if (!E.trouble.empty())
    return unknown(std::move(Check), Pair + ": " + E.trouble);
  double Off = std::abs(ByComplexStep - E.value);
  if (Off > 10 * E.error + 32 * Options.steps.roundoff * std::abs(E.value))
    return unknown(std::move(Check),
                   Pair + text(", differences ", E.value, " +- ", E.error,
                               ": the code is not analytic here"));
  double Scale =
      std::max({std::abs(Claimed), std::abs(ByComplexStep), Options.scale});
  if (Scale == 0 && !Options.allowZero)
    return unknown(std::move(Check), "vacuous: zero against zero", 0,
                   Options.tolerance);
  double Error = Scale == 0 ? 0 : std::abs(Claimed - ByComplexStep) / Scale;
  return judge(std::move(Check), Error, Options.tolerance, Pair);
}
} // namespace detail

} // namespace retro::verify
