// Right-hand side of a 2-D reaction-diffusion system: specification section 9.
// With OpenMP, threads share the rows.
#pragma once

#include "common/kernel.h"

namespace RETRO_MODEL {

/// A disc is forced after t = 1.1.
RETRO_HD inline double forcing(double x, double y, double t) {
  const double dx = x - 0.3, dy = y - 0.6;
  const bool inside = dx * dx + dy * dy <= 0.1 * 0.1;
  return inside && t >= 1.1 ? 5.0 : 0.0;
}

/// The cell itself stands in for a neighbour outside the grid.
RETRO_HD inline int clamped(int i, int n) {
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}

struct Rates {
  double du, dv;
};

/// At cell (i, j), with the rows and columns of its neighbours; alpha divided
/// by the square of the spacing.
[[gnu::always_inline]] RETRO_HD inline Rates
rates_of(int n, const double *u, const double *v, double a, double b,
         double alpha, double force, int i, int j, int up, int down, int left,
         int right) {
  const double uc = u[n * i + j], vc = v[n * i + j];
  const double u2v = uc * uc * vc;
  return {alpha * (u[n * up + j] + u[n * down + j] + u[n * i + right] +
                   u[n * i + left] - 4 * uc) +
              b + u2v - (a + 1) * uc + force,
          alpha * (v[n * up + j] + v[n * down + j] + v[n * i + right] +
                   v[n * i + left] - 4 * vc) +
              a * uc - u2v};
}

/// u, v, du, dv: n x n, row-major; p: A, B, alpha.
void brusselator(int n, const double *RETRO_RESTRICT u,
                 const double *RETRO_RESTRICT v, const double *RETRO_RESTRICT p,
                 double t, double *RETRO_RESTRICT du,
                 double *RETRO_RESTRICT dv) {
  const double a = p[0], b = p[1];
  const double h = 1.0 / (n - 1);
  const double alpha = p[2] / (h * h);
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
  for (int i = 0; i < n; ++i) {
    const double x = h * i;
    const int up = clamped(i - 1, n), down = clamped(i + 1, n);
    for (int j = 0; j < n; ++j) {
      const Rates at =
          rates_of(n, u, v, a, b, alpha, forcing(x, h * j, t), i, j, up, down,
                   clamped(j - 1, n), clamped(j + 1, n));
      du[n * i + j] = at.du;
      dv[n * i + j] = at.dv;
    }
  }
}

} // namespace RETRO_MODEL
