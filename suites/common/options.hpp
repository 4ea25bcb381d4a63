// The command line that every benchmark has.
#pragma once

#include "benchmark.hpp"

#include <string>
#include <utility>
#include <vector>

namespace retro::suite {

struct Options {
  std::vector<std::pair<std::string, Dims>> sizes; ///< name (or text), values
  std::vector<std::string> kernels;
  std::vector<Variant> variants;
  std::vector<std::string> columns; ///< empty: all that are linked
  std::vector<std::string> require; ///< columns that must be linked
  std::string input;
  std::string json;
  std::uint64_t seed = 1;
  int repetitions = 9;
  double min_time = 0.02; ///< seconds of one column in one round
  bool verify_only = false;
  bool time_only = false;
  bool list = false;
  bool ftz = false;
  bool warm_heap = true;
  bool memory = true;
  bool serial_only = false;
  std::string keep_serial; ///< folder, or empty
  bool describe_device = false;
};

/// The sizes declared in the build: name and values, in order.
std::vector<std::pair<std::string, Dims>> declared_sizes(const BuildInfo &);

/// Reads the command line. Returns false, with the exit status, when the
/// program should end at once (--help, or an error that has been printed).
bool parse_options(int argc, char **argv, const Benchmark &benchmark,
                   Options &options, int &status);

} // namespace retro::suite
