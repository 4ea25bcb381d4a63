#include "model.h"

extern "C" void RETRO_SYMBOL(gmm)(int d, int k, int n, const double *alphas,
                                  const double *means, const double *icf,
                                  const double *x, double gamma, int m,
                                  double *err) {
  RETRO_MODEL::gmm_objective(d, k, n, alphas, means, icf, x, gamma, m, err);
}
