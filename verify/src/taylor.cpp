// The order of the Taylor remainder.
#include "line.hpp"
#include "text.hpp"
#include <numeric>

namespace retro::verify {

namespace {
struct Remainder {
  double Step;
  double Value; ///< f(x + h v) - f(x) - h <g, v>
  double Noise; ///< absolute error of that
};

struct Fit {
  double Slope;
  double Spread; ///< of the slopes between neighbouring steps
};
} // namespace

// A remainder counts as clear of rounding when it is that many times the noise:
// the slope over five steps is then right to a few hundredths.
static constexpr double Clear = 20;

/// Least squares of log2 |Value| against log2 Step.
static Fit fitSlope(const std::vector<Remainder> &Points) {
  double N = static_cast<double>(Points.size());
  double SumX = 0, SumY = 0, SumXX = 0, SumXY = 0;
  double Low = INFINITY, High = -INFINITY, LastX = NAN, LastY = NAN;
  for (const Remainder &P : Points) {
    double X = std::log2(P.Step), Y = std::log2(std::abs(P.Value));
    SumX += X;
    SumY += Y;
    SumXX += X * X;
    SumXY += X * Y;
    if (!std::isnan(LastX)) {
      Low = std::min(Low, (Y - LastY) / (X - LastX));
      High = std::max(High, (Y - LastY) / (X - LastX));
    }
    LastX = X;
    LastY = Y;
  }
  return {(N * SumXY - SumX * SumY) / (N * SumXX - SumX * SumX), High - Low};
}

namespace {

/// The remainder of one gradient along one direction.
class Taylor {
public:
  Taylor(Line &Along, const TaylorOptions &Options, double Claimed,
         double ArgumentRounding)
      : Along(Along), Options(Options), Claimed(Claimed),
        ArgumentRounding(ArgumentRounding) {}

  Verdict judgeOrder(std::string Check);

private:
  void measure();
  void keepClean();
  Verdict judgeLinear(std::string Check) const;
  bool hasKink() const;

  Line &Along;
  const TaylorOptions &Options;
  double Claimed;          ///< <g, v>
  double ArgumentRounding; ///< what rounding x + h v does to f
  bool AnyChange = false;  ///< f is not constant along v
  std::vector<Remainder> Points, Clean;
};

} // namespace

void Taylor::measure() {
  double Centre = Along.centre();
  double Evaluation = Options.noise > 0 ? Options.noise : Along.noise();
  double Step =
      Options.largestStep > 0 ? Options.largestStep : Along.scale() / 8;
  for (int I = 0; I < Options.steps; ++I, Step /= 2) {
    double Value = Along(Step);
    if (!std::isfinite(Value)) {
      Points.clear(); // outside the domain: begin again closer to x
      continue;
    }
    AnyChange |= Value != Centre;
    double Rounding = std::abs(Value) + std::abs(Centre) +
                      Step * std::abs(Claimed) + ArgumentRounding;
    Points.push_back({Step, Value - Centre - Step * Claimed,
                      2 * Evaluation + Options.roundoff * Rounding});
  }
}

// Where the remainder changes its sign, two terms cancel, and the log of its
// size says nothing: only what is finer than the last change counts.
void Taylor::keepClean() {
  for (const Remainder &P : Points) {
    if (!(std::abs(P.Value) > Clear * P.Noise))
      continue;
    if (!Clean.empty() && std::signbit(P.Value) != std::signbit(Clean[0].Value))
      Clean.clear();
    Clean.push_back(P);
  }
  auto Fitted = static_cast<std::size_t>(std::max(Options.fitted, 3));
  if (Clean.size() > Fitted)
    Clean.erase(Clean.begin(),
                Clean.end() - static_cast<std::ptrdiff_t>(Fitted));
}

// f is linear along v as far as rounding lets us see, or all is noise. The
// remainder at the coarsest step bounds the error of the slope.
Verdict Taylor::judgeLinear(std::string Check) const {
  const Remainder &Coarse = Points.front();
  double Scale = std::abs(Claimed) * Coarse.Step;
  if (Scale == 0 && !AnyChange)
    return judge(std::move(Check), 0, Options.roundoff,
                 "f is constant along v");
  double Worst = 1e-7 * Options.roundoff / 0x1p-53;
  double Bound = Scale > 0 ? Clear * Coarse.Noise / Scale : INFINITY;
  if (Clean.empty() && Bound <= std::min(Worst, Options.worstSensitivity))
    return judge(std::move(Check), std::abs(Coarse.Value) / Scale, Bound,
                 "f is linear along v to rounding: relative error of <g, v>");
  return unknown(
      std::move(Check),
      text("only ", Clean.size(), " steps have a remainder clear of rounding"),
      NAN, Options.tolerance);
}

// A wrong gradient changes the remainders at h and -h by opposite amounts; a
// kink leaves a term of first order in their sum.
bool Taylor::hasKink() const {
  std::vector<Remainder> Even;
  for (const Remainder &P : Clean) {
    double Opposite = Along(-P.Step) - Along.centre() + P.Step * Claimed;
    double Sum = P.Value + Opposite;
    if (std::abs(Sum) > 2 * Clear * P.Noise)
      Even.push_back({P.Step, Sum, 2 * P.Noise});
  }
  return Even.size() >= 3 && fitSlope(Even).Slope < 1.25;
}

Verdict Taylor::judgeOrder(std::string Check) {
  if (!std::isfinite(Along.centre()))
    return unknown(std::move(Check), text("f(x) is ", Along.centre()), NAN,
                   Options.tolerance);
  measure();
  if (Points.empty())
    return unknown(std::move(Check), "f is not finite around x", NAN,
                   Options.tolerance);
  if (!AnyChange && Claimed == 0 && !Options.allowZero)
    return unknown(std::move(Check), "vacuous: f is constant along v", NAN,
                   Options.tolerance);
  keepClean();
  if (Clean.size() < 3)
    return judgeLinear(std::move(Check));

  Fit Order = fitSlope(Clean);
  double Error = std::max(0.0, 2 - Order.Slope);
  // An error d of <g, v> adds a term h d; at the finest clean step it bends the
  // slope beyond the tolerance once it is a third of the remainder there.
  double Size =
      Claimed != 0 ? std::abs(Claimed) : Along.largest() / Along.scale();
  double Sensitivity =
      std::abs(Clean.back().Value) / (3 * Clean.back().Step * Size);
  std::string Detail = text("order ", Order.Slope, " for steps ",
                            Clean.front().Step, " to ", Clean.back().Step);

  std::string Doubt;
  if (Error <= Options.tolerance) {
    Detail += text(", sees relative errors above ", Sensitivity);
    if (hasKink())
      Doubt = ": f is not differentiable along v";
    // Above 2 and still falling, a linear term may be about to show.
    else if (Order.Slope > 2 + Options.tolerance &&
             Order.Spread > Options.tolerance)
      Doubt = ": not settled";
    else if (!(Sensitivity <= Options.worstSensitivity))
      Doubt = ": not sensitive enough";
  } else if (Order.Slope < 0.75) {
    // A wrong gradient leaves a term of order 1, and nothing below that.
    Doubt = ": f is noisy or not differentiable along v";
  } else if (hasKink()) {
    Doubt = ": f is not differentiable along v";
  }
  if (!Doubt.empty())
    return unknown(std::move(Check), Detail + Doubt, Error, Options.tolerance);
  return judge(std::move(Check), Error, Options.tolerance, Detail);
}

Verdict taylorRemainder(const Function &F, const std::vector<double> &X, View V,
                        View Gradient, const TaylorOptions &Options,
                        std::string Check) {
  if (V.size() != X.size() || Gradient.size() != X.size())
    return failed(std::move(Check), "lengths of x, v and gradient differ", NAN,
                  Options.tolerance);
  if (std::string Where = notFinite("gradient", Gradient); !Where.empty())
    return failed(std::move(Check), Where, NAN, Options.tolerance);

  double Claimed =
      std::inner_product(V.begin(), V.end(), Gradient.begin(), 0.0);
  // Rounding x_i + h v_i moves f by eps x_i g_i, each independent of the
  // others.
  double Argument = 0;
  for (std::size_t I = 0; I < X.size(); ++I)
    Argument = std::hypot(Argument, X[I] * Gradient[I]);
  std::vector<double> Direction(V.begin(), V.end());
  Line Along(F, X, Direction, Options.roundoff);
  return Taylor(Along, Options, Claimed, Argument).judgeOrder(std::move(Check));
}

} // namespace retro::verify
