// The part of a program for a device: its time is that of the kernels, between
// events. Linked in place of timing.cpp.
#include "device.hpp"
#include "timing.hpp"

#include <retrograde/gpu/driver.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

// Of the host's functions, which this file's compiler does not know.
extern "C" int cudaDeviceSetLimit(int limit, std::size_t value);

namespace retro::suite {

using nlohmann::json;

namespace {

constexpr int malloc_heap = 2; ///< cudaLimitMallocHeapSize

/// Tapes that grow are from the device's malloc, whose heap is 8 MB unless a
/// program asks for more.
const char *missing() {
  static const bool asked = [] {
    RetroCudaDevice about;
    if (!retro_cuda_missing() && retro_cuda_device(&about) == 0)
      cudaDeviceSetLimit(malloc_heap, about.memory_bytes / 8);
    return true;
  }();
  (void)asked;
  return retro_cuda_missing();
}

json describe() {
  RetroCudaDevice about;
  if (const int code = retro_cuda_device(&about))
    throw std::runtime_error("the device says nothing of itself: error " +
                             std::to_string(code));
  return {{"name", about.name},
          {"driver_version", about.driver_version},
          {"compute_capability",
           std::to_string(about.major) + "." + std::to_string(about.minor)},
          {"multiprocessors", about.multiprocessors},
          {"clock_khz", about.clock_khz},
          {"memory_clock_khz", about.memory_clock_khz},
          {"memory_bytes", about.memory_bytes}};
}

void run_measured(const Column &column) {
  if (column.prepare)
    column.prepare();
  retro_cuda_measure(1);
  column.run();
}

/// Seconds of the kernels of one call.
double kernel_seconds(const Column &column) {
  run_measured(column);
  return retro_cuda_kernel_seconds();
}

json kernels() {
  std::vector<RetroCudaKernel> all(retro_cuda_kernels(nullptr, 0));
  retro_cuda_kernels(all.data(), all.size());
  json list = json::array();
  for (const RetroCudaKernel &k : all)
    list.push_back({{"name", k.name},
                    {"launches", k.launches},
                    {"seconds", 1e-3 * k.milliseconds},
                    {"registers", k.registers},
                    {"local_bytes", k.local_bytes},
                    {"shared_bytes", k.shared_bytes},
                    {"dynamic_shared_bytes", k.dynamic_shared_bytes},
                    {"grid", k.grid},
                    {"block", k.block},
                    {"code_for", k.binary_version},
                    {"ptx", k.ptx_version}});
  std::sort(list.begin(), list.end(), [](const json &a, const json &b) {
    return a["name"].get<std::string>() < b["name"].get<std::string>();
  });
  return list;
}

/// The largest tape of a thread, where the code was compiled to count it.
json tape_of_thread() {
  unsigned long long bytes = 0;
  return retro_cuda_read("__retro_tape_bytes", &bytes, sizeof bytes) ==
                 sizeof bytes
             ? json(bytes)
             : json();
}

json profile(const Column &column) {
  run_measured(column);
  const std::uint64_t before = retro_cuda_allocated();
  return {{"kernels", kernels()},
          {"device_bytes", retro_cuda_peak() - before},
          {"tape_bytes_of_thread",
           column.name == "gradient" ? tape_of_thread() : json()}};
}

std::optional<std::string> toggles() {
  char text[4096] = "";
  if (retro_cuda_read("__retro_applied_toggles", text, sizeof text - 1) == 0)
    return std::nullopt;
  return std::string(text);
}

/// Calls of one round: of short kernels several, but no more than take a
/// quarter of a second with all that is copied.
long long calls_for(const Column &column, double min_time) {
  kernel_seconds(column);
  const auto start = std::chrono::steady_clock::now();
  const double once = std::max(kernel_seconds(column), 1e-9);
  const std::chrono::duration<double> whole =
      std::chrono::steady_clock::now() - start;
  const double calls =
      std::fmin(std::ceil(min_time / once), 0.25 / whole.count());
  return std::clamp<long long>(std::llround(calls), 1, 100);
}

} // namespace

extern "C" {
extern const Device retro_suite_device;
const Device retro_suite_device = {missing, describe, profile, toggles};
}

std::vector<Timing> time_columns(const std::vector<Column> &columns,
                                 const TimingOptions &options,
                                 const std::string &, json &native) {
  std::vector<Timing> timings;
  for (const Column &column : columns)
    timings.push_back({column.name, {}, calls_for(column, options.min_time)});
  for (int round = 0; round < options.repetitions; ++round)
    for (std::size_t c = 0; c < columns.size(); ++c) {
      double seconds = 0;
      for (long long n = 0; n < timings[c].calls_per_run; ++n)
        seconds += kernel_seconds(columns[c]);
      timings[c].runs.push_back(seconds / timings[c].calls_per_run);
    }
  if (native.is_null())
    native = json::object();
  return timings;
}

} // namespace retro::suite
