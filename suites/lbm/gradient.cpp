//===- gradient.cpp - LBM: the gradient made by the plugin ----------------===//
//
// The only file with requests to the differentiation plugin: the whole time
// loop, with respect to the grids, or to the grids and the parameters.
//
//===----------------------------------------------------------------------===//
#include "model.h"

using namespace suites::lbm;

template <class Real>
static void grid_gradient(const Box &box, const std::uint8_t *flags,
                          const Real *parameters, int steps, Real *a,
                          Real *a_shadow, Real *b, Real *b_shadow) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(simulate<Real>),
                          enzyme_const, &box, enzyme_const, flags, enzyme_const,
                          parameters, enzyme_const, steps, enzyme_dup, a,
                          a_shadow, enzyme_dup, b, b_shadow);
}

extern "C" void RETRO_SYMBOL(lbm)(const Box &box, const std::uint8_t *flags,
                                  const double *parameters, double *, int steps,
                                  double *a, double *a_shadow, double *b,
                                  double *b_shadow) {
  grid_gradient(box, flags, parameters, steps, a, a_shadow, b, b_shadow);
}

extern "C" void RETRO_SYMBOL(lbm_float)(const Box &box,
                                        const std::uint8_t *flags,
                                        const float *parameters, float *,
                                        int steps, float *a, float *a_shadow,
                                        float *b, float *b_shadow) {
  grid_gradient(box, flags, parameters, steps, a, a_shadow, b, b_shadow);
}

extern "C" void
RETRO_SYMBOL(lbm_parameters)(const Box &box, const std::uint8_t *flags,
                             const double *parameters,
                             double *parameters_shadow, int steps, double *a,
                             double *a_shadow, double *b, double *b_shadow) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(simulate<double>),
                          enzyme_const, &box, enzyme_const, flags, enzyme_dup,
                          parameters, parameters_shadow, enzyme_const, steps,
                          enzyme_dup, a, a_shadow, enzyme_dup, b, b_shadow);
}
