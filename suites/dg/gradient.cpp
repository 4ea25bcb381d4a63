//===- gradient.cpp - DG: the gradient made by the plugin -----------------===//
//
// The only file with requests to the differentiation plugin. One element is one
// request, as a block is one in a kernel: all arrays are active, gravity is
// not.
//
//===----------------------------------------------------------------------===//
#include "model.h"

using namespace suites::dg;

template <class Real>
static void gradient(std::int64_t elements, const Arrays<Real> &of,
                     const Arrays<Real> &shadows, Real gravity) {
  for (std::int64_t e = 0; e < elements; ++e) {
    const std::int64_t state = e * state_size, geometry = e * geometry_size;
    __enzyme_autodiff<void>(
        reinterpret_cast<void *>(add_element<Real>), enzyme_dup, of.q + state,
        shadows.q + state, enzyme_dup, of.geometry + geometry,
        shadows.geometry + geometry, enzyme_dup, of.matrix, shadows.matrix,
        enzyme_const, gravity, enzyme_dup, of.rhs + state, shadows.rhs + state);
  }
}

extern "C" void RETRO_SYMBOL(dg)(std::int64_t elements,
                                 const Arrays<double> &of,
                                 const Arrays<double> &shadows,
                                 double gravity) {
  gradient(elements, of, shadows, gravity);
}

extern "C" void RETRO_SYMBOL(dg_float)(std::int64_t elements,
                                       const Arrays<float> &of,
                                       const Arrays<float> &shadows,
                                       float gravity) {
  gradient(elements, of, shadows, gravity);
}
