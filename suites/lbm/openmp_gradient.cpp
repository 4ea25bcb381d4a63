//===- openmp_gradient.cpp - LBM: the gradient of the OpenMP primal -------===//
#include "openmp.h"

using namespace suites::lbm;

extern "C" void RETRO_SYMBOL(lbm_openmp)(const Box &box,
                                         const std::uint8_t *flags,
                                         const double *parameters, double *,
                                         int steps, double *a, double *a_shadow,
                                         double *b, double *b_shadow) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(parallel_simulate<double>),
                          enzyme_const, &box, enzyme_const, flags, enzyme_const,
                          parameters, enzyme_const, steps, enzyme_dup, a,
                          a_shadow, enzyme_dup, b, b_shadow);
}
