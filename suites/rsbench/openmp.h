//===- openmp.h - RSBench: all lookups with OpenMP --------------*- C++ -*-===//
#ifndef SUITES_RSBENCH_OPENMP_H
#define SUITES_RSBENCH_OPENMP_H

#include "model.h"

namespace suites::rsbench {
inline namespace RETRO_MODEL {

/// Sums the lookups of `run`, in event order.
///   macro   [channels], overwritten
///   scores  overwritten
template <bool Doppler>
void parallel_lookups(const Case *run, const Pole *poles, double *macro,
                      std::uint64_t *scores) {
  const Tables *tables = run->tables;
  const double *conc = run->conc;
  const std::int64_t first = run->work.first, last = run->work.last;
  double sum[channels] = {};
  std::uint64_t all_scores = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, all_scores)
  for (std::int64_t i = first; i < last; ++i) {
    const reactor::Lookup at =
        reactor::event_lookup(static_cast<std::uint64_t>(i));
    double own[channels];
    macro_xs<Doppler>(at.energy, at.material, tables, conc, poles, own);
    for (int k = 0; k < channels; ++k)
      sum[k] += own[k];
    all_scores += static_cast<std::uint64_t>(
        reactor::score(own, channels, Physics::lowest));
  }
  for (int k = 0; k < channels; ++k)
    macro[k] = sum[k];
  *scores = all_scores;
}

} // namespace RETRO_MODEL
} // namespace suites::rsbench

#endif // SUITES_RSBENCH_OPENMP_H
