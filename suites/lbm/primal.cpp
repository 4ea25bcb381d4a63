//===- primal.cpp - LBM: the primal on one core ---------------------------===//
#include "model.h"

using namespace suites::lbm;

extern "C" void RETRO_SYMBOL(lbm)(const Box &box, const std::uint8_t *flags,
                                  const double *parameters, int steps,
                                  double *a, double *b) {
  simulate(&box, flags, parameters, steps, a, b);
}

extern "C" void RETRO_SYMBOL(lbm_float)(const Box &box,
                                        const std::uint8_t *flags,
                                        const float *parameters, int steps,
                                        float *a, float *b) {
  simulate(&box, flags, parameters, steps, a, b);
}
