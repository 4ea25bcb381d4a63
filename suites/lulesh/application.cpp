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

Application parse_original(int argc, char **argv, bool parallel) {
  Application a;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const auto number = [&] {
      std::size_t used = 0;
      const std::string text = i + 1 < argc ? argv[++i] : "";
      int value = 0;
      try {
        value = std::stoi(text, &used);
      } catch (const std::exception &) {
        used = 0;
      }
      if (used == 0 || used != text.size())
        throw std::invalid_argument("option " + option + " needs a number");
      return value;
    };
    if (option == "-s")
      a.options.size = number();
    else if (option == "-i")
      a.max_cycles = number();
    else if (option == "-r")
      a.options.regions = number();
    else if (option == "-b")
      a.options.balance = number();
    else if (option == "-c")
      a.options.cost = number();
    else if (option == "-p")
      a.each_cycle = true;
    else if (option == "-q")
      a.quiet = true;
    else if (parallel && option == "--verify")
      a.verify = true;
    else if (parallel && option == "--gradient")
      a.gradient = true;
    else if (parallel && option == "--start")
      a.start = number();
    else if (parallel && option == "--repetitions")
      a.repetitions = number();
    else if (parallel && option == "--json" && i + 1 < argc)
      a.json = argv[++i];
    else
      throw std::invalid_argument("unknown option " + option);
  }
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
