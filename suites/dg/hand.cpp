//===- hand.cpp - DG: the adjoint in closed form --------------------------===//
//
// With R_s the adjoint of the right-hand side times the inverse Jacobian, the
// adjoint of a flux is a gather with the transposed matrix, e.g.
// sum_i D(n, i) R_s(i, j, k) along the first direction. The rest is pointwise.
//
//===----------------------------------------------------------------------===//
#include "model.h"

using namespace suites::dg;

namespace {
inline namespace RETRO_MODEL {

constexpr int step[3] = {1, nq, nq *nq};

/// Position along direction d, and the node at position 0 of its line.
inline int along(int node, int d) { return node / step[d] % nq; }
inline int start(int node, int d) { return node - along(node, d) * step[d]; }

/// Adjoint of contravariant_fluxes at one node, from those of the fluxes.
template <class Real>
void node_adjoint(const Real *q, const Real *geometry, Real gravity, int node,
                  const Real (&bar)[3][states], Real *q_bar,
                  Real *geometry_bar) {
  const Real r = q[node], e = q[node + nodes * energy],
             mass = geometry[node + nodes * jacobian],
             height = geometry[node + nodes * z];
  const Real factor = gamma_minus_one<Real>();
  Real m[3], squares = 0;
  for (int c = 0; c < 3; ++c) {
    m[c] = q[node + nodes * (mom_x + c)];
    squares += m[c] * m[c];
  }
  const Real pressure = factor * (e - squares / (2 * r) - r * gravity * height);

  // Metric and Jacobian; then phi[c][s], the adjoint of the Cartesian flux.
  Real phi[3][states] = {};
  for (int c = 0; c < 3; ++c)
    for (int s = 0; s < states; ++s) {
      const Real flux = s == rho      ? m[c]
                        : s == energy ? m[c] / r * (e + pressure)
                                      : m[s - mom_x] * m[c] / r +
                                            (s - mom_x == c ? pressure : 0);
      for (int d = 0; d < 3; ++d) {
        const Real metric = geometry[node + nodes * (d + 3 * c)];
        geometry_bar[node + nodes * (d + 3 * c)] += mass * bar[d][s] * flux;
        geometry_bar[node + nodes * jacobian] += bar[d][s] * metric * flux;
        phi[c][s] += mass * bar[d][s] * metric;
      }
    }

  Real pressure_bar = 0, r_bar = 0, e_bar = 0, m_bar[3] = {};
  for (int c = 0; c < 3; ++c) {
    pressure_bar += phi[c][mom_x + c] + phi[c][energy] * m[c] / r;
    e_bar += phi[c][energy] * m[c] / r;
    m_bar[c] += phi[c][rho] + phi[c][energy] * (e + pressure) / r;
    r_bar -= phi[c][energy] * m[c] * (e + pressure) / (r * r);
    for (int d = 0; d < 3; ++d) {
      m_bar[c] += (phi[c][mom_x + d] + phi[d][mom_x + c]) * m[d] / r;
      r_bar -= phi[c][mom_x + d] * m[c] * m[d] / (r * r);
    }
  }
  for (int c = 0; c < 3; ++c)
    q_bar[node + nodes * (mom_x + c)] +=
        m_bar[c] - factor * pressure_bar * m[c] / r;
  q_bar[node + nodes * energy] += e_bar + factor * pressure_bar;
  q_bar[node] += r_bar + factor * pressure_bar *
                             (squares / (2 * r * r) - gravity * height);
  geometry_bar[node + nodes * z] -= factor * pressure_bar * r * gravity;
}

template <class Real>
void element_adjoint(const Real *q, const Real *geometry, const Real *matrix,
                     Real gravity, Real *rhs, const Real *rhs_bar, Real *q_bar,
                     Real *geometry_bar, Real *matrix_bar) {
  Real all[3][states][nodes], scaled[states][nodes];
  for (int node = 0; node < nodes; ++node) {
    Real flux[3][states];
    node_fluxes(q, geometry, gravity, node, flux);
    for (int s = 0; s < states; ++s) {
      for (int d = 0; d < 3; ++d)
        all[d][s][node] = flux[d][s];
      scaled[s][node] =
          geometry[node + nodes * inverse_jacobian] * rhs_bar[node + nodes * s];
    }
  }

  // What the inverse Jacobian scales, the matrix, and gravity. The matrix is
  // summed per element first: a single sum of floats would lose digits.
  Real sums[matrix_size] = {};
  for (int s = 0; s < states; ++s)
    for (int node = 0; node < nodes; ++node) {
      Real sum = 0;
      for (int d = 0; d < 3; ++d)
        for (int n = 0; n < nq; ++n) {
          const int entry = n + nq * along(node, d);
          const Real flux = all[d][s][start(node, d) + n * step[d]];
          sum += matrix[entry] * flux;
          sums[entry] += scaled[s][node] * flux;
        }
      if (s == mom_z) {
        const Real mass = geometry[node + nodes * jacobian];
        sum -= mass * q[node] * gravity;
        geometry_bar[node + nodes * jacobian] -=
            scaled[s][node] * q[node] * gravity;
        q_bar[node] -= scaled[s][node] * mass * gravity;
      }
      geometry_bar[node + nodes * inverse_jacobian] +=
          rhs_bar[node + nodes * s] * sum;
      rhs[node + nodes * s] += geometry[node + nodes * inverse_jacobian] * sum;
    }

  for (int entry = 0; entry < matrix_size; ++entry)
    matrix_bar[entry] += sums[entry];

  for (int node = 0; node < nodes; ++node) {
    Real bar[3][states] = {};
    for (int d = 0; d < 3; ++d)
      for (int s = 0; s < states; ++s)
        for (int i = 0; i < nq; ++i)
          bar[d][s] += matrix[along(node, d) + nq * i] *
                       scaled[s][start(node, d) + i * step[d]];
    node_adjoint(q, geometry, gravity, node, bar, q_bar, geometry_bar);
  }
}

template <class Real>
void gradient(std::int64_t elements, const Arrays<Real> &of,
              const Arrays<Real> &to, Real gravity) {
  for (std::int64_t e = 0; e < elements; ++e) {
    const std::int64_t state = e * state_size, geometry = e * geometry_size;
    element_adjoint(of.q + state, of.geometry + geometry, of.matrix, gravity,
                    of.rhs + state, to.rhs + state, to.q + state,
                    to.geometry + geometry, to.matrix);
  }
}

} // namespace RETRO_MODEL
} // namespace

extern "C" void RETRO_SYMBOL(dg)(std::int64_t elements,
                                 const Arrays<double> &of,
                                 const Arrays<double> &shadows,
                                 double gravity) {
  gradient(elements, of, shadows, gravity);
}

extern "C" void RETRO_SYMBOL(dg_float)(std::int64_t elements,
                                       const Arrays<float> &of,
                                       const Arrays<float> &shadows,
                                       float gravity) {
  gradient(elements, of, shadows, gravity);
}
