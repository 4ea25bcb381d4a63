#include "model.h"

// Adds the gradient to alphasb, meansb and icfb.
extern "C" void RETRO_SYMBOL(gmm_gradient)(int d, int k, int n,
                                           const double *alphas,
                                           double *alphasb, const double *means,
                                           double *meansb, const double *icf,
                                           double *icfb, const double *x,
                                           double gamma, int m) {
  double err = 0, errb = 1;
  __enzyme_autodiff<void>((void *)RETRO_MODEL::gmm_objective, //
                          enzyme_const, d, enzyme_const, k, enzyme_const, n,
                          enzyme_dup, alphas, alphasb, //
                          enzyme_dup, means, meansb,   //
                          enzyme_dup, icf, icfb,       //
                          enzyme_const, x, enzyme_const, gamma, enzyme_const, m,
                          enzyme_dupnoneed, &err, &errb);
}
