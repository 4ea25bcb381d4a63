// Numerical verification of derivatives: every check returns a Verdict that
// carries the measured error and the tolerance it was held to.
//
// All checks work in double precision on flat vectors. A gradient is a vector
// with the units of (function value) / (entry of x). Only C++17 is needed.
//
// A NaN or an infinity in anything that is handed in as a derivative fails the
// check. A check that cannot tell (ill-conditioned function, estimate too
// rough, everything zero) answers 'unknown', which is never a pass.
#ifndef RETROGRADE_VERIFY_HPP
#define RETROGRADE_VERIFY_HPP

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <limits>
#include <string>
#include <vector>

namespace retro::verify {

enum class Outcome { Passed, Failed, Unknown };

/// "passed", "failed" or "unknown".
const char *name(Outcome O);

/// The answer of one check. `error` and `tolerance` are relative and
/// dimensionless unless the check says otherwise; both may be NaN where nothing
/// could be measured, and then `passed` is false.
struct Verdict {
  std::string check;   ///< which check, and on what
  bool passed = false; ///< true only if the error was measured and is small
  double error = std::numeric_limits<double>::quiet_NaN();
  double tolerance = std::numeric_limits<double>::quiet_NaN();
  std::string detail; ///< worst entry, steps used, or why nothing is known
  bool known = true;  ///< false: the check could not tell (and did not pass)

  Outcome outcome() const {
    if (!known)
      return Outcome::Unknown;
    return passed ? Outcome::Passed : Outcome::Failed;
  }
};

/// Makes a verdict from a measured error: passed exactly if error <= tolerance.
/// A NaN on either side fails.
Verdict judge(std::string Check, double Error, double Tolerance,
              std::string Detail = {});
Verdict failed(std::string Check, std::string Detail,
               double Error = std::numeric_limits<double>::quiet_NaN(),
               double Tolerance = std::numeric_limits<double>::quiet_NaN());
Verdict unknown(std::string Check, std::string Detail,
                double Error = std::numeric_limits<double>::quiet_NaN(),
                double Tolerance = std::numeric_limits<double>::quiet_NaN());

/// True if there is at least one verdict and every one passed.
bool allPassed(const std::vector<Verdict> &Verdicts);

/// The outcome of a list: failed if any failed, else unknown if any is unknown
/// or the list is empty, else passed.
Outcome combined(const std::vector<Verdict> &Verdicts);

/// One line, e.g. "passed   taylor    error 1.2e-03  tolerance 1.0e-01  …".
std::string format(const Verdict &V);
/// A table of all verdicts and a closing line with the counts.
void print(std::ostream &OS, const std::vector<Verdict> &Verdicts);

/// A read-only view of doubles (std::span is C++20).
class View {
public:
  View(const double *Data, std::size_t Size) : First(Data), Count(Size) {}
  View(const std::vector<double> &V) : First(V.data()), Count(V.size()) {}
  template <std::size_t N>
  View(const std::array<double, N> &A) : First(A.data()), Count(N) {}
  template <std::size_t N> View(const double (&A)[N]) : First(A), Count(N) {}

  const double *data() const { return First; }
  std::size_t size() const { return Count; }
  double operator[](std::size_t I) const { return First[I]; }
  const double *begin() const { return First; }
  const double *end() const { return First + Count; }

private:
  const double *First;
  std::size_t Count;
};

/// Compares like with like: two vectors that should agree to rounding.
struct EntryOptions {
  double tolerance = 1e-12; ///< on the error defined at compareEntries
  /// Entries smaller than floor * max|reference| are measured against that.
  double floor = 1e-9;
  bool allowZero = false; ///< accept an all-zero gradient of a zero reference
};

/// error = max_i |g_i - r_i| / max(|r_i|, floor * max_j |r_j|), with the worst
/// index in `detail`. Different lengths or a NaN or infinity fail. Zero against
/// zero in every entry (and an empty vector) is 'unknown' with a detail that
/// begins with "vacuous", unless allowed.
Verdict compareEntries(View Gradient, View Reference,
                       const EntryOptions &Options = {},
                       std::string Check = "entries");

/// <w, J v> = <J^T w, v>: forward mode against reverse mode.
/// `Jv` has the length of `w` (outputs), `JTw` that of `v` (inputs).
/// error = |a - b| / max(sum|w_i Jv_i|, sum|JTw_i v_i|), so that cancellation
/// in the two sums is not charged to the derivatives.
struct DotOptions {
  double tolerance = 1e-12;
  bool allowZero = false;
};
Verdict dotProduct(View W, View Jv, View JTw, View V,
                   const DotOptions &Options = {},
                   std::string Check = "dot product");

//===----------------------------------------------------------------------===//
// Differences
//===----------------------------------------------------------------------===//

/// A scalar function of a vector. It is called many times and must be a
/// function: same argument, same result.
using Function = std::function<double(const std::vector<double> &)>;

struct StepOptions {
  /// Largest step h of x + h v; 0 chooses some 1/8 of the scale of x, as a
  /// power of two.
  double largestStep = 0;
  int steps = 16; ///< steps of the sweep, each half the one before
  /// Absolute error of one evaluation of f; 0 measures it (9 evaluations).
  double noise = 0;
  /// Unit roundoff of the arithmetic inside f: 0x1p-24 where floats are in it.
  double roundoff = 0x1p-53;
};

/// A derivative by central differences, extrapolated (Richardson, in Ridders'
/// tableau) over a sweep of steps.
struct Estimate {
  double value = std::numeric_limits<double>::quiet_NaN();
  /// Absolute error bar on `value`: the disagreement inside the tableau plus
  /// the noise of the evaluations divided by the step.
  double error = std::numeric_limits<double>::infinity();
  double step = 0;  ///< finest step that went into `value`
  double noise = 0; ///< absolute error of one evaluation, as used
  double size = 0;  ///< max |f| seen / scale of x: a derivative of natural size
  int evaluations = 0;
  /// Not empty: there is no estimate, or it must not be trusted, and why.
  std::string trouble;
};

/// d/dh f(x + h v) at h = 0. `V` has the length of x.
Estimate estimateAlong(const Function &F, const std::vector<double> &X,
                       const std::vector<double> &V,
                       const StepOptions &Options = {});
/// df/dx_i.
Estimate estimateEntry(const Function &F, const std::vector<double> &X,
                       std::size_t Index, const StepOptions &Options = {});

/// The absolute error of evaluating F near X along V, from a table of
/// differences at closely spaced points (More and Wild, 'Estimating
/// computational noise', SIAM J. Sci. Comput. 33, 2011), but at least
/// Roundoff |f(x)|. NaN if f(x) is not finite.
double evaluationNoise(const Function &F, const std::vector<double> &X,
                       const std::vector<double> &V, double Roundoff = 0x1p-53);

struct DifferenceOptions {
  StepOptions steps;
  /// The tolerance is safety * (error bar of the estimate), made relative.
  double safety = 10;
  /// An estimate whose tolerance would be above this is useless: 'unknown'.
  double worstTolerance = 1e-7;
  /// The error is relative to max(|estimate|, |claimed|, scale).
  double scale = 0;
  bool allowZero = false; ///< accept zero against zero
};

/// One entry of a gradient against central differences.
Verdict centralDifference(const Function &F, const std::vector<double> &X,
                          std::size_t Index, double Claimed,
                          const DifferenceOptions &Options = {},
                          std::string Check = {});

/// The directional derivative <gradient, v> against central differences along
/// v: all entries at once, in some 40 evaluations whatever the length of x.
Verdict directionalDerivative(const Function &F, const std::vector<double> &X,
                              View V, View Gradient,
                              const DifferenceOptions &Options = {},
                              std::string Check = "directional derivative");
/// The same against the estimate along v that estimateAlong gave: several
/// gradients of one function need it once.
Verdict directionalDerivative(const Estimate &Along, View V, View Gradient,
                              const DifferenceOptions &Options = {},
                              std::string Check = "directional derivative");

struct GradientOptions {
  DifferenceOptions difference;
  /// Number of entries to check, drawn without repetition; 0: all of them.
  std::size_t sample = 0;
  std::uint64_t seed = 1;
  /// Entries below floor * max|gradient| are measured against that: differences
  /// cannot resolve them any better.
  double floor = 1e-3;
  bool allowZero = false; ///< accept a gradient that is zero in every entry
};

/// Central differences of all entries, or of a random sample, and, where only a
/// sample was taken, one random directional derivative over all entries.
/// `error` and `tolerance` are those of the entry with the worst ratio.
Verdict checkGradient(const Function &F, const std::vector<double> &X,
                      View Gradient, const GradientOptions &Options = {},
                      std::string Check = "central differences");

//===----------------------------------------------------------------------===//
// Taylor remainder
//===----------------------------------------------------------------------===//

struct TaylorOptions {
  double largestStep = 0;    ///< as in StepOptions
  int steps = 40;            ///< each half the one before
  double noise = 0;          ///< as in StepOptions
  double roundoff = 0x1p-53; ///< as in StepOptions
  int fitted = 5; ///< the slope is fitted to that many finest clean steps
  double tolerance = 0.1; ///< on max(0, 2 - slope)
  /// A relative error of <g, v> this large must show, else 'unknown'.
  double worstSensitivity = 1e-3;
  bool allowZero = false; ///< accept f constant along v with a zero gradient
};

/// The order of |f(x + h v) - f(x) - h <g, v>|, which is 2 for the right
/// gradient of a twice differentiable function and 1 for a wrong one. The slope
/// is a least-squares fit of log remainder against log h over the finest steps
/// whose remainder stands clear of rounding. error = max(0, 2 - slope). The
/// detail says from which relative error of <g, v> on the slope would show it.
/// Where no remainder stands clear of rounding, f is linear along v, and the
/// error is that bound on the relative error of <g, v> instead.
Verdict taylorRemainder(const Function &F, const std::vector<double> &X, View V,
                        View Gradient, const TaylorOptions &Options = {},
                        std::string Check = "taylor remainder");

//===----------------------------------------------------------------------===//
// Complex step
//===----------------------------------------------------------------------===//

/// Im f(x + i h v) / h: exact to rounding where f is written in analytic
/// operations (Squire and Trapp, SIAM Review 40, 1998). `F` takes a
/// std::vector<std::complex<double>> and returns std::complex<double>.
template <typename ComplexFunction>
double complexStepDerivative(ComplexFunction &&F, const std::vector<double> &X,
                             View V, double Step = 0x1p-120) {
  std::vector<std::complex<double>> Z(X.size());
  for (std::size_t I = 0; I < X.size(); ++I)
    Z[I] = {X[I], Step * V[I]};
  return std::imag(std::complex<double>(F(Z))) / Step;
}

struct ComplexStepOptions {
  double tolerance = 1e-12;
  double scale = 0; ///< as in DifferenceOptions
  bool allowZero = false;
  StepOptions steps; ///< for the differences that guard against non-analytic f
};

namespace detail {
Verdict judgeComplexStep(const Function &RealPart, const std::vector<double> &X,
                         const std::vector<double> &V, double ByComplexStep,
                         double Claimed, const ComplexStepOptions &Options,
                         std::string Check);
} // namespace detail

/// <gradient, v> against the complex step along v. The complex step itself is
/// held against central differences of the real part first: code that is not
/// analytic (abs, conj, comparisons on the modulus) gives 'unknown'.
template <typename ComplexFunction>
Verdict complexStep(ComplexFunction &&F, const std::vector<double> &X, View V,
                    View Gradient, const ComplexStepOptions &Options = {},
                    std::string Check = "complex step") {
  if (V.size() != X.size() || Gradient.size() != X.size())
    return failed(std::move(Check), "lengths of x, v and gradient differ");
  double Claimed = 0;
  for (std::size_t I = 0; I < V.size(); ++I)
    Claimed += Gradient[I] * V[I];
  Function RealPart = [&F](const std::vector<double> &At) {
    std::vector<std::complex<double>> Z(At.begin(), At.end());
    return std::real(std::complex<double>(F(Z)));
  };
  return detail::judgeComplexStep(
      RealPart, X, std::vector<double>(V.begin(), V.end()),
      complexStepDerivative(F, X, V), Claimed, Options, std::move(Check));
}

//===----------------------------------------------------------------------===//
// Random points and directions, the same on every machine
//===----------------------------------------------------------------------===//

/// N numbers of [Low, High), from a fixed generator (splitmix64) and `Seed`.
std::vector<double> randomVector(std::size_t N, std::uint64_t Seed,
                                 double Low = -1, double High = 1);

/// A direction with entries +-[1/2, 1): no entry goes unseen.
std::vector<double> randomDirection(std::size_t N, std::uint64_t Seed);

} // namespace retro::verify

#endif // RETROGRADE_VERIFY_HPP
