// Forward mode: the derivative of all results along one direction.
#include "check.h"

extern int enzyme_const, enzyme_dup, enzyme_primal_return;
template <typename R, typename... A> R __enzyme_fwddiff(A...);

/// The pull of gravity on a body at p; its strength is returned.
static double pull(const double *p, double mass, double *force) {
  const double r2 = p[0] * p[0] + p[1] * p[1], r = std::sqrt(r2);
  for (int i = 0; i < 2; ++i)
    force[i] = -mass * p[i] / (r2 * r);
  return mass / r2;
}

struct ValueAndTangent {
  double value, tangent;
};

int main() {
  // A direction: how position and mass move. Each is active here, and has a
  // tangent after it: memory a pointer to the same shape, a number a number.
  const double p[2] = {3, 4}, dp[2] = {1, -2}, mass = 10, dmass = 0.5;
  double force[2], dforce[2] = {};
  double d =
      __enzyme_fwddiff<double>((void *)pull, enzyme_dup, p, dp, enzyme_dup,
                               mass, dmass, enzyme_dup, force, dforce);

  // r^2 moves by 2 p.dp, r^3 by 3 r p.dp.
  const double pdp = 3 * 1 + 4 * -2, r = 5;
  expect("tangent of the strength", d, dmass / 25 - mass * 2 * pdp / (25 * 25));
  for (int i = 0; i < 2; ++i)
    expect("tangent of the force", dforce[i],
           -(dmass * p[i] + mass * dp[i]) / (r * r * r) +
               mass * p[i] * 3 * r * pdp / std::pow(r, 6));
  expect("force", force[0], -mass * p[0] / 125); // the primal ran too

  // The value as well: first in what is returned. The mass is held fixed now.
  auto v = __enzyme_fwddiff<ValueAndTangent>((void *)pull, enzyme_primal_return,
                                             enzyme_dup, p, dp, enzyme_const,
                                             mass, enzyme_dup, force, dforce);
  expect("strength", v.value, mass / 25);
  expect("tangent of the strength", v.tangent, -mass * 2 * pdp / (25 * 25));
  return finish();
}
