// The command line of the suites, and the JSON that they write: any bytes give
// options, an error of the parser's, or a row that reads back as it was.
#include "common/options.hpp"
#include "common/report.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>

using namespace retro::suite;

static Benchmark benchmark() {
  Benchmark b;
  b.kernels = {"gradient", "all-of-it"};
  b.build.suite = "suite";
  b.build.benchmark = "benchmark";
  b.build.sizes = "small d=2,K=5;large d=10,K=25,n=1000";
  b.build.default_size = "small";
  return b;
}

static void parse(const std::vector<std::string> &words) {
  static const Benchmark known = benchmark();
  std::vector<std::string> copies{"benchmark"};
  copies.insert(copies.end(), words.begin(), words.end());
  std::vector<char *> argv;
  for (std::string &word : copies)
    argv.push_back(word.data());
  std::ostringstream out, err;
  auto *o = std::cout.rdbuf(out.rdbuf()), *e = std::cerr.rdbuf(err.rdbuf());
  Options options;
  int status = -1;
  const bool goes_on = parse_options(static_cast<int>(argv.size()), argv.data(),
                                     known, options, status);
  std::cout.rdbuf(o);
  std::cerr.rdbuf(e);
  if (goes_on ? options.kernels.empty() || options.sizes.empty()
              : status != 0 && status != 2)
    std::abort();
  // A text that was accepted means one thing.
  for (const auto &[name, dims] : options.sizes)
    if (goes_on && !dims.entries().empty() &&
        !(Dims::parse(dims.str()) == dims))
      std::abort();
}

static void write(const std::vector<std::string> &words) {
  Row row;
  std::size_t next = 0;
  auto word = [&] { return next < words.size() ? words[next++] : ""; };
  row.suite = word();
  row.kernel = word();
  row.size = word();
  row.input = word();
  row.build.flags = word();
  row.toggles = word();
  row.results[word()] = {std::strtod(word().c_str(), nullptr)};
  const std::string text = dump_json(to_json(row));
  const auto again = nlohmann::json::parse(text);
  if (dump_json(again) != text)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  std::istringstream in(
      std::string(reinterpret_cast<const char *>(data), size));
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word);) {
    // As from a shell, which gives no word with a zero in it.
    words.push_back(word.substr(0, word.find('\0')));
  }
  parse(words);
  write(words);
  return 0;
}
