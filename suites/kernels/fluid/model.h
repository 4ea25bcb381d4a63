// Two time loops on staggered grids, each step in place.
#pragma once

#include "entry.h"

#include <cmath>

namespace RETRO_MODEL {

/// One step of shallow water: first the heights move, then, with these, the
/// velocities. state: heights, two components of velocity, two fluxes.
inline void move_water(int n, double *RETRO_RESTRICT state) {
  const double ratio = 0.1, gravity = 1, drag = 0.01;
  double *h = state, *u = state + n * n, *v = state + 2 * n * n;
  double *fluxU = state + 3 * n * n, *fluxV = state + 4 * n * n;
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) {
      const int i = r * n + c;
      const int left = r * n + (c ? c - 1 : n - 1);
      const int below = (r ? r - 1 : n - 1) * n + c;
      fluxU[i] = 0.5 * (h[left] + h[i]) * u[i];
      fluxV[i] = 0.5 * (h[below] + h[i]) * v[i];
    }
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) {
      const int i = r * n + c;
      const int right = r * n + (c + 1 < n ? c + 1 : 0);
      const int above = (r + 1 < n ? r + 1 : 0) * n + c;
      h[i] -= ratio * (fluxU[right] - fluxU[i] + fluxV[above] - fluxV[i]);
    }
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) {
      const int i = r * n + c;
      const int left = r * n + (c ? c - 1 : n - 1);
      const int below = (r ? r - 1 : n - 1) * n + c;
      u[i] -= ratio * gravity * (h[i] - h[left]) +
              drag * u[i] * std::sqrt(u[i] * u[i] + 0.01);
      v[i] -= ratio * gravity * (h[i] - h[below]) +
              drag * v[i] * std::sqrt(v[i] * v[i] + 0.01);
    }
}

/// Shallow water on a periodic n x n grid: heights in the middle of cells,
/// velocities on their edges. x: heights, two components of velocity. The
/// energy at the end.
inline double shallow_water(int n, int steps, const double *RETRO_RESTRICT x,
                            double *RETRO_RESTRICT work) {
  for (int i = 0; i < 3 * n * n; ++i)
    work[i] = x[i];
  for (int step = 0; step < steps; ++step)
    move_water(n, work);
  const double *h = work, *u = work + n * n, *v = work + 2 * n * n;
  double energy = 0;
  for (int i = 0; i < n * n; ++i)
    energy += h[i] * (u[i] * u[i] + v[i] * v[i]) + h[i] * h[i];
  return energy;
}

/// Of one step, from the state before it: an ideal gas, and artificial
/// viscosity where a cell is compressed.
inline void pressures(int cells, const double *RETRO_RESTRICT mass,
                      const double *RETRO_RESTRICT place,
                      const double *RETRO_RESTRICT speed,
                      const double *RETRO_RESTRICT energy,
                      double *RETRO_RESTRICT pressure) {
  const double gamma = 1.4;
  for (int i = 0; i < cells; ++i) {
    const double density = mass[i] / (place[i + 1] - place[i]);
    const double closing = speed[i] - speed[i + 1];
    pressure[i] = (gamma - 1) * density * energy[i];
    if (closing > 0)
      pressure[i] += density * closing * closing *
                     (2 + 0.5 * std::sqrt(gamma * (gamma - 1) * energy[i]));
  }
}

/// Lagrangian hydrodynamics of a tube: 8 n cells that move with the gas,
/// between walls.
/// x: masses, energies, inner velocities (8 n - 1), in this order.
inline double hydrodynamics(int n, int steps, const double *RETRO_RESTRICT x,
                            double *RETRO_RESTRICT work) {
  const int cells = 8 * n;
  const double dt = 0.002 / cells;
  const double *mass = x;
  double *place = work, *speed = work + cells + 1;
  double *energy = work + 2 * cells + 2, *pressure = work + 3 * cells + 2;
  for (int i = 0; i <= cells; ++i)
    place[i] = double(i) / cells;
  speed[0] = speed[cells] = 0;
  for (int i = 1; i < cells; ++i)
    speed[i] = x[2 * cells + i - 1];
  for (int i = 0; i < cells; ++i)
    energy[i] = x[cells + i];
  for (int step = 0; step < steps; ++step) {
    pressures(cells, mass, place, speed, energy, pressure);
    for (int i = 1; i < cells; ++i)
      speed[i] +=
          dt * 2 * (pressure[i - 1] - pressure[i]) / (mass[i - 1] + mass[i]);
    for (int i = 0; i < cells; ++i)
      energy[i] -= dt * pressure[i] * (speed[i + 1] - speed[i]) / mass[i];
    for (int i = 1; i < cells; ++i)
      place[i] += dt * speed[i];
  }
  double result = 0;
  for (int i = 0; i < cells; ++i)
    result += energy[i] * energy[i] * (place[i + 1] - place[i]);
  return result;
}

} // namespace RETRO_MODEL
