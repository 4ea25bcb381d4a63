// Which checks an instance goes through before it is timed.
#pragma once

#include "benchmark.hpp"

#include <retrograde/verify.hpp>

#include <map>
#include <string>
#include <vector>

namespace retro::suite {

struct ColumnVerdicts {
  std::string column;
  std::vector<verify::Verdict> verdicts;
  std::vector<double> result; ///< of the first run

  /// Nothing failed, and at least one check of the values passed.
  bool verified() const;
};

/// Runs every column twice and checks
///  - both runs give the same bits (no state left behind, outputs zeroed);
///  - the published values;
///  - a gradient against the hand adjoint, entry by entry;
///  - a gradient against central differences of the primal along a random
///  direction.
std::vector<ColumnVerdicts> verify_instance(Instance &instance);

/// Runs the columns of the device twice, and checks that both runs agree.
std::vector<ColumnVerdicts> run_on_device(Instance &instance);

/// Adds to the verdicts of the device's columns that their entries are those of
/// the serial program, which serial(column) gives.
void compare_with_serial(
    std::vector<ColumnVerdicts> &all, const Instance &instance,
    const std::function<std::vector<double>(const std::string &)> &serial);

} // namespace retro::suite
