// Checks the derivatives that an adapter (see adapter.py) computes, at random
// points. Usage: retro-verify-driver plan.json report.json, where the plan
// names the two shared objects and lays out the inputs and outputs. The report
// is
// {"outcome": …, "verdicts": […]}.
#include "retrograde/verify.hpp"
#include "retrograde/verify_json.hpp"
#include <dlfcn.h>
#include <fstream>
#include <iostream>
#include <numeric>
#include <optional>
#include <stdexcept>

using namespace retro::verify;
using Vector = std::vector<double>;

namespace {

using Primal = void(const double *X, double *Y);
using Derivative = void(const double *X, const double *Seed, double *Result,
                        double *Y);

struct Input {
  std::size_t At, Length;
  double Low, High;
  bool Active, Single;
};

/// The plan, as written by retro_verify.py.
struct Plan {
  std::vector<Input> Inputs;
  std::size_t NumInputs, NumOutputs;
  bool ReturnsReal, Single, AllowZero;
  std::size_t Points, Sample;
  std::uint64_t Seed;
  Primal *F = nullptr;
  Derivative *Reverse = nullptr, *Forward = nullptr;
  std::vector<std::size_t> Active; ///< positions of the active inputs in x
};

void *symbol(void *Library, const char *Name) {
  void *Address = dlsym(Library, Name);
  if (!Address)
    throw std::runtime_error(dlerror());
  return Address;
}

void *load(const std::string &Path) {
  // Each has its own copy of the user's code, and its own globals.
  void *Library = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    throw std::runtime_error(dlerror());
  return Library;
}

Plan readPlan(const char *Path) {
  std::ifstream File(Path);
  nlohmann::json J = nlohmann::json::parse(File);
  Plan P;
  for (const nlohmann::json &I : J.at("inputs")) {
    P.Inputs.push_back({I.at("at"), I.at("length"), I.at("low"), I.at("high"),
                        I.at("active"), I.at("single")});
    const Input &Last = P.Inputs.back();
    for (std::size_t K = 0; Last.Active && K < Last.Length; ++K)
      P.Active.push_back(Last.At + K);
  }
  P.NumInputs = J.at("num_inputs");
  P.NumOutputs = J.at("num_outputs");
  P.ReturnsReal = J.at("returns_real");
  P.Single = J.at("single");
  P.AllowZero = J.at("allow_zero");
  P.Points = J.at("points");
  P.Sample = J.at("sample");
  P.Seed = J.at("seed");

  P.F = reinterpret_cast<Primal *>(
      symbol(load(J.at("primal")), "retro_verify_primal"));
  void *Gradient = load(J.at("gradient"));
  auto Find = [&](const char *Mode, const char *Name) {
    return J.at(Mode).get<bool>()
               ? reinterpret_cast<Derivative *>(symbol(Gradient, Name))
               : nullptr;
  };
  P.Reverse = Find("reverse", "retro_verify_reverse");
  P.Forward = Find("forward", "retro_verify_forward");
  return P;
}

/// One random point with its direction and weights, and the checks there.
class Point {
public:
  Point(const Plan &P, std::size_t Number);
  std::vector<Verdict> check();

private:
  Vector scattered(const Vector &OfActive) const;
  double weighted(const Vector &OfActive) const;
  std::string title(const char *Check) const;
  StepOptions steps() const;
  DifferenceOptions differences() const;
  void checkReverse();
  void checkForward();
  void checkOutputs(const char *Check, const Vector &Left);

  const Plan &P;
  std::size_t Number;
  Vector X;         ///< all inputs
  Vector Start, V;  ///< the active ones, and a direction
  Vector W, Result; ///< weights of the outputs, and the outputs
  std::optional<Vector> Gradient, Tangent;
  std::vector<Verdict> Verdicts;
};

Point::Point(const Plan &P, std::size_t Number)
    : P(P), Number(Number), X(P.NumInputs), Result(P.NumOutputs) {
  std::uint64_t Seed = P.Seed + 1000003 * Number;
  for (const Input &I : P.Inputs) {
    Vector Block = randomVector(I.Length, Seed + I.At, I.Low, I.High);
    for (std::size_t K = 0; K < I.Length; ++K)
      X[I.At + K] = I.Single ? static_cast<float>(Block[K]) : Block[K];
  }
  for (std::size_t At : P.Active)
    Start.push_back(X[At]);
  // Quarters and eighths, so that weights and directions are exact in a float.
  auto Rounded = [](Vector Values) {
    for (double &Value : Values)
      Value = std::round(Value * 1024) / 1024;
    return Values;
  };
  V = Rounded(randomDirection(P.Active.size(), Seed + 1));
  W = Rounded(randomDirection(P.NumOutputs, Seed + 2));
  if (P.ReturnsReal)
    W[0] = 1; // the calling convention has no other seed for a result
  P.F(X.data(), Result.data());
}

Vector Point::scattered(const Vector &OfActive) const {
  Vector All = X;
  for (std::size_t K = 0; K < P.Active.size(); ++K)
    All[P.Active[K]] = OfActive[K];
  return All;
}

/// <w, f(x)> as a function of the active inputs.
double Point::weighted(const Vector &OfActive) const {
  Vector Y(P.NumOutputs);
  P.F(scattered(OfActive).data(), Y.data());
  return std::inner_product(W.begin(), W.end(), Y.begin(), 0.0);
}

std::string Point::title(const char *Check) const {
  return "point " + std::to_string(Number + 1) + ": " + Check;
}

StepOptions Point::steps() const {
  StepOptions Options;
  if (P.Single)
    Options.roundoff = 0x1p-24;
  return Options;
}

DifferenceOptions Point::differences() const {
  DifferenceOptions Options;
  Options.steps = steps();
  Options.allowZero = P.AllowZero;
  if (P.Single) // differences of floats are good to some four digits
    Options.worstTolerance = 1e-2;
  return Options;
}

/// What the differentiated call left in the outputs must be what the function
/// itself leaves there.
void Point::checkOutputs(const char *Check, const Vector &Left) {
  std::size_t First = P.ReturnsReal ? 1 : 0;
  if (First == P.NumOutputs)
    return;
  EntryOptions Options;
  Options.tolerance = P.Single ? 1e-5 : 1e-12;
  Options.allowZero = true;
  Verdicts.push_back(
      compareEntries(View(Left.data() + First, P.NumOutputs - First),
                     View(Result.data() + First, P.NumOutputs - First), Options,
                     title(Check)));
}

void Point::checkReverse() {
  auto Run = [&](Vector &Y) {
    Vector All(P.NumInputs), Active;
    P.Reverse(X.data(), W.data(), All.data(), Y.data());
    for (std::size_t At : P.Active)
      Active.push_back(All[At]);
    return Active;
  };
  Vector Y(P.NumOutputs), Again(P.NumOutputs);
  Gradient = Run(Y);
  checkOutputs("outputs after reverse", Y);

  Function F = [this](const Vector &At) { return weighted(At); };
  GradientOptions Entries;
  Entries.difference = differences();
  Entries.sample = P.Sample;
  Entries.seed = P.Seed;
  Entries.allowZero = P.AllowZero;
  if (P.Single)
    Entries.floor = 0.1;
  Verdicts.push_back(checkGradient(F, Start, *Gradient, Entries,
                                   title("reverse, differences")));
  TaylorOptions Taylor;
  Taylor.roundoff = steps().roundoff;
  Taylor.allowZero = P.AllowZero;
  if (P.Single) {
    Taylor.tolerance = 0.3;
    Taylor.worstSensitivity = 3e-2;
  }
  Verdicts.push_back(taylorRemainder(F, Start, V, *Gradient, Taylor,
                                     title("reverse, Taylor")));

  EntryOptions Exact;
  Exact.tolerance = 0;
  Exact.allowZero = true;
  Verdicts.push_back(compareEntries(Run(Again), *Gradient, Exact,
                                    title("reverse, same when repeated")));
}

void Point::checkForward() {
  Vector Direction(P.NumInputs), Y(P.NumOutputs);
  for (std::size_t K = 0; K < P.Active.size(); ++K)
    Direction[P.Active[K]] = V[K];
  Tangent.emplace(P.NumOutputs);
  P.Forward(X.data(), Direction.data(), Tangent->data(), Y.data());
  checkOutputs("outputs after forward", Y);

  // <w, Jv> is the derivative along the line t -> <w, f(x + t v)>.
  double Size = 0;
  for (std::size_t I = 0; I < P.NumOutputs; ++I)
    Size = std::max(Size, std::abs(W[I] * (*Tangent)[I]));
  DifferenceOptions Options = differences();
  Options.scale = 1e-3 * Size; // where the terms cancel
  double Claimed =
      std::inner_product(W.begin(), W.end(), Tangent->begin(), 0.0);
  Function AlongLine = [this](const Vector &T) {
    Vector At = Start;
    for (std::size_t K = 0; K < At.size(); ++K)
      At[K] += T[0] * V[K];
    return weighted(At);
  };
  // t = 0 has no size of its own; the inputs do.
  double Largest = 0;
  for (double Value : Start)
    Largest = std::max(Largest, std::abs(Value));
  if (Largest > 0)
    Options.steps.largestStep = std::exp2(std::floor(std::log2(Largest)) - 3);
  Verdicts.push_back(centralDifference(AlongLine, {0.0}, 0, Claimed, Options,
                                       title("forward, differences")));
}

std::vector<Verdict> Point::check() {
  if (P.Reverse)
    checkReverse();
  if (P.Forward)
    checkForward();
  if (Gradient && Tangent) {
    DotOptions Options;
    Options.tolerance = P.Single ? 1e-5 : 1e-12;
    Options.allowZero = P.AllowZero;
    Verdicts.push_back(dotProduct(W, *Tangent, *Gradient, V, Options,
                                  title("forward against reverse")));
  }
  return std::move(Verdicts);
}

} // namespace

int main(int ArgC, char **ArgV) try {
  if (ArgC != 3) {
    std::cerr << "usage: retro-verify-driver plan.json report.json\n";
    return 2;
  }
  Plan P = readPlan(ArgV[1]);
  std::vector<Verdict> All;
  for (std::size_t I = 0; I < P.Points; ++I)
    for (Verdict &V : Point(P, I).check())
      All.push_back(std::move(V));
  nlohmann::json Report = {{"outcome", name(combined(All))}, {"verdicts", All}};
  std::ofstream File(ArgV[2]);
  File << Report.dump(2) << '\n';
  return File.flush() ? 0 : 2;
} catch (const std::exception &Error) {
  std::cerr << "retro-verify-driver: " << Error.what() << '\n';
  return 2;
}
