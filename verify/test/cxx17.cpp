// Compiled as C++17: the public headers must not need more.
#include "retrograde/verify.hpp"
#include "retrograde/verify_json.hpp"

static_assert(__cplusplus < 202002L);

bool usesTheTemplates() {
  auto Square = [](const std::vector<std::complex<double>> &Z) {
    return Z[0] * Z[0];
  };
  const double Gradient[] = {6.0}, V[] = {1.0};
  return retro::verify::complexStep(Square, {3.0}, V, Gradient).passed;
}
