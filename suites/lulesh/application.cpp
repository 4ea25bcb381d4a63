//===- application.cpp - LULESH: the original's command line --------------===//
#include "application.h"

#include "observe.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

namespace suites::lulesh {

bool is_original(int argc, char **argv) {
  return argc > 1 && std::strlen(argv[1]) == 2 && argv[1][0] == '-' &&
         std::strchr("sirbcpqh", argv[1][1]);
}

static void print_help() {
  std::printf("-s N  elements along an edge of a rank's cube (30)\n"
              "-i N  cycles at most\n"
              "-r N  regions (11)\n"
              "-b N  balance of the regions' sizes (1)\n"
              "-c N  cost of the dear regions (1)\n"
              "-p    a line per cycle\n"
              "-q    quiet\n"
              "--help: the command line of the benchmark\n");
}

namespace {

/// The words of a command line, one after the other.
class Words {
public:
  Words(int argc, char **argv) : all(argv + 1, argv + argc) {}

  /// Takes the next option; false at the end.
  bool next() {
    if (at == all.size())
      return false;
    option = all[at++];
    return true;
  }
  std::string value() {
    if (at == all.size())
      throw std::invalid_argument("option " + option + " needs a value");
    return all[at++];
  }
  int number() {
    std::size_t used = 0;
    const std::string text = at < all.size() ? all[at++] : "";
    int result = 0;
    try {
      result = std::stoi(text, &used);
    } catch (const std::exception &) {
      used = 0;
    }
    if (used == 0 || used != text.size())
      throw std::invalid_argument("option " + option + " needs a number");
    return result;
  }

  std::string option;

private:
  std::vector<std::string> all;
  std::size_t at = 0;
};

/// Whether the option is the original's; reads its value.
bool read_original(Application &a, Words &words) {
  const std::string &option = words.option;
  if (option == "-s")
    a.options.size = words.number();
  else if (option == "-i")
    a.max_cycles = words.number();
  else if (option == "-r")
    a.options.regions = words.number();
  else if (option == "-b")
    a.options.balance = words.number();
  else if (option == "-c")
    a.options.cost = words.number();
  else if (option == "-p")
    a.each_cycle = true;
  else if (option == "-q")
    a.quiet = true;
  else
    return false;
  return true;
}

/// The same for the further options of the parallel programs.
bool read_further(Application &a, Words &words) {
  const std::string &option = words.option;
  if (option == "--verify")
    a.verify = true;
  else if (option == "--time-only")
    a.time_only = true;
  else if (option == "--gradient")
    a.gradient = true;
  else if (option == "--start")
    a.start = words.number();
  else if (option == "--repetitions")
    a.repetitions = words.number();
  else if (option == "--json")
    a.json = words.value();
  else
    return false;
  return true;
}

/// The same for options of the benchmarks that leave nothing to choose here.
bool read_fixed(Words &words) {
  const std::string &option = words.option;
  if (option == "--no-memory")
    return true;
  const char *const only = option == "--kernel"    ? "recorded"
                           : option == "--variant" ? "restrict"
                           : option == "--require" || option == "--column"
                               ? "gradient"
                               : nullptr;
  if (!only)
    return false;
  if (words.value() != only)
    throw std::invalid_argument(option + " can be " + only + " only");
  return true;
}

void apply_size(Application &a, const std::string &text,
                const std::vector<std::pair<std::string, Dims>> &sizes) {
  Dims dims;
  for (const auto &[name, values] : sizes)
    if (name == text)
      dims = values;
  if (dims.entries().empty())
    dims = Dims::parse(text);
  a.size = text;
  a.options.size = static_cast<int>(dims.at("s"));
  a.max_cycles = static_cast<int>(dims.at("cycles"));
  a.start = static_cast<int>(dims.get("start", 0));
  a.gradient = a.verify = true;
}

[[noreturn]] void unknown(const std::string &option) {
  throw std::invalid_argument("unknown option " + option);
}

} // namespace

Application parse_original(int argc, char **argv) {
  Application a;
  for (Words words(argc, argv); words.next();)
    if (!read_original(a, words))
      unknown(words.option);
  return a;
}

Application
parse_parallel(int argc, char **argv,
               const std::vector<std::pair<std::string, Dims>> &sizes) {
  Application a;
  for (Words words(argc, argv); words.next();)
    if (words.option == "--size")
      apply_size(a, words.value(), sizes);
    else if (!read_original(a, words) && !read_further(a, words) &&
             !read_fixed(words))
      unknown(words.option);
  a.verify &= !a.time_only;
  return a;
}

void print_report(const Application &a, const Mesh &mesh, const State &state,
                  int ranks, double seconds) {
  if (a.quiet)
    return;
  const Asymmetry symmetry = asymmetry_of(state.e, mesh.nx);
  const double zones = static_cast<double>(mesh.n_elem) * state.cycle;
  const double grind = 1e6 * seconds / zones;
  std::printf("Run completed:\n"
              "  Problem size        = %d\n"
              "  MPI tasks           = %d\n"
              "  Iteration count     = %d\n"
              "  Final origin energy = %12.6e\n"
              "  Testing plane 0 of the energies on rank 0:\n"
              "    MaxAbsDiff   = %12.6e\n"
              "    TotalAbsDiff = %12.6e\n"
              "    MaxRelDiff   = %12.6e\n"
              "Elapsed time         = %10.3g s\n"
              "Grind time (us/z/c)  = %10.8g (per rank) %10.8g (overall)\n"
              "FOM                  = %10.8g (z/s)\n",
              mesh.nx, ranks, state.cycle, state.e[0], symmetry.largest,
              symmetry.total, symmetry.largest_relative, seconds, grind,
              grind / ranks, 1000.0 / (grind / ranks));
}

int run_application(int argc, char **argv, Primal *primal) {
  if (std::strcmp(argv[1], "-h") == 0) {
    print_help();
    return 0;
  }
  try {
    const Application a = parse_original(argc, argv);
    Problem problem(a.options);
    StateMemory state = problem.initial();
    const auto start = std::chrono::steady_clock::now();
    if (a.each_cycle) {
      int before = -1;
      while (state->cycle != before && state->cycle < a.max_cycles) {
        before = state->cycle;
        problem.mesh.max_cycles = before + 1;
        primal(&problem.mesh, state.get());
        if (state->cycle != before)
          std::printf("cycle = %d, time = %e, dt = %e\n", state->cycle,
                      state->time, state->dt);
      }
    } else {
      problem.mesh.max_cycles = a.max_cycles;
      primal(&problem.mesh, state.get());
    }
    const std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;
    print_report(a, problem.mesh, *state, 1, seconds.count());
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
  return 0;
}

} // namespace suites::lulesh
