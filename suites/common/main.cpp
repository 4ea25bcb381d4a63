#include "device.hpp"
#include "options.hpp"
#include "report.hpp"
#include "timing.hpp"
#include "verification.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>

// Defined where columns run on a device.
extern "C" {
[[gnu::weak]] extern const retro::suite::Device retro_suite_device;
}

namespace retro::suite {

const Device *device() { return &retro_suite_device; }
bool has_device() { return device(); }

static void print_list(const Benchmark &benchmark) {
  std::printf("%s/%s\nkernels:", benchmark.build.suite.c_str(),
              benchmark.build.benchmark.c_str());
  for (const auto &kernel : benchmark.kernels)
    std::printf(" %s", kernel.c_str());
  std::printf("\nsizes:\n");
  for (const auto &[name, dims] : declared_sizes(benchmark.build))
    std::printf("  %-20s %s\n", name.c_str(), dims.str().c_str());
  std::printf("variants:");
  for (const Variant variant : {Variant::restrict_, Variant::plain}) {
    const auto instance =
        benchmark.make({benchmark.kernels.front(), variant,
                        Dims::parse(benchmark.reference_sizes.front()), 1, ""});
    std::printf(" %s (columns", to_string(variant));
    for (const Column &column : instance->columns())
      std::printf(" %s", column.name.c_str());
    std::printf(")");
  }
  std::printf("\n");
}

namespace {
/// The same instance in the serial form of the program. Its results are kept in
/// a folder where one is given, since many runs may ask for them.
class SerialProgram {
public:
  SerialProgram(const Benchmark &benchmark, const Setting &setting,
                const std::string &folder)
      : benchmark(benchmark), setting(setting), folder(folder) {
    this->setting.variant = Variant::plain;
  }

  std::vector<double> result(const std::string &column) {
    const std::string path = folder + "/" + benchmark.build.benchmark + "." +
                             setting.kernel + "." + setting.dims.str() + "." +
                             column;
    std::vector<double> values;
    if (std::ifstream in(path, std::ios::binary | std::ios::ate);
        !folder.empty() && in) {
      values.resize(static_cast<std::size_t>(in.tellg()) / sizeof(double));
      in.seekg(0).read(
          reinterpret_cast<char *>(values.data()),
          static_cast<std::streamsize>(values.size() * sizeof(double)));
      return values;
    }
    if (!instance)
      instance = benchmark.make(setting);
    values = result_of(*instance, column);
    if (!folder.empty())
      std::ofstream(path, std::ios::binary)
          .write(reinterpret_cast<const char *>(values.data()),
                 static_cast<std::streamsize>(values.size() * sizeof(double)));
    return values;
  }

private:
  const Benchmark &benchmark;
  Setting setting;
  const std::string folder;
  std::unique_ptr<Instance> instance;
};
} // namespace

/// Verifies one instance, prints the verdicts and adds them to the row.
static void verify_into(Row &row, const Benchmark &benchmark,
                        const Setting &setting, const std::string &size,
                        const Options &options, bool serial_only) {
  const auto instance = benchmark.make(setting);
  std::vector<ColumnVerdicts> all =
      serial_only ? run_on_device(*instance) : verify_instance(*instance);
  if (device()) {
    SerialProgram serial(benchmark, setting,
                         serial_only ? options.keep_serial : "");
    compare_with_serial(all, *instance, [&](const std::string &column) {
      return serial.result(column);
    });
  }
  for (ColumnVerdicts &checked : all) {
    print_verdicts(row, size, checked);
    const auto found = row.verified.try_emplace(checked.column, true).first;
    found->second = found->second && checked.verified();
    row.results[checked.column] = std::move(checked.result);
    for (const auto &verdict : checked.verdicts)
      row.verdicts.push_back({checked.column, size, verdict});
  }
}

static void time_into(Row &row, const Benchmark &benchmark,
                      const Setting &setting, const Options &options,
                      nlohmann::json &native) {
  const auto make = [&] { return benchmark.make(setting); };
  const auto instance = make();
  std::vector<Column> columns;
  const bool threads = row.build.flags.find("-fopenmp") != std::string::npos;
  for (Column &column : instance->columns()) {
    column.parallel |= threads;
    const bool asked =
        options.columns.empty() || column.name == "primal" ||
        std::count(options.columns.begin(), options.columns.end(), column.name);
    if (asked && (!device() || runs_on_device(column)) &&
        (options.time_only ||
         (row.verified[column.name] && row.verified["primal"])))
      columns.push_back(std::move(column));
  }
  if (columns.empty())
    return;
  const std::string prefix = row.suite + "/" + row.benchmark + "/" +
                             row.kernel + "/" + row.size + "/" + row.variant;
  row.timings = time_columns(columns, {options.repetitions, options.min_time},
                             prefix, native);
  for (const Column &column : columns)
    if (device()) {
      row.on_device[column.name] = device()->profile(column);
    } else if (column.count) {
      const Tally all = column.count();
      row.counts[column.name] = all.messages;
      row.tape_bytes[column.name] = all.tape;
    } else if (column.name == "gradient") {
      row.tape_bytes[column.name] = measure_tape(column);
    }
}

static Row make_row(const Benchmark &benchmark, const Setting &setting,
                    const std::string &size, const Options &options, bool ftz) {
  Row row;
  row.suite = benchmark.build.suite;
  row.benchmark = benchmark.build.benchmark;
  row.kernel = setting.kernel;
  row.size = size;
  row.size_values = setting.dims.entries();
  row.variant = to_string(setting.variant);
  row.seed = setting.seed;
  row.input = setting.input;
  row.heap = options.warm_heap ? "warm" : "default";
  row.ftz = ftz;
  row.build = benchmark.build;
  row.toggles = applied_toggles();
  if (benchmark.ranks)
    row.size_values["ranks"] = benchmark.ranks;
  return row;
}

static bool verify_row(Row &row, const Benchmark &benchmark,
                       const Setting &setting, const Options &options) {
  for (const std::string &text : benchmark.reference_sizes) {
    const Setting reference{setting.kernel, setting.variant, Dims::parse(text),
                            1, ""};
    verify_into(row, benchmark, reference, text, options, false);
  }
  verify_into(row, benchmark, setting, row.size, options, options.serial_only);
  bool good = true;
  for (const auto &[column, verified] : row.verified)
    good = good && verified;
  for (const std::string &column : options.require)
    if (!row.verified.count(column)) {
      std::fprintf(stderr, "column '%s' is required but not linked\n",
                   column.c_str());
      good = false;
    }
  return good;
}

static bool run_row(Row &row, const Benchmark &benchmark,
                    const Setting &setting, const Options &options,
                    nlohmann::json &native) {
  const bool good =
      options.time_only || verify_row(row, benchmark, setting, options);
  if (!options.verify_only)
    time_into(row, benchmark, setting, options, native);
  if (device()) {
    row.device = device()->describe();
    row.toggles = device()->toggles();
  }
  print_row(row, options.verify_only);
  return good;
}

static int run(const Benchmark &benchmark, const Options &options) {
  if (options.warm_heap)
    keep_heap_warm();
  const bool ftz = options.ftz && flush_subnormals();
  if (options.ftz && !ftz)
    std::fprintf(stderr, "--ftz: this machine has no such mode\n");

  std::vector<std::pair<Row, Setting>> rows;
  for (const auto &kernel : options.kernels)
    for (const auto &[size, dims] : options.sizes)
      for (const Variant variant : options.variants) {
        const Setting setting{kernel, variant, dims, options.seed,
                              options.input};
        rows.emplace_back(make_row(benchmark, setting, size, options, ftz),
                          setting);
      }
  // Peak memory of every row before anything else has grown this process.
  if (options.memory && !options.verify_only && !benchmark.ranks && !device())
    for (auto &[row, setting] : rows)
      for (const char *column : {"primal", "gradient", "hand", "compare"})
        row.peak_memory[column] = measure_peak_memory(
            [&, s = setting] { return benchmark.make(s); }, column);

  bool good = true;
  nlohmann::json native, written = nlohmann::json::array();
  for (auto &[row, setting] : rows) {
    good &= run_row(row, benchmark, setting, options, native);
    written.push_back(to_json(row));
  }
  if (!options.json.empty()) {
    std::ofstream out(options.json);
    out << dump_json({{"rows", written}, {"google_benchmark", native}}) << "\n";
    if (!out.flush()) {
      std::fprintf(stderr, "cannot write %s\n", options.json.c_str());
      return 2;
    }
  }
  return good ? 0 : 1;
}

int main(int argc, char **argv, const Benchmark &benchmark) {
  Options options;
  int status = 0;
  try {
    if (!parse_options(argc, argv, benchmark, options, status))
      return status;
    if (options.list) {
      print_list(benchmark);
      return 0;
    }
    if (const char *missing = device() ? device()->missing() : nullptr) {
      std::fprintf(stderr, "%s\n", missing);
      return 77;
    }
    if (options.describe_device) {
      std::printf("%s\n", dump_json(device()->describe()).c_str());
      return 0;
    }
    return run(benchmark, options);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}

} // namespace retro::suite
