#include "timing.hpp"

#include <benchmark/benchmark.h>

#include <time.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace retro::suite {

static double seconds_of(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

static double timed_call(const Column &column) {
  if (column.prepare)
    column.prepare();
  const clockid_t clock =
      column.parallel ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
  const double start = seconds_of(clock);
  column.run();
  return seconds_of(clock) - start;
}

/// Calls per round such that they take min_time together; also warms caches and
/// heap up.
static long long calls_for(const Column &column, double min_time) {
  timed_call(column);
  const double once = std::max(timed_call(column), 1e-9);
  return std::clamp<long long>(std::llround(std::ceil(min_time / once)), 1,
                               1000000);
}

namespace {
/// Keeps the runs instead of printing them.
class Collector : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context &) override { return true; }
  void ReportRuns(const std::vector<Run> &report) override {
    runs.insert(runs.end(), report.begin(), report.end());
  }
  std::vector<Run> runs;
};
} // namespace

static benchmark::BenchmarkReporter::Run
run_round(const Column &column, long long calls, const std::string &name) {
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark(name.c_str(),
                               [&column](benchmark::State &state) {
                                 for (auto _ : state)
                                   state.SetIterationTime(timed_call(column));
                               })
      ->Iterations(calls)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, std::string("all"));
  benchmark::ClearRegisteredBenchmarks();
  if (collector.runs.size() != 1 || collector.runs.front().error_occurred)
    throw std::runtime_error("timing of " + name + " gave no run");
  return collector.runs.front();
}

static nlohmann::json
native_record(const std::vector<benchmark::BenchmarkReporter::Run> &runs) {
  std::ostringstream text, errors;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&text);
  reporter.SetErrorStream(&errors);
  benchmark::BenchmarkReporter::Context context;
  context.name_field_width = 0;
  reporter.ReportContext(context);
  reporter.ReportRuns(runs);
  reporter.Finalize();
  return nlohmann::json::parse(text.str());
}

std::vector<Timing> time_columns(const std::vector<Column> &columns,
                                 const TimingOptions &options,
                                 const std::string &prefix,
                                 nlohmann::json &native) {
  static const bool initialized = [] {
    int argc = 1;
    static char name[] = "benchmark"; // the library keeps the pointer
    char *argv[] = {name, nullptr};
    benchmark::Initialize(&argc, argv);
    return true;
  }();
  (void)initialized;

  std::vector<Timing> timings;
  for (const Column &column : columns)
    timings.push_back({column.name, {}, calls_for(column, options.min_time)});
  std::vector<benchmark::BenchmarkReporter::Run> runs;
  for (int round = 0; round < options.repetitions; ++round)
    for (std::size_t c = 0; c < columns.size(); ++c) {
      auto run = run_round(columns[c], timings[c].calls_per_run,
                           prefix + "/" + columns[c].name);
      run.repetition_index = round;
      run.repetitions = options.repetitions;
      timings[c].runs.push_back(run.real_accumulated_time /
                                static_cast<double>(run.iterations));
      runs.push_back(std::move(run));
    }
  nlohmann::json record = native_record(runs);
  if (native.is_null())
    native = std::move(record);
  else
    for (auto &entry : record["benchmarks"])
      native["benchmarks"].push_back(std::move(entry));
  return timings;
}

} // namespace retro::suite
