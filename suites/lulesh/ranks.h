//===- ranks.h - LULESH: this process among the others ----------*- C++ -*-===//
#ifndef SUITES_LULESH_RANKS_H
#define SUITES_LULESH_RANKS_H

#include <chrono>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef LULESH_MPI
#include "../common/message_counts.h"
#include <mpi.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

namespace suites::lulesh {

/// The ranks of a run; one where there is no MPI.
class Ranks {
public:
#ifdef LULESH_MPI
  Ranks(int &argc, char **&argv) {
    int provided; // of threads: only the first one sends
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
  }
  ~Ranks() { MPI_Finalize(); }
  void barrier() const { MPI_Barrier(MPI_COMM_WORLD); }
  double sum(double x) const { return combine(x, MPI_SUM); }
  double least(double x) const { return combine(x, MPI_MIN); }
  double greatest(double x) const { return combine(x, MPI_MAX); }
  /// The sum of all ranks' vectors, on every rank.
  void sum(std::vector<double> &x) const {
    MPI_Allreduce(MPI_IN_PLACE, x.data(), static_cast<int>(x.size()),
                  MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  /// The first rank's vector, on every rank.
  void broadcast(std::vector<double> &x) const {
    int size = static_cast<int>(x.size());
    MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
    x.resize(size);
    MPI_Bcast(x.data(), size, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
#else
  Ranks(int &, char **&) {}
  void barrier() const {}
  double sum(double x) const { return x; }
  double least(double x) const { return x; }
  double greatest(double x) const { return x; }
  void sum(std::vector<double> &) const {}
  void broadcast(std::vector<double> &) const {}
#endif
  Ranks(const Ranks &) = delete;
  Ranks &operator=(const Ranks &) = delete;

  int rank() const { return own; }
  int count() const { return all; }
  bool is_first() const { return own == 0; }
  static int threads() {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
  }

  /// Throws unless the number of ranks is a cube.
  int per_edge() const {
    int edge = 1;
    while (edge * edge * edge < all)
      ++edge;
    if (edge * edge * edge != all)
      throw std::invalid_argument("the number of ranks must be a cube, not " +
                                  std::to_string(all));
    return edge;
  }

  /// Seconds that f takes, of the slowest rank.
  template <class F> double time(F f) const {
    barrier();
#ifdef LULESH_MPI
    sent = retro_message_counts;
#endif
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;
#ifdef LULESH_MPI
    sent = since(sent);
#endif
    return greatest(seconds.count());
  }

  /// What all ranks sent in the call that was timed last, by name.
  std::map<std::string, long long> messages() const {
#ifdef LULESH_MPI
    const retro_message_counts_t own_sent = sent;
    const auto all_of = [&](long long n) {
      return static_cast<long long>(sum(static_cast<double>(n)));
    };
    return {{"messages", all_of(own_sent.messages)},
            {"message_bytes", all_of(own_sent.message_bytes)},
            {"collectives", all_of(own_sent.collectives)},
            {"collective_bytes", all_of(own_sent.collective_bytes)}};
#else
    return {};
#endif
  }

private:
#ifdef LULESH_MPI
  static retro_message_counts_t since(const retro_message_counts_t &before) {
    const retro_message_counts_t &now = retro_message_counts;
    return {now.messages - before.messages,
            now.message_bytes - before.message_bytes,
            now.collectives - before.collectives,
            now.collective_bytes - before.collective_bytes};
  }
  mutable retro_message_counts_t sent{};
  static double combine(double x, MPI_Op operation) {
    double result;
    MPI_Allreduce(&x, &result, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD);
    return result;
  }
#endif
  int own = 0, all = 1;
};

} // namespace suites::lulesh

#endif // SUITES_LULESH_RANKS_H
