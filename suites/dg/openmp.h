//===- openmp.h - DG: the volume term with OpenMP ---------------*- C++ -*-===//
#ifndef SUITES_DG_OPENMP_H
#define SUITES_DG_OPENMP_H

#include "model.h"

namespace suites::dg {
inline namespace RETRO_MODEL {

template <class Real>
void parallel_volume_term(std::int64_t elements, const Real *RETRO_RESTRICT q,
                          const Real *RETRO_RESTRICT geometry,
                          const Real *RETRO_RESTRICT matrix, Real gravity,
                          Real *RETRO_RESTRICT rhs) {
#pragma omp parallel for schedule(static)
  for (std::int64_t e = 0; e < elements; ++e)
    add_element(q + e * state_size, geometry + e * geometry_size, matrix,
                gravity, rhs + e * state_size);
}

} // namespace RETRO_MODEL
} // namespace suites::dg

#endif // SUITES_DG_OPENMP_H
