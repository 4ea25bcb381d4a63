// Derivatives as the host computes them, for tests whose results jump.
#pragma once
#include <cmath>

/// A number and its derivative.
struct Dual {
  double V, D;
};
inline Dual operator+(Dual A, Dual B) { return {A.V + B.V, A.D + B.D}; }
inline Dual operator*(Dual A, Dual B) {
  return {A.V * B.V, A.D * B.V + A.V * B.D};
}
inline Dual operator*(double A, Dual B) { return {A * B.V, A * B.D}; }
inline Dual sine(Dual A) { return {std::sin(A.V), std::cos(A.V) * A.D}; }
inline Dual cosine(Dual A) { return {std::cos(A.V), -std::sin(A.V) * A.D}; }
inline Dual expo(Dual A) { return {std::exp(A.V), std::exp(A.V) * A.D}; }
