//===- options.h - The original programs' command lines ---------*- C++ -*-===//
#ifndef SUITES_XSBENCH_OPTIONS_H
#define SUITES_XSBENCH_OPTIONS_H

#include "../common/benchmark.hpp"

#include <map>
#include <string>

namespace suites::reactor {

/// How the original's single-letter options are said in the common command
/// line.
struct OriginalOptions {
  /// -s: name in lower case -> entries of the size.
  std::map<std::string, std::string> named_sizes;
  std::string default_size; ///< of named_sizes
  /// Options with a whole number -> the entry of the size that they set.
  std::map<std::string, std::string> values;
  std::string kernel_option; ///< option whose value is the kernel; may be empty
  /// Options without value -> the kernel they choose.
  std::map<std::string, std::string> kernel_flags;
  long long particles; ///< default of -p; 34 lookups each
};

/// Runs the common main program. If the command line has any of the original's
/// options -s -m -l -p -k, or one of `options`, they are replaced by a --size
/// and a --kernel that say the same, with the original's defaults for the rest.
/// Returns 2 after a message when an option lacks its value or the value is
/// wrong.
int main_with_original_options(int argc, char **argv,
                               const OriginalOptions &options,
                               const retro::suite::Benchmark &benchmark);

} // namespace suites::reactor

#endif // SUITES_XSBENCH_OPTIONS_H
