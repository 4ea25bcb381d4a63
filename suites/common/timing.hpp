// Timing: Google Benchmark runs the columns, round robin, on the CPU time of
// the thread.
#pragma once

#include "benchmark.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace retro::suite {

struct Timing {
  std::string column;
  std::vector<double> runs;    ///< seconds per call, one per round
  long long calls_per_run = 0; ///< calls averaged in one entry of runs
};

struct Quartiles {
  double q1, median, q3;
};
/// With linear interpolation between order statistics; values must not be
/// empty.
Quartiles quartiles(std::vector<double> values);

struct TimingOptions {
  int repetitions;
  double min_time; ///< seconds
};

/// Runs the columns in turn, `repetitions` times. A column's prepare() stands
/// outside the timed region. Appends Google Benchmark's own record of each run,
/// named `prefix`/column, to `native`.
std::vector<Timing> time_columns(const std::vector<Column> &columns,
                                 const TimingOptions &options,
                                 const std::string &prefix,
                                 nlohmann::json &native);

/// Keeps freed memory in the process (no trimming, no mmap), so that a tape
/// does not fault its pages in on every call.
void keep_heap_warm();

/// Sets flush-to-zero and denormals-are-zero of this thread; returns false
/// where the machine has no such mode.
bool flush_subnormals();

/// Which of the two this process has done: other ranks are to do the same.
struct ProcessConditions {
  bool warm_heap = false, flushed_subnormals = false;
};
const ProcessConditions &process_conditions();

/// Resident memory, in bytes, that one run of `column` adds to the peak of a
/// process that has built the instance; measured in two child processes. Empty
/// when it could not be measured. To be called while the heap of this process
/// is small: memory that is free in the parent would hide what the child needs.
std::optional<long long>
measure_peak_memory(const std::function<std::unique_ptr<Instance>()> &make,
                    const std::string &column);

/// Bytes of tape as the plugin counts them in one run of `column` (where the
/// column differentiates many calls, those of the last); empty when the object
/// was not compiled with tape statistics.
std::optional<unsigned long long> measure_tape(const Column &column);

/// The largest tape of a call since reset_tape(), in bytes; empty as above.
std::optional<unsigned long long> largest_tape();
void reset_tape();

/// The toggles that applied when the gradient was compiled; empty when the
/// plugin left no record.
std::optional<std::string> applied_toggles();

} // namespace retro::suite
