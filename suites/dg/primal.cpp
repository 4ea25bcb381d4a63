//===- primal.cpp - DG: the primal on one core ----------------------------===//
#include "model.h"

using namespace suites::dg;

extern "C" void RETRO_SYMBOL(dg)(std::int64_t elements,
                                 const Arrays<double> &of, double gravity) {
  volume_term(elements, of.q, of.geometry, of.matrix, gravity, of.rhs);
}

extern "C" void RETRO_SYMBOL(dg_float)(std::int64_t elements,
                                       const Arrays<float> &of, float gravity) {
  volume_term(elements, of.q, of.geometry, of.matrix, gravity, of.rhs);
}
