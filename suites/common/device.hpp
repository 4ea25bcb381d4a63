// Programs whose primal and gradient run on a device: what the common main does
// otherwise in them. Their variant 'restrict' is the device's, 'plain' is the
// serial program's, which the device's results are compared with.
#pragma once

#include "benchmark.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace retro::suite {

struct Device {
  /// Null when kernels can run here; else a sentence that says what is missing.
  const char *(*missing)();
  /// Name, driver, capability.
  nlohmann::json (*describe)();
  /// One run of the column: its kernels, their times and what they use.
  nlohmann::json (*profile)(const Column &);
  /// The toggles that the device's code was made with, if it says so.
  std::optional<std::string> (*toggles)();
};

/// Null in programs that run on no device.
const Device *device();

/// Whether the column's time is that of kernels.
inline bool runs_on_device(const Column &column) {
  return device() && (column.name == "primal" || column.name == "gradient");
}

} // namespace retro::suite
