//===- shared_lookups.h - Lookups shared out to threads and ranks -*- C++
//-*-===//
//
// The event order of XSBench and RSBench as one parallel program: with OpenMP,
// threads share the lookups; with RETRO_SUITE_MPI, ranks do, each of which has
// all the data, and the first has the sums.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_XSBENCH_SHARED_LOOKUPS_H
#define SUITES_XSBENCH_SHARED_LOOKUPS_H

#include "reactor.h"

#ifdef RETRO_SUITE_MPI
#include <mpi.h>
#endif

namespace suites::reactor {
inline namespace RETRO_MODEL {

struct Range {
  std::int64_t first, last;
};

/// The lookups of this rank.
inline Range own_lookups(const Work &work) {
#ifdef RETRO_SUITE_MPI
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::int64_t all = work.last - work.first;
  return {work.first + all * rank / ranks,
          work.first + all * (rank + 1) / ranks};
#else
  return {work.first, work.last};
#endif
}

/// Sums the lookups of `run`, in event order. MacroXs evaluates one.
///   macro   [channels], overwritten, on the first rank
///   scores  the same
template <class Physics, auto MacroXs, class Case, class Record>
void sum_shared_lookups(const Case *run, const Record *records, double *macro,
                        std::uint64_t *scores) {
  constexpr int channels = Physics::channels;
  const auto *tables = run->tables;
  const double *conc = run->conc;
  const Range own = own_lookups(run->work);
  double sum[channels] = {};
  std::uint64_t all_scores = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(+ : sum, all_scores)
#endif
  for (std::int64_t i = own.first; i < own.last; ++i) {
    const Lookup at = event_lookup(static_cast<std::uint64_t>(i));
    double one[channels];
    MacroXs(at.energy, at.material, tables, conc, records, one);
    for (int k = 0; k < channels; ++k)
      sum[k] += one[k];
    all_scores +=
        static_cast<std::uint64_t>(score(one, channels, Physics::lowest));
  }
#ifdef RETRO_SUITE_MPI
  MPI_Reduce(sum, macro, channels, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&all_scores, scores, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
#else
  for (int k = 0; k < channels; ++k)
    macro[k] = sum[k];
  *scores = all_scores;
#endif
}

/// All ranks have the same records, and each the adjoints of what it read: adds
/// them up on the first.
///   adjoints  [count] doubles
inline void gather_adjoints([[maybe_unused]] double *adjoints,
                            [[maybe_unused]] std::size_t count) {
#ifdef RETRO_SUITE_MPI
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : adjoints, adjoints,
             static_cast<int>(count), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
#endif
}

} // namespace RETRO_MODEL
} // namespace suites::reactor

#endif // SUITES_XSBENCH_SHARED_LOOKUPS_H
