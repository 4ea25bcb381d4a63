// Verdicts: making them, combining them, printing them.
#include "retrograde/verify.hpp"
#include <algorithm>
#include <cstdio>
#include <ostream>

namespace retro::verify {

const char *name(Outcome O) {
  switch (O) {
  case Outcome::Passed:
    return "passed";
  case Outcome::Failed:
    return "failed";
  case Outcome::Unknown:
    break;
  }
  return "unknown";
}

Verdict judge(std::string Check, double Error, double Tolerance,
              std::string Detail) {
  // Written so that a NaN compares as a failure.
  bool Passed = Error <= Tolerance;
  return {std::move(Check), Passed, Error, Tolerance, std::move(Detail), true};
}

Verdict failed(std::string Check, std::string Detail, double Error,
               double Tolerance) {
  return {std::move(Check), false, Error, Tolerance, std::move(Detail), true};
}

Verdict unknown(std::string Check, std::string Detail, double Error,
                double Tolerance) {
  return {std::move(Check), false, Error, Tolerance, std::move(Detail), false};
}

bool allPassed(const std::vector<Verdict> &Verdicts) {
  return combined(Verdicts) == Outcome::Passed;
}

Outcome combined(const std::vector<Verdict> &Verdicts) {
  if (Verdicts.empty())
    return Outcome::Unknown;
  Outcome Result = Outcome::Passed;
  for (const Verdict &V : Verdicts) {
    if (V.outcome() == Outcome::Failed)
      return Outcome::Failed;
    if (V.outcome() == Outcome::Unknown)
      Result = Outcome::Unknown;
  }
  return Result;
}

static std::string number(double X) {
  if (std::isnan(X))
    return "-";
  char Buffer[32];
  std::snprintf(Buffer, sizeof Buffer, "%.1e", X);
  return Buffer;
}

static std::string line(const Verdict &V, std::size_t Width) {
  auto Padded = [](std::string Text, std::size_t Wanted) {
    Text.resize(std::max(Text.size(), Wanted), ' ');
    return Text;
  };
  std::string Text = Padded(name(V.outcome()), 7) + "  " +
                     Padded(V.check, Width) + "  error " +
                     Padded(number(V.error), 8) + "  tolerance " +
                     Padded(number(V.tolerance), 8);
  if (!V.detail.empty())
    Text += "  " + V.detail;
  Text.erase(Text.find_last_not_of(' ') + 1);
  return Text;
}

std::string format(const Verdict &V) { return line(V, V.check.size()); }

void print(std::ostream &OS, const std::vector<Verdict> &Verdicts) {
  std::size_t Width = 0;
  int Counts[3] = {};
  for (const Verdict &V : Verdicts)
    Width = std::max(Width, V.check.size());
  for (const Verdict &V : Verdicts) {
    OS << line(V, Width) << '\n';
    ++Counts[static_cast<int>(V.outcome())];
  }
  OS << Counts[0] << " passed, " << Counts[1] << " failed, " << Counts[2]
     << " unknown\n";
}

//===----------------------------------------------------------------------===//
// Random numbers (splitmix64: one multiply-xorshift hash of a counter)
//===----------------------------------------------------------------------===//

namespace {
struct SplitMix {
  std::uint64_t State;
  std::uint64_t next() {
    std::uint64_t Z = State += 0x9e3779b97f4a7c15u;
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9u;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebu;
    return Z ^ (Z >> 31);
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
};
} // namespace

std::vector<double> randomVector(std::size_t N, std::uint64_t Seed, double Low,
                                 double High) {
  SplitMix R{Seed};
  std::vector<double> V(N);
  for (double &X : V)
    X = Low + (High - Low) * R.unit();
  return V;
}

std::vector<double> randomDirection(std::size_t N, std::uint64_t Seed) {
  SplitMix R{Seed};
  std::vector<double> V(N);
  for (double &X : V) {
    double Magnitude = 0.5 + 0.5 * R.unit();
    X = R.next() >> 63 ? -Magnitude : Magnitude;
  }
  return V;
}

} // namespace retro::verify
