#include "model.h"

// observations: p pairs (camera, point); residuals: 2p reprojection, then p
// weight residuals.
extern "C" void RETRO_SYMBOL(ba)(int p, const double *cameras,
                                 const double *points, const double *weights,
                                 const int *observations,
                                 const double *features, double *residuals) {
  using namespace RETRO_MODEL;
  for (int i = 0; i < p; ++i)
    reprojection_residual(&cameras[11 * observations[2 * i]],
                          &points[3 * observations[2 * i + 1]], &weights[i],
                          &features[2 * i], &residuals[2 * i]);
  for (int i = 0; i < p; ++i)
    weight_residual(&weights[i], &residuals[2 * p + i]);
}
