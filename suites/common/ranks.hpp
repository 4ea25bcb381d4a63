// A benchmark whose columns run on all ranks of MPI.
//
// The first rank is the benchmark as any other: command line, verification,
// timing, report. The others wait, and whenever the first one runs a column,
// they build the same instance and run the column, too. A result is what the
// first rank has; what is no column (objective, references) runs there alone.
#pragma once

#include "benchmark.hpp"

namespace retro::suite {

#ifdef RETRO_SUITE_MPI
/// retro::suite::main on all ranks. Peak memory is not measured.
int main_on_ranks(int argc, char **argv, Benchmark benchmark);
#else
inline int main_on_ranks(int argc, char **argv, const Benchmark &benchmark) {
  return main(argc, argv, benchmark);
}
#endif

} // namespace retro::suite
