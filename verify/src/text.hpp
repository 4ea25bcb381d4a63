// Small helpers shared by the checks.
#ifndef RETROGRADE_VERIFY_TEXT_HPP
#define RETROGRADE_VERIFY_TEXT_HPP

#include "retrograde/verify.hpp"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <type_traits>

namespace retro::verify {

template <typename T> std::string oneText(const T &Part) {
  if constexpr (std::is_floating_point_v<T>) {
    char Buffer[40];
    std::snprintf(Buffer, sizeof Buffer, "%.6g", static_cast<double>(Part));
    return Buffer;
  } else if constexpr (std::is_arithmetic_v<T>) {
    return std::to_string(Part);
  } else {
    return Part;
  }
}

/// All parts in one string; floating point with six digits.
template <typename... Ts> std::string text(const Ts &...Parts) {
  std::string Result;
  ((Result += oneText(Parts)), ...);
  return Result;
}

/// Empty if all entries are finite, else a sentence naming the first that
/// isn't.
inline std::string notFinite(const char *What, View V) {
  for (std::size_t I = 0; I < V.size(); ++I)
    if (!std::isfinite(V[I]))
      return text(What, "[", I, "] is ", V[I]);
  return {};
}

inline double largestMagnitude(View V) {
  double Largest = 0;
  for (double X : V)
    Largest = std::max(Largest, std::abs(X));
  return Largest;
}

} // namespace retro::verify

#endif // RETROGRADE_VERIFY_TEXT_HPP
