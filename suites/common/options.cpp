#include "options.hpp"
#include "device.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

namespace retro::suite {

std::vector<std::pair<std::string, Dims>>
declared_sizes(const BuildInfo &build) {
  std::vector<std::pair<std::string, Dims>> sizes;
  std::istringstream in(build.sizes);
  for (std::string entry; std::getline(in, entry, ';');) {
    std::istringstream words(entry);
    std::string name, values;
    if (words >> name >> values)
      sizes.emplace_back(name, Dims::parse(values));
  }
  return sizes;
}

static std::pair<std::string, Dims> find_size(const Benchmark &benchmark,
                                              const std::string &text) {
  for (const auto &size : declared_sizes(benchmark.build))
    if (size.first == text)
      return size;
  if (text.find('=') == std::string::npos)
    throw CLI::ValidationError(
        "--size", "'" + text +
                      "' is neither a declared size (see --list) nor "
                      "of the form name=integer,...");
  try {
    return {text, Dims::parse(text)};
  } catch (const std::invalid_argument &error) {
    throw CLI::ValidationError("--size", error.what());
  }
}

bool parse_options(int argc, char **argv, const Benchmark &benchmark,
                   Options &options, int &status) {
  CLI::App app{"Verifies and times the gradient of benchmark " +
               benchmark.build.suite + "/" + benchmark.build.benchmark};
  std::vector<std::string> sizes{benchmark.build.default_size};
  std::vector<std::string> kernels{benchmark.kernels.front()};
  std::string variant = "restrict", heap = "warm";
  bool no_memory = false;

  app.add_option("--size", sizes,
                 "declared size, or values such as d=10,K=25 (repeatable)")
      ->capture_default_str();
  app.add_option("--kernel", kernels, "kernel, or 'all' (repeatable)")
      ->capture_default_str();
  app.add_option("--variant", variant,
                 "no-alias qualifiers on pointer parameters: restrict or plain")
      ->check(CLI::IsMember({"restrict", "plain", "all"}))
      ->capture_default_str();
  app.add_option("--column", options.columns,
                 "time only these columns: primal, gradient, hand, compare");
  app.add_option("--require", options.require,
                 "fail if this column is not linked (repeatable)");
  app.add_option("--seed", options.seed, "seed of the data generator")
      ->capture_default_str();
  app.add_option("--input", options.input,
                 "read the data from this file instead of generating it")
      ->check(CLI::ExistingFile);
  app.add_option("--repetitions", options.repetitions,
                 "rounds; each runs every column once")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app.add_option("--min-time", options.min_time,
                 "seconds of one column in one round")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI::Option *verify =
      app.add_flag("--verify", options.verify_only, "verify, and time nothing");
  app.add_flag("--time-only", options.time_only,
               "time, and verify nothing: one more launch of what was verified")
      ->excludes(verify);
  app.add_option("--json", options.json, "write the rows to this file");
  app.add_flag("--list", options.list, "list kernels, sizes and columns");
  app.add_flag("--ftz", options.ftz,
               "flush subnormal numbers to zero while timing");
  app.add_option("--heap", heap,
                 "warm: keep freed memory in the process; default: the C "
                 "library's own policy")
      ->check(CLI::IsMember({"warm", "default"}))
      ->capture_default_str();
  app.add_flag("--no-memory", no_memory, "do not measure peak memory");

  if (device()) {
    app.add_flag("--serial-only", options.serial_only,
                 "compare the size asked for with the serial program alone");
    app.add_option("--keep-serial", options.keep_serial,
                   "of --serial-only: keep the serial program's results in "
                   "this folder, and use those that are there")
        ->check(CLI::ExistingDirectory);
    app.add_flag("--device", options.describe_device,
                 "say which device there is, as JSON");
  }

  try {
    app.parse(argc, argv);
    for (const auto &text : sizes)
      options.sizes.push_back(find_size(benchmark, text));
    if (kernels == std::vector<std::string>{"all"})
      kernels = benchmark.kernels;
    for (const auto &kernel : kernels)
      if (std::find(benchmark.kernels.begin(), benchmark.kernels.end(),
                    kernel) == benchmark.kernels.end())
        throw CLI::ValidationError("--kernel",
                                   "'" + kernel + "' is unknown, see --list");
  } catch (const CLI::ParseError &error) {
    status = app.exit(error) == 0 ? 0 : 2;
    return false;
  }
  options.kernels = kernels;
  if (variant != "plain")
    options.variants.push_back(Variant::restrict_);
  if (variant != "restrict")
    options.variants.push_back(Variant::plain);
  options.warm_heap = heap == "warm";
  options.memory = !no_memory;
  if (!options.input.empty())
    options.sizes = {{"file", Dims{}}};
  return true;
}

} // namespace retro::suite
