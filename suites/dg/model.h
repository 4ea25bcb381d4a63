//===- model.h - DG: the volume term of one element, of all -----*- C++ -*-===//
//
// Volume part of the right-hand side of the compressible Euler equations with
// gravity, in weak form, on tensor-product elements of 5^3 nodes. Elements do
// not meet.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_DG_MODEL_H
#define SUITES_DG_MODEL_H

#include "types.h"

namespace suites::dg {
inline namespace RETRO_MODEL {

/// gamma - 1, rounded to a float in either precision.
template <class Real> RETRO_HD constexpr Real gamma_minus_one() {
  return Real(0.4f);
}

/// Fluxes along the three reference directions at one node.
///   q       the five states
///   metric  nine components, that of directions d and c at d + 3 c
template <class Real>
RETRO_HD inline void
contravariant_fluxes(const Real *q, const Real *metric, Real jacobian,
                     Real height, Real gravity, Real (&flux)[3][states]) {
  const Real r = q[rho], e = q[energy], inverse = 1 / r;
  const Real momentum[3] = {q[mom_x], q[mom_y], q[mom_z]};
  const Real kinetic = (momentum[0] * momentum[0] + momentum[1] * momentum[1] +
                        momentum[2] * momentum[2]) /
                       (2 * r);
  const Real pressure =
      gamma_minus_one<Real>() * (e - kinetic - r * gravity * height);
  Real cartesian[3][states];
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    const Real velocity = momentum[c] * inverse;
    cartesian[c][rho] = momentum[c];
#pragma unroll
    for (int d = 0; d < 3; ++d)
      cartesian[c][mom_x + d] =
          momentum[d] * velocity + (c == d ? pressure : Real(0));
    cartesian[c][energy] = velocity * (e + pressure);
  }
#pragma unroll
  for (int d = 0; d < 3; ++d)
#pragma unroll
    for (int s = 0; s < states; ++s)
      flux[d][s] = jacobian * (metric[d] * cartesian[0][s] +
                               metric[d + 3] * cartesian[1][s] +
                               metric[d + 6] * cartesian[2][s]);
}

/// The same from the arrays of an element.
template <class Real>
RETRO_HD inline void
node_fluxes(const Real *RETRO_RESTRICT q, const Real *RETRO_RESTRICT geometry,
            Real gravity, int node, Real (&flux)[3][states]) {
  Real state[states], metric[9];
#pragma unroll
  for (int s = 0; s < states; ++s)
    state[s] = q[node + nodes * s];
#pragma unroll
  for (int m = 0; m < 9; ++m)
    metric[m] = geometry[node + nodes * m];
  contravariant_fluxes(state, metric, geometry[node + nodes * jacobian],
                       geometry[node + nodes * z], gravity, flux);
}

/// Adds the volume term of one element to `rhs`.
template <class Real>
inline void add_element(const Real *RETRO_RESTRICT q,
                        const Real *RETRO_RESTRICT geometry,
                        const Real *RETRO_RESTRICT matrix, Real gravity,
                        Real *RETRO_RESTRICT rhs) {
  Real all[3][states][nodes];
  for (int node = 0; node < nodes; ++node) {
    Real flux[3][states];
    node_fluxes(q, geometry, gravity, node, flux);
    for (int d = 0; d < 3; ++d)
      for (int s = 0; s < states; ++s)
        all[d][s][node] = flux[d][s];
  }
  for (int s = 0; s < states; ++s)
    for (int k = 0; k < nq; ++k)
      for (int j = 0; j < nq; ++j)
        for (int i = 0; i < nq; ++i) {
          const int node = i + nq * (j + nq * k);
          Real sum = 0;
          for (int n = 0; n < nq; ++n)
            sum += matrix[n + nq * i] * all[0][s][n + nq * (j + nq * k)] +
                   matrix[n + nq * j] * all[1][s][i + nq * (n + nq * k)] +
                   matrix[n + nq * k] * all[2][s][i + nq * (j + nq * n)];
          if (s == mom_z)
            sum -= geometry[node + nodes * jacobian] * q[node + nodes * rho] *
                   gravity;
          rhs[node + nodes * s] +=
              geometry[node + nodes * inverse_jacobian] * sum;
        }
}

template <class Real>
void volume_term(std::int64_t elements, const Real *RETRO_RESTRICT q,
                 const Real *RETRO_RESTRICT geometry,
                 const Real *RETRO_RESTRICT matrix, Real gravity,
                 Real *RETRO_RESTRICT rhs) {
  for (std::int64_t e = 0; e < elements; ++e)
    add_element(q + e * state_size, geometry + e * geometry_size, matrix,
                gravity, rhs + e * state_size);
}

} // namespace RETRO_MODEL
} // namespace suites::dg

#endif // SUITES_DG_MODEL_H
