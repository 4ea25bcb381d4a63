// One row of results: what was run, the verdicts, the times.
#pragma once

#include "timing.hpp"
#include "verification.hpp"

#include <nlohmann/json.hpp>

namespace retro::suite {

struct RowVerdict {
  std::string column, size;
  verify::Verdict verdict;
};

struct Row {
  std::string suite, benchmark, kernel, size, variant, heap, input;
  std::map<std::string, long long> size_values;
  std::uint64_t seed = 1;
  bool ftz = false;
  BuildInfo build;
  std::optional<std::string> toggles;
  std::map<std::string, bool> verified; ///< by column
  std::vector<RowVerdict> verdicts;
  std::map<std::string, std::vector<double>> results; ///< by column
  std::vector<Timing> timings;
  std::map<std::string, std::optional<long long>> peak_memory; ///< bytes
  std::map<std::string, std::optional<unsigned long long>> tape_bytes;
  /// Messages of all ranks in one call, by column and name.
  std::map<std::string, std::map<std::string, long long>> counts;
  nlohmann::json device; ///< null where columns run on the host
  std::map<std::string, nlohmann::json> on_device; ///< by column
};

/// Numbers that were not measured are null. Times are seconds per call.
nlohmann::json to_json(const Row &row);
/// As text; bytes that are no UTF-8, as names of files may have, are replaced.
std::string dump_json(const nlohmann::json &json);

void print_verdicts(const Row &row, const std::string &size,
                    const ColumnVerdicts &checked);
void print_row(const Row &row, bool verify_only);

} // namespace retro::suite
