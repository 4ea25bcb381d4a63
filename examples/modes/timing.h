// Times for the programs that take --time: the median of repeated runs.
#ifndef RETROGRADE_EXAMPLES_MODES_TIMING_H
#define RETROGRADE_EXAMPLES_MODES_TIMING_H

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

static inline bool wants_time(int argc, char **argv) {
  return argc == 2 && std::strcmp(argv[1], "--time") == 0;
}

template <typename F> double seconds(F &&f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  const std::chrono::duration<double> d =
      std::chrono::steady_clock::now() - start;
  return d.count();
}

static inline double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return (v[(v.size() - 1) / 2] + v[v.size() / 2]) / 2;
}

#endif // RETROGRADE_EXAMPLES_MODES_TIMING_H
