// Adjoint of the reaction-diffusion system, a stencil like the primal because
// the clamped Laplacian is symmetric: specification section 9.
#include "model.h"

#include <cstring>

namespace RETRO_MODEL {

struct Parameters {
  double a, scaled_alpha; ///< A and alpha / h^2
};

struct Sums {
  double a = 0, b = 0, alpha = 0;
};

/// One cell, with the indices of its four neighbours.
static inline void cell(Parameters p, const double *RETRO_RESTRICT u,
                        const double *RETRO_RESTRICT v,
                        const double *RETRO_RESTRICT outer_u,
                        const double *RETRO_RESTRICT outer_v,
                        double *RETRO_RESTRICT ub, double *RETRO_RESTRICT vb,
                        int c, int up, int down, int left, int right,
                        Sums &sums) {
#pragma clang fp reassociate(on)
  const double lap_u = outer_u[up] + outer_u[down] + outer_u[right] +
                       outer_u[left] - 4 * outer_u[c];
  const double lap_v = outer_v[up] + outer_v[down] + outer_v[right] +
                       outer_v[left] - 4 * outer_v[c];
  const double d = outer_u[c] - outer_v[c];
  ub[c] += p.scaled_alpha * lap_u + 2 * u[c] * v[c] * d -
           (p.a + 1) * outer_u[c] + p.a * outer_v[c];
  vb[c] += p.scaled_alpha * lap_v + u[c] * u[c] * d;
  sums.a -= u[c] * d;
  sums.b += outer_u[c];
  sums.alpha += u[c] * lap_u + v[c] * lap_v;
}

static void consume(int n, double *dub, double *dvb) {
  std::memset(dub, 0, sizeof(double) * n * n);
  std::memset(dvb, 0, sizeof(double) * n * n);
}

extern "C" void RETRO_SYMBOL(brusselator_gradient_dupnoneed)(
    int n, const double *RETRO_RESTRICT u, double *RETRO_RESTRICT ub,
    const double *RETRO_RESTRICT v, double *RETRO_RESTRICT vb,
    const double *RETRO_RESTRICT p, double *RETRO_RESTRICT pb, double, double *,
    double *RETRO_RESTRICT dub, double *, double *RETRO_RESTRICT dvb) {
#pragma clang fp reassociate(on) // for the sums
  const double h = 1.0 / (n - 1);
  const Parameters parameters{p[0], p[2] / (h * h)};
  Sums sums;
  for (int i = 0; i < n; ++i) {
    const int row = n * i;
    const int up = i > 0 ? -n : 0, down = i + 1 < n ? n : 0;
    const auto at = [&](int c, int left, int right) {
      cell(parameters, u, v, dub, dvb, ub, vb, c, c + up, c + down, left, right,
           sums);
    };
    at(row, row, row + 1);
    for (int c = row + 1; c < row + n - 1; ++c)
      at(c, c - 1, c + 1);
    at(row + n - 1, row + n - 2, row + n - 1);
  }
  pb[0] += sums.a;
  pb[1] += sums.b;
  pb[2] += sums.alpha / (h * h);
  consume(n, dub, dvb);
}

extern "C" void RETRO_SYMBOL(brusselator_gradient_dup)(
    int n, const double *u, double *ub, const double *v, double *vb,
    const double *p, double *pb, double t, double *du, double *dub, double *dv,
    double *dvb) {
  brusselator(n, u, v, p, t, du, dv);
  RETRO_SYMBOL(brusselator_gradient_dupnoneed)
  (n, u, ub, v, vb, p, pb, t, du, dub, dv, dvb);
}

} // namespace RETRO_MODEL
