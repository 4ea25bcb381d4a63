#include "report.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace retro::suite {

using nlohmann::json;

template <class T> static json or_null(const std::optional<T> &value) {
  return value ? json(*value) : json();
}

static json finite_or_null(double x) {
  return std::isfinite(x) ? json(x) : json();
}

static json column_json(const Row &row, const Timing &timing) {
  const Quartiles q = quartiles(timing.runs);
  json column = {
      {"median", q.median},
      {"q1", q.q1},
      {"q3", q.q3},
      {"min", *std::min_element(timing.runs.begin(), timing.runs.end())},
      {"runs", timing.runs},
      {"calls_per_run", timing.calls_per_run}};
  const auto memory = row.peak_memory.find(timing.column);
  column["peak_memory_bytes"] =
      memory == row.peak_memory.end() ? json() : or_null(memory->second);
  const auto tape = row.tape_bytes.find(timing.column);
  column["tape_bytes"] =
      tape == row.tape_bytes.end() ? json() : or_null(tape->second);
  if (const auto counts = row.counts.find(timing.column);
      counts != row.counts.end())
    column.update(json(counts->second));
  if (const auto found = row.on_device.find(timing.column);
      found != row.on_device.end())
    column.update(found->second);
  return column;
}

/// FNV-1a of the bits: equal for two runs that gave the same result.
static std::string digest(const std::vector<double> &result) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const double x : result)
    for (int byte = 0; byte < 8; ++byte) {
      hash ^= std::bit_cast<std::uint64_t>(x) >> 8 * byte & 0xff;
      hash *= 0x100000001b3;
    }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(hash));
  return text;
}

/// A fingerprint of the result, to compare runs with each other.
static json result_json(const std::vector<double> &result) {
  return {{"entries", result.size()},
          {"digest", digest(result)},
          {"norm", finite_or_null(pick::norm()(result))},
          {"sum", finite_or_null(pick::sum()(result))}};
}

std::string dump_json(const nlohmann::json &value) {
  return value.dump(1, ' ', false, json::error_handler_t::replace);
}

json to_json(const Row &row) {
  json results = json::object();
  for (const auto &[column, result] : row.results)
    results[column] = result_json(result);
  json verdicts = json::array();
  for (const auto &[column, size, verdict] : row.verdicts)
    verdicts.push_back({{"column", column},
                        {"size", size},
                        {"check", verdict.check},
                        {"outcome", verify::name(verdict.outcome())},
                        {"error", finite_or_null(verdict.error)},
                        {"tolerance", finite_or_null(verdict.tolerance)},
                        {"detail", verdict.detail}});
  json columns = json::object(), overhead = json::object();
  for (const Timing &timing : row.timings) {
    columns[timing.column] = column_json(row, timing);
    if (timing.column != "primal" && columns.contains("primal"))
      overhead[timing.column] = columns[timing.column]["median"].get<double>() /
                                columns["primal"]["median"].get<double>();
  }
  json all = {{"suite", row.suite},
              {"benchmark", row.benchmark},
              {"kernel", row.kernel},
              {"size", row.size},
              {"size_values", row.size_values},
              {"variant", row.variant},
              {"seed", row.seed},
              {"input", row.input.empty() ? json() : json(row.input)},
              {"heap", row.heap},
              {"ftz", row.ftz},
              {"verified", row.verified},
              {"verdicts", verdicts},
              {"results", results},
              {"columns", columns},
              {"overhead", overhead},
              {"toggles", or_null(row.toggles)},
              {"compiler", row.build.compiler},
              {"flags", row.build.flags},
              {"plugin", row.build.plugin},
              {"compare_compiler", row.build.compare_compiler},
              {"compare_plugin", row.build.compare_plugin}};
  if (!row.device.is_null())
    all["device"] = row.device;
  return all;
}

static std::string title(const Row &row, const std::string &size) {
  return row.benchmark + (row.kernel == "default" ? "" : "/" + row.kernel) +
         " " + row.variant + " [" + size + "]";
}

void print_verdicts(const Row &row, const std::string &size,
                    const ColumnVerdicts &checked) {
  std::printf("%s: %s\n", title(row, size).c_str(), checked.column.c_str());
  for (const auto &verdict : checked.verdicts)
    std::printf("  %s\n", verify::format(verdict).c_str());
}

static void print_bytes(const char *label, double bytes) {
  std::printf("  %s %.3g MB", label, bytes / 1e6);
}

void print_row(const Row &row, bool verify_only) {
  std::printf("%s\n", title(row, row.size).c_str());
  for (const auto &[column, verified] : row.verified)
    std::printf("  %-9s %s\n", column.c_str(),
                verified ? "verified" : "WRONG, not timed");
  if (!row.verified.empty() && !row.verified.count("gradient"))
    std::printf("  %-9s not linked (built without the plugin)\n", "gradient");
  double primal = 0;
  for (const Timing &timing : row.timings) {
    const Quartiles q = quartiles(timing.runs);
    if (timing.column == "primal")
      primal = q.median;
    std::printf("  %-9s %12.6g ms  [%.6g, %.6g]", timing.column.c_str(),
                1e3 * q.median, 1e3 * q.q1, 1e3 * q.q3);
    if (timing.column != "primal" && primal > 0)
      std::printf("  overhead %.3g", q.median / primal);
    const auto memory = row.peak_memory.find(timing.column);
    if (memory != row.peak_memory.end() && memory->second)
      print_bytes("extra peak memory", static_cast<double>(*memory->second));
    const auto tape = row.tape_bytes.find(timing.column);
    if (tape != row.tape_bytes.end() && tape->second)
      print_bytes("tape", static_cast<double>(*tape->second));
    std::printf("\n");
  }
  if (row.timings.empty() && !verify_only)
    std::printf("  nothing timed\n");
  std::fflush(stdout);
}

} // namespace retro::suite
