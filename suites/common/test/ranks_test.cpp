// Ranks other than the first run columns under its conditions. With `warm` or
// `default`, ranks whose heap is another give a gradient that is wrong.
#include "common/ranks.hpp"
#include "common/timing.hpp"

#include <mpi.h>

#include <cstring>
#include <limits>

using namespace retro::suite;

static bool expected_warm;

/// f(x) = x², with a gradient on all ranks.
struct Square : Instance {
  double x = 3, value = 0, g = 0;

  std::vector<Column> columns() override {
    return {{"primal",
             {},
             [this] { value = x * x; },
             [this] { return std::vector{value}; }},
            {"gradient",
             {},
             [this] { differentiate(); },
             [this] { return std::vector{g}; }}};
  }
  void differentiate() {
    const ProcessConditions &here = process_conditions();
    int fits = here.warm_heap == expected_warm && here.flushed_subnormals;
    int all_fit;
    MPI_Allreduce(&fits, &all_fit, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    g = all_fit ? 2 * x : std::numeric_limits<double>::quiet_NaN();
  }
  std::vector<double> point() const override { return {x}; }
  double objective(const std::vector<double> &at) override {
    return at[0] * at[0];
  }
};

int main(int argc, char **argv) {
  expected_warm = std::strcmp(argv[argc - 1], "warm") == 0;
  return main_on_ranks(
      argc - 1, argv,
      {{"test", "square", "one n=1", "one", "", "", "", "", ""},
       {"default"},
       {},
       [](const Setting &) { return std::make_unique<Square>(); }});
}
