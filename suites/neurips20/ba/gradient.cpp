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
  for (int i = 0; i < p; ++i) {
    double residual, seed = 1;
    double *wb = &jacobian[30l * p + i];
    *wb = 0;
    __enzyme_autodiff<void>((void *)RETRO_MODEL::weight_residual, //
                            enzyme_dup, &weights[i], wb,          //
                            enzyme_dupnoneed, &residual, &seed);
  }
}
