// What timing asks of the process and of the numbers, without Google Benchmark.
#include "timing.hpp"

#include <malloc.h>

#include <algorithm>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace retro::suite {

Quartiles quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double fraction) {
    const double position = fraction * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (position - static_cast<double>(below)) *
                               (values[above] - values[below]);
  };
  return {at(0.25), at(0.5), at(0.75)};
}

static ProcessConditions conditions;

const ProcessConditions &process_conditions() { return conditions; }

void keep_heap_warm() {
  conditions.warm_heap = true;
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 1 << 26);
}

bool flush_subnormals() {
#if defined(__SSE2__)
  conditions.flushed_subnormals = true;
  _mm_setcsr(_mm_getcsr() | 0x8040u); // FTZ is bit 15, DAZ is bit 6
  return true;
#else
  return false;
#endif
}

} // namespace retro::suite
