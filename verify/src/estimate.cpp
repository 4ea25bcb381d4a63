// A derivative along a line, by extrapolated central differences.
#include "line.hpp"
#include "sweep.hpp"
#include "text.hpp"

namespace retro::verify {

namespace {

/// One step of the sweep.
struct Level {
  double Step;
  double Central; ///< (f(x+h) - f(x-h)) / 2h
  double Bend;    ///< (f(x+h) - 2 f(x) + f(x-h)) / h: ~ h f'', or a kink's jump
  double Noise;   ///< absolute error of Central from evaluation
};

/// An entry of the tableau.
struct Candidate {
  double Value = NAN;
  double Error = INFINITY;
  std::size_t Level = 0;
};

class Sweep {
public:
  Sweep(Line &Along, const StepOptions &Options)
      : Along(Along), Options(Options) {}
  Estimate run();

private:
  void addLevel(double Step);
  Candidate bestFrom(std::size_t First) const;
  bool finerLevelsAgree(const Candidate &Best) const;
  bool hasKink(std::size_t From) const;
  Estimate settle() const;

  Line &Along;
  const StepOptions &Options;
  double EvaluationNoise = 0;
  std::vector<Level> Levels;
};

} // namespace

// The most columns of the tableau: error terms up to h^(2 * that).
static constexpr std::size_t MaxColumns = 6;
// How far below the last planned step a sweep goes on in search of a good
// answer.
static constexpr int ExtraSteps = 24;

void Sweep::addLevel(double Step) {
  double Plus = Along(Step), Minus = Along(-Step);
  if (!std::isfinite(Plus) || !std::isfinite(Minus)) {
    // Outside the domain: whatever was built on coarser steps is suspect too.
    Levels.clear();
    return;
  }
  double Central = (Plus - Minus) / (2 * Step);
  double Rounding =
      Along.roundoff() * std::max(std::abs(Plus), std::abs(Minus));
  // The argument is rounded as well: x (1 + eps) moves f by eps x f'.
  double Argument = Along.roundoff() * Along.scale() * std::abs(Central);
  double Noise = std::max(EvaluationNoise, Rounding) + Argument;
  Levels.push_back({Step, Central, (Plus - 2 * Along.centre() + Minus) / Step,
                    Noise / Step});
}

// Richardson extrapolation in h^2 of the levels from First on, and the entry
// with the smallest error bar (Ridders, Adv. Eng. Software 4, 1982).
Candidate Sweep::bestFrom(std::size_t First) const {
  Candidate Best;
  std::vector<double> Previous, Row;
  for (std::size_t J = First; J < Levels.size(); ++J) {
    Row.assign(1, Levels[J].Central);
    double Factor = 1;
    std::size_t Columns = std::min(J - First, MaxColumns);
    for (std::size_t M = 1; M <= Columns; ++M) {
      Factor *= 4;
      Row.push_back((Factor * Row[M - 1] - Previous[M - 1]) / (Factor - 1));
      double Disagreement = std::max(std::abs(Row[M] - Row[M - 1]),
                                     std::abs(Row[M] - Previous[M - 1]));
      // Extrapolation amplifies the noise of the finest step by less than 2.
      double Error = Disagreement + 2 * Levels[J].Noise;
      if (Error < Best.Error)
        Best = {Row[M], Error, J};
    }
    Previous = Row;
  }
  return Best;
}

// Going finer must not change the answer by more than noise explains: if it
// does, the function has structure that the coarser steps jumped over.
bool Sweep::finerLevelsAgree(const Candidate &Best) const {
  double Truncation = std::abs(Levels[Best.Level].Central - Best.Value);
  for (std::size_t J = Best.Level + 1; J < Levels.size(); ++J) {
    double Ratio = Levels[J].Step / Levels[Best.Level].Step;
    double Allowed =
        2 * Best.Error + 2 * Truncation * Ratio * Ratio + 8 * Levels[J].Noise;
    if (!(std::abs(Levels[J].Central - Best.Value) <= Allowed))
      return false;
  }
  return true;
}

// At a kink the central differences settle on the mean of the two one-sided
// derivatives; but these differ by the same amount at every step, where a
// smooth function's differ by h f''.
bool Sweep::hasKink(std::size_t From) const {
  std::size_t Fine = Levels.size();
  while (Fine-- > From)
    if (std::abs(Levels[Fine].Bend) > 40 * Levels[Fine].Noise)
      break;
  if (Fine >= Levels.size() || Fine < From + 3)
    return false;
  for (std::size_t J = Fine - 3; J < Fine; ++J) {
    double Ratio = Levels[J].Bend / Levels[Fine].Bend;
    if (!(Ratio > 0.7 && Ratio < 1.4))
      return false;
  }
  return true;
}

// Drops coarse levels until what is left tells one story.
Estimate Sweep::settle() const {
  Estimate E;
  for (std::size_t First = 0; First + 2 < Levels.size(); ++First) {
    Candidate Best = bestFrom(First);
    if (!std::isfinite(Best.Value) || !finerLevelsAgree(Best))
      continue;
    E.value = Best.Value;
    E.error = Best.Error;
    E.step = Levels[Best.Level].Step;
    if (hasKink(First))
      E.trouble = "one-sided derivatives differ: not differentiable within the "
                  "steps used";
    return E;
  }
  E.trouble = Levels.size() < 4
                  ? "f is not finite around x"
                  : "differences do not settle as the step shrinks";
  return E;
}

Estimate Sweep::run() {
  Estimate E;
  if (!std::isfinite(Along.centre())) {
    E.trouble = text("f(x) is ", Along.centre());
    E.evaluations = Along.evaluations();
    return E;
  }
  EvaluationNoise = Options.noise > 0 ? Options.noise : Along.noise();

  double Step =
      Options.largestStep > 0 ? Options.largestStep : Along.scale() / 8;
  for (int Left = std::max(Options.steps, 4) + ExtraSteps; Left > 0; --Left) {
    addLevel(Step);
    Step /= 2;
    if (Left > ExtraSteps)
      continue;
    E = settle();
    bool Good = E.trouble.empty() && E.error <= 1e-9 * std::abs(E.value);
    // Finer steps have more noise: past this they add nothing.
    bool Drowned = E.trouble.empty() && E.error <= 2 * Levels.back().Noise;
    if (Good || Drowned)
      break;
  }
  E.evaluations = Along.evaluations();
  E.noise = EvaluationNoise;
  E.size = Along.largest() / Along.scale();
  return E;
}

Estimate sweep(Line &Along, const StepOptions &Options) {
  return Sweep(Along, Options).run();
}

Estimate estimateAlong(const Function &F, const std::vector<double> &X,
                       const std::vector<double> &V,
                       const StepOptions &Options) {
  Line Along(F, X, V, Options.roundoff);
  return sweep(Along, Options);
}

Estimate estimateEntry(const Function &F, const std::vector<double> &X,
                       std::size_t Index, const StepOptions &Options) {
  std::vector<double> Unit(X.size());
  Unit.at(Index) = 1;
  return estimateAlong(F, X, Unit, Options);
}

} // namespace retro::verify
