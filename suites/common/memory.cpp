#include "timing.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

extern "C" {
// Defined by the plugin in objects compiled with tape statistics.
[[gnu::weak]] extern unsigned long long __retro_tape_bytes;
// Defined by the plugin: the toggles it applied.
[[gnu::weak]] extern const char __retro_applied_toggles[];
}

namespace retro::suite {

/// Peak resident bytes of a child that builds the instance and runs the column;
/// runs nothing when the name is empty.
static std::optional<long long>
peak_of_child(const std::function<std::unique_ptr<Instance>()> &make,
              const std::string &column) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0)
    return std::nullopt;
  if (child == 0) {
    int status = 1;
    try {
      const auto instance = make();
      std::vector<Column> columns = instance->columns();
      status = column.empty() ? 0 : 1;
      for (const Column &candidate : columns)
        if (candidate.name == column) {
          if (candidate.prepare)
            candidate.prepare();
          candidate.run();
          status = 0;
        }
    } catch (const std::exception &) {
    }
    _exit(status);
  }
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
      WEXITSTATUS(status) != 0)
    return std::nullopt;
  return 1024ll * usage.ru_maxrss;
}

std::optional<long long>
measure_peak_memory(const std::function<std::unique_ptr<Instance>()> &make,
                    const std::string &column) {
  const auto base = peak_of_child(make, "");
  const auto peak = peak_of_child(make, column);
  if (!base || !peak)
    return std::nullopt;
  return std::max(0ll, *peak - *base);
}

std::optional<unsigned long long> measure_tape(const Column &column) {
  reset_tape();
  if (column.prepare)
    column.prepare();
  if (&__retro_tape_bytes)
    column.run();
  return largest_tape();
}

std::optional<unsigned long long> largest_tape() {
  if (!&__retro_tape_bytes)
    return std::nullopt;
  return __retro_tape_bytes;
}

void reset_tape() {
  if (&__retro_tape_bytes)
    __retro_tape_bytes = 0;
}

std::optional<std::string> applied_toggles() {
  if (!__retro_applied_toggles)
    return std::nullopt;
  return std::string(__retro_applied_toggles);
}

} // namespace retro::suite
