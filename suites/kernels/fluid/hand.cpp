// Both keep the state at the beginning of each step and compute the rest of the
// step again.
#include "model.h"

#include <vector>

namespace RETRO_MODEL {

/// Backward through the velocities' half of a step; heights are those after it,
/// velocities those before it.
static void velocities_adjoint(int n, const double *RETRO_RESTRICT u,
                               const double *RETRO_RESTRICT v,
                               double *RETRO_RESTRICT hb,
                               double *RETRO_RESTRICT ub,
                               double *RETRO_RESTRICT vb) {
  const double ratio = 0.1, drag = 0.01;
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) {
      const int i = r * n + c;
      const int left = r * n + (c ? c - 1 : n - 1);
      const int below = (r ? r - 1 : n - 1) * n + c;
      const double a = ub[i], b = vb[i];
      hb[i] -= ratio * (a + b);
      hb[left] += ratio * a;
      hb[below] += ratio * b;
      const double sizeU = std::sqrt(u[i] * u[i] + 0.01);
      const double sizeV = std::sqrt(v[i] * v[i] + 0.01);
      ub[i] = a - drag * a * (sizeU + u[i] * u[i] / sizeU);
      vb[i] = b - drag * b * (sizeV + v[i] * v[i] / sizeV);
    }
}

/// Backward through the heights' half; all are those before the step.
static void
heights_adjoint(int n, const double *RETRO_RESTRICT h,
                const double *RETRO_RESTRICT u, const double *RETRO_RESTRICT v,
                double *RETRO_RESTRICT hb, double *RETRO_RESTRICT ub,
                double *RETRO_RESTRICT vb, double *RETRO_RESTRICT next) {
  const double ratio = 0.1;
  for (int i = 0; i < n * n; ++i)
    next[i] = hb[i];
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) {
      const int i = r * n + c;
      const int left = r * n + (c ? c - 1 : n - 1);
      const int below = (r ? r - 1 : n - 1) * n + c;
      const double a = ratio * (hb[i] - hb[left]);
      const double b = ratio * (hb[i] - hb[below]);
      ub[i] += 0.5 * (h[left] + h[i]) * a;
      vb[i] += 0.5 * (h[below] + h[i]) * b;
      const double shareU = 0.5 * u[i] * a, shareV = 0.5 * v[i] * b;
      next[i] += shareU + shareV;
      next[left] += shareU;
      next[below] += shareV;
    }
  for (int i = 0; i < n * n; ++i)
    hb[i] = next[i];
}

RETRO_KERNEL_HAND(shallow_water) {
  const int steps = m, cells = n * n;
  std::vector<double> kept(std::size_t(steps) * 3 * cells);
  for (int i = 0; i < 3 * cells; ++i)
    work[i] = x[i];
  for (int step = 0; step < steps; ++step) {
    double *before = kept.data() + std::size_t(step) * 3 * cells;
    for (int i = 0; i < 3 * cells; ++i)
      before[i] = work[i];
    move_water(n, work);
  }
  const double *h = work, *u = work + cells, *v = work + 2 * cells;
  double *hb = workb, *ub = workb + cells, *vb = workb + 2 * cells;
  for (int i = 0; i < cells; ++i) {
    hb[i] = u[i] * u[i] + v[i] * v[i] + 2 * h[i];
    ub[i] = 2 * h[i] * u[i];
    vb[i] = 2 * h[i] * v[i];
  }
  for (int step = steps - 1; step >= 0; --step) {
    const double *before = kept.data() + std::size_t(step) * 3 * cells;
    velocities_adjoint(n, before + cells, before + 2 * cells, hb, ub, vb);
    heights_adjoint(n, before, before + cells, before + 2 * cells, hb, ub, vb,
                    workb + 3 * cells);
  }
  for (int i = 0; i < 3 * cells; ++i)
    xb[i] += workb[i];
}

/// Adds what each cell's pressure owes to its mass, place, speed and energy.
static void pressures_adjoint(
    int cells, const double *RETRO_RESTRICT mass, double *RETRO_RESTRICT massb,
    const double *RETRO_RESTRICT place, double *RETRO_RESTRICT placeb,
    const double *RETRO_RESTRICT speed, double *RETRO_RESTRICT speedb,
    const double *RETRO_RESTRICT energy, double *RETRO_RESTRICT energyb,
    const double *RETRO_RESTRICT pressureb) {
  const double gamma = 1.4;
  for (int i = 0; i < cells; ++i) {
    const double width = place[i + 1] - place[i];
    const double density = mass[i] / width;
    const double closing = speed[i] - speed[i + 1];
    const double b = pressureb[i];
    double densityb = b * (gamma - 1) * energy[i];
    energyb[i] += b * (gamma - 1) * density;
    if (closing > 0) {
      const double sound = std::sqrt(gamma * (gamma - 1) * energy[i]);
      densityb += b * closing * closing * (2 + 0.5 * sound);
      const double closingb = b * density * closing * (4 + sound);
      speedb[i] += closingb;
      speedb[i + 1] -= closingb;
      energyb[i] +=
          b * density * closing * closing * 0.25 * gamma * (gamma - 1) / sound;
    }
    massb[i] += densityb / width;
    const double widthb = -densityb * density / width;
    placeb[i] -= widthb;
    placeb[i + 1] += widthb;
  }
}

/// Kept of a step: place, speed and energy before it, pressure, and the speed
/// after it is that before the next.
RETRO_KERNEL_HAND(hydrodynamics) {
  const int steps = m, cells = 8 * n, state = 4 * cells + 2;
  const double dt = 0.002 / cells;
  const double *RETRO_RESTRICT mass = x;
  double *RETRO_RESTRICT massb = xb;
  std::vector<double> kept(std::size_t(steps + 1) * state);
  for (int i = 0; i <= cells; ++i)
    kept[i] = double(i) / cells;
  for (int i = 1; i < cells; ++i)
    kept[cells + 1 + i] = x[2 * cells + i - 1];
  for (int i = 0; i < cells; ++i)
    kept[2 * cells + 2 + i] = x[cells + i];
  for (int step = 0; step < steps; ++step) {
    double *RETRO_RESTRICT s = kept.data() + std::size_t(step) * state;
    double *RETRO_RESTRICT t = s + state;
    double *pressure = s + 3 * cells + 2;
    const double *speed = s + cells + 1;
    double *after = t + cells + 1;
    pressures(cells, mass, s, speed, s + 2 * cells + 2, pressure);
    for (int i = 1; i < cells; ++i)
      after[i] = speed[i] + dt * 2 * (pressure[i - 1] - pressure[i]) /
                                (mass[i - 1] + mass[i]);
    for (int i = 0; i < cells; ++i)
      t[2 * cells + 2 + i] =
          s[2 * cells + 2 + i] -
          dt * pressure[i] * (after[i + 1] - after[i]) / mass[i];
    t[0] = s[0];
    t[cells] = s[cells];
    for (int i = 1; i < cells; ++i)
      t[i] = s[i] + dt * after[i];
  }
  double *RETRO_RESTRICT placeb = workb;
  double *RETRO_RESTRICT speedb = workb + cells + 1;
  double *RETRO_RESTRICT energyb = workb + 2 * cells + 2;
  double *RETRO_RESTRICT pressureb = workb + 3 * cells + 2;
  const double *last = kept.data() + std::size_t(steps) * state;
  for (int i = 0; i < cells; ++i) {
    const double energy = last[2 * cells + 2 + i];
    energyb[i] = 2 * energy * (last[i + 1] - last[i]);
    placeb[i + 1] += energy * energy;
    placeb[i] -= energy * energy;
  }
  for (int step = steps - 1; step >= 0; --step) {
    const double *RETRO_RESTRICT s = kept.data() + std::size_t(step) * state;
    const double *pressure = s + 3 * cells + 2;
    const double *after = s + state + cells + 1;
    for (int i = 1; i < cells; ++i)
      speedb[i] += dt * placeb[i];
    for (int i = 0; i < cells; ++i) {
      const double share = dt * energyb[i] / mass[i];
      const double difference = after[i + 1] - after[i];
      pressureb[i] = -share * difference;
      speedb[i + 1] -= share * pressure[i];
      speedb[i] += share * pressure[i];
      massb[i] += share * pressure[i] * difference / mass[i];
    }
    speedb[0] = speedb[cells] = 0;
    for (int i = 1; i < cells; ++i) {
      const double both = mass[i - 1] + mass[i];
      const double share = 2 * dt * speedb[i] / both;
      pressureb[i - 1] += share;
      pressureb[i] -= share;
      const double shareb = share * (pressure[i - 1] - pressure[i]) / both;
      massb[i - 1] -= shareb;
      massb[i] -= shareb;
    }
    pressures_adjoint(cells, mass, massb, s, placeb, s + cells + 1, speedb,
                      s + 2 * cells + 2, energyb, pressureb);
  }
  for (int i = 1; i < cells; ++i)
    xb[2 * cells + i - 1] += speedb[i];
  for (int i = 0; i < cells; ++i)
    xb[cells + i] += energyb[i];
}

} // namespace RETRO_MODEL
