//===- gradient.cpp - DG: the gradient made by the plugin -----------------===//
//
// The only file with requests to the differentiation plugin: all arrays are
// active, gravity and the number of elements are not.
//
//===----------------------------------------------------------------------===//
#include "model.h"

using namespace suites::dg;

template <class Real>
static void gradient(std::int64_t elements, const Arrays<Real> &of,
                     const Arrays<Real> &shadows, Real gravity) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(volume_term<Real>),
                          enzyme_const, elements, enzyme_dup, of.q, shadows.q,
                          enzyme_dup, of.geometry, shadows.geometry, enzyme_dup,
                          of.matrix, shadows.matrix, enzyme_const, gravity,
                          enzyme_dup, of.rhs, shadows.rhs);
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
