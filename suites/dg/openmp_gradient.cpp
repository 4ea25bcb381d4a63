//===- openmp_gradient.cpp - DG: the gradient of the OpenMP primal --------===//
//
// The whole term is one request, so that the adjoints of the matrix, to which
// all elements add, are the engine's to add up.
//
//===----------------------------------------------------------------------===//
#include "openmp.h"

using namespace suites::dg;

extern "C" void RETRO_SYMBOL(dg_openmp)(std::int64_t elements,
                                        const Arrays<double> &of,
                                        const Arrays<double> &shadows,
                                        double gravity) {
  __enzyme_autodiff<void>(
      reinterpret_cast<void *>(parallel_volume_term<double>), enzyme_const,
      elements, enzyme_dup, of.q, shadows.q, enzyme_dup, of.geometry,
      shadows.geometry, enzyme_dup, of.matrix, shadows.matrix, enzyme_const,
      gravity, enzyme_dup, of.rhs, shadows.rhs);
}
