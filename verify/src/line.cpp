// Evaluation along a line, and how noisy it is.
#include "line.hpp"
#include "text.hpp"

namespace retro::verify {

double Line::operator()(double T) {
  for (std::size_t I = 0; I < X.size(); ++I)
    At[I] = X[I] + T * V[I];
  ++Count;
  double Value = F(At);
  if (std::isfinite(Value))
    Largest = std::max(Largest, std::abs(Value));
  return Value;
}

double Line::centre() {
  if (!HaveCentre) {
    Centre = (*this)(0);
    HaveCentre = true;
  }
  return Centre;
}

double Line::scale() const {
  double Moved = 0, All = 0, Speed = 0;
  for (std::size_t I = 0; I < X.size(); ++I) {
    All = std::max(All, std::abs(X[I]));
    if (V[I] == 0)
      continue;
    Moved = std::max(Moved, std::abs(X[I]));
    Speed = std::max(Speed, std::abs(V[I]));
  }
  double Size = Moved > 0 ? Moved : All > 0 ? All : 1;
  if (!std::isfinite(Size) || !std::isfinite(Speed) || Speed == 0)
    return 1;
  return std::exp2(std::floor(std::log2(Size / Speed)));
}

double Line::noise() {
  if (Noise >= 0)
    return Noise;
  constexpr int Points = 9;
  double Floor = std::abs(centre()) * Roundoff;
  double Spacing =
      scale() * std::exp2(std::floor(std::log2(std::sqrt(Roundoff))) - 1);
  double Table[Points];
  for (int K = 0; K < Points; ++K) {
    Table[K] = K == Points / 2 ? centre() : (*this)((K - Points / 2) * Spacing);
    if (!std::isfinite(Table[K]))
      return Noise = 4 * Floor; // the edge of the domain: nothing to measure
  }

  // The k-th differences of independent errors of variance s^2 have variance
  // s^2 (2k)! / (k!)^2, while those of the smooth part vanish as spacing^k.
  double Sigma[Points] = {};
  double Gamma = 1; // (k!)^2 / (2k)!
  for (int K = 1; K < Points; ++K) {
    Gamma *= 0.5 * K / (2 * K - 1);
    double Sum = 0;
    for (int I = 0; I + K < Points; ++I) {
      Table[I] = Table[I + 1] - Table[I];
      Sum += Table[I] * Table[I];
    }
    Sigma[K] = std::sqrt(Gamma * Sum / (Points - K));
  }
  // The first order at which three agree within a factor of 4 shows the noise;
  // where none do, the highest order bounds it from above.
  Noise = Sigma[Points - 1];
  for (int K = 1; K + 2 < Points; ++K) {
    auto [Low, High] = std::minmax({Sigma[K], Sigma[K + 1], Sigma[K + 2]});
    if (High <= 4 * Low) {
      Noise = Sigma[K];
      break;
    }
  }
  return Noise = std::max(Noise, Floor);
}

double evaluationNoise(const Function &F, const std::vector<double> &X,
                       const std::vector<double> &V, double Roundoff) {
  Line Along(F, X, V, Roundoff);
  if (!std::isfinite(Along.centre()))
    return NAN;
  return Along.noise();
}

} // namespace retro::verify
