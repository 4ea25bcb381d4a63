#include "model.h"

// One row of the Jacobian: camera (11), point (3), weight. seed: 2, consumed.
static inline void add_row(const double *camera, const double *x,
                           const double *w, const double *feature, double *seed,
                           double *row) {
  double residual[2];
  __enzyme_autodiff<void>((void *)RETRO_MODEL::reprojection_residual, //
                          enzyme_dup, camera, row, enzyme_dup, x, row + 11,
                          enzyme_dup, w, row + 14, enzyme_const, feature,
                          enzyme_dupnoneed, residual, seed);
}

// Both rows in one sweep, in vector mode.
static inline void add_rows(const double *camera, const double *x,
                            const double *w, const double *feature,
                            double (*seed)[2], double *rows) {
  constexpr long row = 15 * sizeof(double);
  double residual[2];
  __enzyme_autodiff<void>((void *)RETRO_MODEL::reprojection_residual, //
                          enzyme_width, 2, enzyme_dupv, row, camera, rows,
                          enzyme_dupv, row, x, rows + 11, enzyme_dupv, row, w,
                          rows + 14, enzyme_const, feature, enzyme_dupnoneedv,
                          sizeof *seed, residual, seed);
}

static void weight_rows(int p, const double *weights, double *rows) {
  for (int i = 0; i < p; ++i) {
    double residual, seed = 1;
    rows[i] = 0;
    __enzyme_autodiff<void>((void *)RETRO_MODEL::weight_residual, //
                            enzyme_dup, &weights[i], &rows[i],    //
                            enzyme_dupnoneed, &residual, &seed);
  }
}

// jacobian: 2p rows of 15 for the reprojection residuals, then p numbers for
// the weight residuals; all overwritten.
extern "C" void
RETRO_SYMBOL(ba_jacobian)(int p, const double *cameras, const double *points,
                          const double *weights, const int *observations,
                          const double *features, double *jacobian) {
  for (int i = 0; i < p; ++i) {
    double *rows = &jacobian[30l * i];
    for (int r = 0; r < 2; ++r) {
      double seed[2] = {r == 0 ? 1.0 : 0.0, r == 1 ? 1.0 : 0.0};
      for (int j = 0; j < 15; ++j)
        rows[15 * r + j] = 0;
      add_row(&cameras[11 * observations[2 * i]],
              &points[3 * observations[2 * i + 1]], &weights[i],
              &features[2 * i], seed, &rows[15 * r]);
    }
  }
  weight_rows(p, weights, jacobian + 30l * p);
}

extern "C" void RETRO_SYMBOL(ba_jacobian_vector)(
    int p, const double *cameras, const double *points, const double *weights,
    const int *observations, const double *features, double *jacobian) {
  for (int i = 0; i < p; ++i) {
    double seed[2][2] = {{1, 0}, {0, 1}};
    double *rows = &jacobian[30l * i];
    for (int j = 0; j < 30; ++j)
      rows[j] = 0;
    add_rows(&cameras[11 * observations[2 * i]],
             &points[3 * observations[2 * i + 1]], &weights[i],
             &features[2 * i], seed, rows);
  }
  weight_rows(p, weights, jacobian + 30l * p);
}
