//===- openmp.h - LBM: the time loop with OpenMP ----------------*- C++ -*-===//
#ifndef SUITES_LBM_OPENMP_H
#define SUITES_LBM_OPENMP_H

#include "model.h"

namespace suites::lbm {
inline namespace RETRO_MODEL {

template <class Real>
inline void parallel_sweep(const Box &box, const std::uint8_t *flags,
                           const Real *parameters,
                           const Real *RETRO_RESTRICT source,
                           Real *RETRO_RESTRICT destination) {
  const int rows = box.nz * box.ny;
#pragma omp parallel for schedule(static)
  for (int row = 0; row < rows; ++row)
    sweep_row(box, flags, parameters, source, destination, row % box.ny,
              row / box.ny);
}

template <class Real>
void parallel_simulate(const Box *box, const std::uint8_t *flags,
                       const Real *parameters, int steps,
                       Real *RETRO_RESTRICT a, Real *RETRO_RESTRICT b) {
  const Box size = *box;
  for (int pair = 0; pair < steps / 2; ++pair) {
    parallel_sweep(size, flags, parameters, a, b);
    parallel_sweep(size, flags, parameters, b, a);
  }
  if (steps % 2 != 0)
    parallel_sweep(size, flags, parameters, a, b);
}

} // namespace RETRO_MODEL
} // namespace suites::lbm

#endif // SUITES_LBM_OPENMP_H
