//===- openmp.cpp - LBM: the primal with OpenMP ---------------------------===//
#include "openmp.h"

using namespace suites::lbm;

extern "C" void RETRO_SYMBOL(lbm_openmp)(const Box &box,
                                         const std::uint8_t *flags,
                                         const double *parameters, int steps,
                                         double *a, double *b) {
  parallel_simulate(&box, flags, parameters, steps, a, b);
}
