// A function seen along a line: t -> f(x + t v).
#ifndef RETROGRADE_VERIFY_LINE_HPP
#define RETROGRADE_VERIFY_LINE_HPP

#include "retrograde/verify.hpp"

namespace retro::verify {

class Line {
public:
  Line(const Function &F, const std::vector<double> &X,
       const std::vector<double> &V, double Roundoff)
      : F(F), X(X), V(V), At(X), Roundoff(Roundoff) {}

  /// f(x + t v). Keeps the largest |f| seen and counts the evaluations.
  double operator()(double T);
  /// f(x), evaluated once.
  double centre();
  /// The error of one evaluation, measured once (see evaluationNoise).
  double noise();
  /// A power of two such that scale() * v is of the size of x: the largest
  /// |x_i| among the entries that v moves, or among all, or 1.
  double scale() const;

  double roundoff() const { return Roundoff; }
  double largest() const { return Largest; }
  int evaluations() const { return Count; }

private:
  const Function &F;
  const std::vector<double> &X, &V;
  std::vector<double> At;
  double Roundoff;
  double Largest = 0;
  int Count = 0;
  double Centre = 0, Noise = -1;
  bool HaveCentre = false;
};

} // namespace retro::verify

#endif // RETROGRADE_VERIFY_LINE_HPP
