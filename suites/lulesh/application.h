//===- application.h - LULESH: the original's command line ------*- C++ -*-===//
#ifndef SUITES_LULESH_APPLICATION_H
#define SUITES_LULESH_APPLICATION_H

#include "../common/benchmark.hpp"
#include "problem.h"

#include <string>
#include <utility>
#include <vector>

namespace suites::lulesh {

using retro::suite::Dims;

/// The original's options.
struct Application {
  Options options;
  int max_cycles = 9999999;
  bool each_cycle = false; ///< a line per cycle
  bool quiet = false;

  // Further options of the parallel programs.
  bool verify = false;    ///< compare with published values and a serial run
  bool time_only = false; ///< verify nothing, even at a benchmark's size
  bool gradient = false;  ///< run the gradient too, of cycles after `start`
  int start = 0;
  int repetitions = 1;
  std::string json;
  std::string size; ///< as --size said it; empty: by the original's options
};

/// Whether the command line is the original's: its first word is one of -s -i
/// -r -b -c -p -q -h.
bool is_original(int argc, char **argv);

/// Reads it. Throws std::invalid_argument.
Application parse_original(int argc, char **argv);

/// Reads the command line of a parallel program: the original's options and
/// further ones. Those of the benchmarks are understood as far as a study gives
/// them; with --size, a gradient is verified and timed.
///   sizes   that have names
Application
parse_parallel(int argc, char **argv,
               const std::vector<std::pair<std::string, Dims>> &sizes);

/// The original's report of a finished run, of rank 0.
void print_report(const Application &application, const Mesh &mesh,
                  const State &state, int ranks, double seconds);

/// Runs the simulation once on this process alone and prints the report.
/// Returns the exit status.
int run_application(int argc, char **argv, Primal *primal);

} // namespace suites::lulesh

#endif // SUITES_LULESH_APPLICATION_H
