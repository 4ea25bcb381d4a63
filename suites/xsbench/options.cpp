//===- options.cpp - The original programs' command lines -----------------===//
#include "options.h"
#include "../common/ranks.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <optional>
#include <stdexcept>

namespace suites::reactor {

using retro::suite::Dims;

namespace {

/// Reads the original's options from left to right, as the original does.
class Translation {
public:
  explicit Translation(const OriginalOptions &o)
      : options(o), size(o.default_size), particles(o.particles) {}

  /// Consumes the option at `position` and its value; false if it is none of
  /// the original's. Throws std::invalid_argument.
  bool read(int argc, char **argv, int &position) {
    const std::string option = argv[position];
    const auto value = [&]() -> std::string {
      if (position + 1 >= argc)
        throw std::invalid_argument("option " + option + " needs a value");
      return argv[++position];
    };
    if (option == "-s")
      read_size(value());
    else if (option == "-m")
      read_mode(value());
    else if (option == "-l")
      lookups = count(option, value()), counted = true;
    else if (option == "-p")
      particles = count(option, value()), counted = true;
    else if (option == "-k")
      sorted = value() != "0";
    else if (option == options.kernel_option)
      kernel = value();
    else if (options.kernel_flags.count(option))
      kernel = options.kernel_flags.at(option);
    else if (options.values.count(option))
      overrides[options.values.at(option)] = count(option, value());
    else
      return false;
    found = true;
    return true;
  }

  /// What to append to the common command line.
  std::vector<std::string> arguments() const {
    if (!found)
      return {};
    std::map<std::string, long long> entries =
        Dims::parse(options.named_sizes.at(size)).entries();
    for (const auto &[name, number] : overrides)
      entries[name] = number;
    entries["lookups"] = lookups;
    if (!event)
      entries["particles"] = particles;
    if (sorted && event)
      entries["sorted"] = 1;
    std::string text;
    for (const auto &[name, number] : entries)
      text += (text.empty() ? "" : ",") + name + "=" + std::to_string(number);
    std::vector<std::string> result{"--size", text};
    if (kernel)
      result.insert(result.end(), {"--kernel", *kernel});
    return result;
  }

private:
  static long long count(const std::string &option, const std::string &text) {
    std::size_t used = 0;
    long long number = 0;
    try {
      number = std::stoll(text, &used);
    } catch (const std::exception &) {
      used = 0;
    }
    if (used == 0 || used != text.size() || number < 1)
      throw std::invalid_argument("option " + option +
                                  " needs a positive whole number, not '" +
                                  text + "'");
    return number;
  }

  void read_size(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    if (!options.named_sizes.count(name))
      throw std::invalid_argument("-s: there is no size '" + name + "'");
    size = name;
  }

  /// Event mode has no particles: it makes their lookups, unless -l or -p came
  /// before.
  void read_mode(const std::string &mode) {
    if (mode != "event" && mode != "history")
      throw std::invalid_argument("-m is event or history, not '" + mode + "'");
    event = mode == "event";
    if (event && !counted)
      lookups *= particles;
  }

  const OriginalOptions &options;
  std::string size;
  std::map<std::string, long long> overrides;
  std::optional<std::string> kernel;
  long long lookups = 34;
  long long particles;
  bool event = false, sorted = false, counted = false, found = false;
};

} // namespace

int main_with_original_options(int argc, char **argv,
                               const OriginalOptions &options,
                               const retro::suite::Benchmark &benchmark) {
  std::vector<std::string> arguments{argv[0]};
  try {
    Translation translation(options);
    for (int i = 1; i < argc; ++i)
      if (!translation.read(argc, argv, i))
        arguments.push_back(argv[i]);
    for (std::string &argument : translation.arguments())
      arguments.push_back(std::move(argument));
  } catch (const std::invalid_argument &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  const int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  return retro::suite::main_on_ranks(count, pointers.data(), benchmark);
}

} // namespace suites::reactor
