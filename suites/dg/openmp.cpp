//===- openmp.cpp - DG: the primal with OpenMP ----------------------------===//
#include "openmp.h"

using namespace suites::dg;

extern "C" void RETRO_SYMBOL(dg_openmp)(std::int64_t elements,
                                        const Arrays<double> &of,
                                        double gravity) {
  parallel_volume_term(elements, of.q, of.geometry, of.matrix, gravity, of.rhs);
}
