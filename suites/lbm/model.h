//===- model.h - LBM: one cell, one sweep, the time loop --------*- C++ -*-===//
//
// D3Q19 lattice Boltzmann with a single relaxation time: in every sweep a cell
// reads its 19 populations, collides, and pushes the results to its neighbours
// in the other grid. Flags are constant; so are, unless asked for, the
// relaxation rate and the velocity of the accelerated layers.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_LBM_MODEL_H
#define SUITES_LBM_MODEL_H

#include "types.h"

namespace suites::lbm {
inline namespace RETRO_MODEL {

struct Velocity {
  int x, y, z;
};

RETRO_HD constexpr Velocity velocity(int e) {
  constexpr Velocity all[populations] = {
      {0, 0, 0},   {0, 1, 0},  {0, -1, 0}, {1, 0, 0},  {-1, 0, 0},
      {0, 0, 1},   {0, 0, -1}, {1, 1, 0},  {-1, 1, 0}, {1, -1, 0},
      {-1, -1, 0}, {0, 1, 1},  {0, 1, -1}, {0, -1, 1}, {0, -1, -1},
      {1, 0, 1},   {1, 0, -1}, {-1, 0, 1}, {-1, 0, -1}};
  return all[e];
}

RETRO_HD constexpr int opposite(int e) {
  constexpr int all[populations] = {0, 2,  1,  4,  3,  6,  5,  10, 9, 8,
                                    7, 14, 13, 12, 11, 18, 17, 16, 15};
  return all[e];
}

template <class Real> RETRO_HD constexpr Real weight(int e) {
  return e == 0 ? Real(1) / 3 : e < 7 ? Real(1) / 18 : Real(1) / 36;
}

/// How far population e of a cell is from that of the cell it is pushed to.
RETRO_HD inline std::int64_t push_offset(const Box &box, int e) {
  const Velocity c = velocity(e);
  return c.x + c.y * box.pitch + c.z * box.plane;
}

/// Density and velocity of a cell.
template <class Real>
RETRO_HD inline void moments(const Real *f, Real &density, Real (&u)[3]) {
  Real rho = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
  for (int e = 0; e < populations; ++e) {
    const Velocity c = velocity(e);
    rho += f[e];
    if (c.x != 0)
      ux += c.x > 0 ? f[e] : -f[e];
    if (c.y != 0)
      uy += c.y > 0 ? f[e] : -f[e];
    if (c.z != 0)
      uz += c.z > 0 ? f[e] : -f[e];
  }
  density = rho;
  u[0] = ux / rho;
  u[1] = uy / rho;
  u[2] = uz / rho;
}

/// c_e . u without multiplications.
template <class Real> RETRO_HD inline Real along(int e, const Real (&u)[3]) {
  const Velocity c = velocity(e);
  Real sum = 0;
  if (c.x != 0)
    sum += c.x > 0 ? u[0] : -u[0];
  if (c.y != 0)
    sum += c.y > 0 ? u[1] : -u[1];
  if (c.z != 0)
    sum += c.z > 0 ? u[2] : -u[2];
  return sum;
}

/// Relaxes the populations of a fluid cell towards equilibrium.
///   parameters  see Parameter
template <class Real>
RETRO_HD inline void collide(const Real *f, bool accelerated,
                             const Real *parameters, Real *out) {
  Real rho, u[3];
  moments(f, rho, u);
  if (accelerated) {
    u[0] = parameters[lid_x];
    u[1] = parameters[lid_y];
    u[2] = parameters[lid_z];
  }
  const Real rate = parameters[omega];
  const Real q =
      Real(1.5) * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) - Real(1);
#pragma unroll
  for (int e = 0; e < populations; ++e) {
    const Real s = along(e, u);
    out[e] = (1 - rate) * f[e] +
             weight<Real>(e) * rate * rho * (s * (Real(4.5) * s + Real(3)) - q);
  }
}

/// One cell of a sweep; `at` is the index of the cell in one population.
template <class Real>
RETRO_HD inline void
sweep_cell(const Box &box, const std::uint8_t *flags, const Real *parameters,
           const Real *RETRO_RESTRICT source, Real *RETRO_RESTRICT destination,
           std::int64_t at) {
  Real f[populations], out[populations];
#pragma unroll
  for (int e = 0; e < populations; ++e)
    f[e] = source[e * box.volume + at];
  const std::uint8_t flag = flags[at];
  if (flag & obstacle) {
#pragma unroll
    for (int e = 0; e < populations; ++e)
      out[e] = f[opposite(e)];
  } else {
    collide(f, (flag & accelerated) != 0, parameters, out);
  }
#pragma unroll
  for (int e = 0; e < populations; ++e)
    destination[e * box.volume + at + push_offset(box, e)] = out[e];
}

template <class Real>
RETRO_HD inline void sweep_row(const Box &box, const std::uint8_t *flags,
                               const Real *parameters,
                               const Real *RETRO_RESTRICT source,
                               Real *RETRO_RESTRICT destination, int y, int z) {
  const std::int64_t row = y * box.pitch + z * box.plane;
  for (int x = 0; x < box.nx; ++x)
    sweep_cell(box, flags, parameters, source, destination, row + x);
}

template <class Real>
inline void sweep(const Box &box, const std::uint8_t *flags,
                  const Real *parameters, const Real *RETRO_RESTRICT source,
                  Real *RETRO_RESTRICT destination) {
  for (int z = 0; z < box.nz; ++z)
    for (int y = 0; y < box.ny; ++y)
      sweep_row(box, flags, parameters, source, destination, y, z);
}

/// `steps` sweeps, from grid a to b and back in turn. The result is in a if
/// their number is even.
template <class Real>
void simulate(const Box *box, const std::uint8_t *flags, const Real *parameters,
              int steps, Real *RETRO_RESTRICT a, Real *RETRO_RESTRICT b) {
  const Box size = *box;
  for (int pair = 0; pair < steps / 2; ++pair) {
    sweep(size, flags, parameters, a, b);
    sweep(size, flags, parameters, b, a);
  }
  if (steps % 2 != 0)
    sweep(size, flags, parameters, a, b);
}

} // namespace RETRO_MODEL
} // namespace suites::lbm

#endif // SUITES_LBM_MODEL_H
