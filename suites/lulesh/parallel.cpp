//===- parallel.cpp - LULESH: main program of the parallel models ---------===//
//
// OpenMP, MPI and both. A serial primal and gradient are linked in as well: the
// first rank runs the whole mesh with them and compares.
//
//===----------------------------------------------------------------------===//
#include "../common/options.hpp"
#include "../common/report.hpp"
#include "application.h"
#include "build_info.h"
#include "observe.h"
#include "problem.h"
#include "ranks.h"
#include "reference.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>

namespace suites::lulesh {

RETRO_DECLARE(Primal, primal, lulesh)
RETRO_DECLARE(Primal, primal, lulesh_sum_mass)
RETRO_DECLARE(Gradient, gradient, lulesh)
RETRO_DECLARE(Primal, serial, lulesh)
RETRO_DECLARE(Gradient, serial_gradient, lulesh)

namespace {

using retro::suite::Row;
using retro::verify::judge;
using retro::verify::Verdict;
using Values = std::vector<double>;

/// Where an entry of this rank's fields stands in those of a serial run.
class GlobalPlaces {
public:
  GlobalPlaces(const Options &o)
      : size(o.size), edge(o.ranks_per_edge),
        cube{o.rank % edge, o.rank / edge % edge, o.rank / (edge * edge)} {
    const int whole = size * edge;
    layout = {whole * whole * whole, (whole + 1) * (whole + 1) * (whole + 1)};
  }

  Layout layout; ///< of the serial run

  int place(int field, int i) const {
    const int n = is_elemental(field) ? size : size + 1;
    const int whole = is_elemental(field) ? size * edge : size * edge + 1;
    const int at[3] = {i % n, i / n % n, i / (n * n)};
    return cube[0] * size + at[0] +
           whole * (cube[1] * size + at[1] + whole * (cube[2] * size + at[2]));
  }

  /// Whether no lower rank has the entry too.
  bool owned(int field, int i) const {
    const int n = size + 1;
    const int at[3] = {i % n, i / n % n, i / (n * n)};
    return is_elemental(field) ||
           ((at[0] > 0 || cube[0] == 0) && (at[1] > 0 || cube[1] == 0) &&
            (at[2] > 0 || cube[2] == 0));
  }

private:
  int size, edge, cube[3];
};

/// Largest difference of the entries of each field, relative to the field's
/// largest entry.
double worst_difference(const Layout &layout, const Values &found,
                        const Values &expected, std::string &where) {
  double worst = 0;
  for (int f = 0; f < n_fields; ++f) {
    double largest = 0, difference = 0;
    for (int i = layout.offset(f); i < layout.offset(f) + layout.length(f);
         ++i) {
      largest = std::fmax(largest, std::fabs(expected[i]));
      const double d = std::fabs(found[i] - expected[i]);
      difference = std::isfinite(d) ? std::fmax(difference, d) : HUGE_VAL;
    }
    const double relative = difference > 0 ? difference / largest : 0;
    if (!(relative <= worst)) {
      worst = relative;
      where = std::string("field ") + field_names[f];
    }
  }
  return worst;
}

class Run {
public:
  Run(const Ranks &r, const Application &a)
      : ranks(r), application(a), problem(with_ranks(a.options, r)),
        places(problem.options), state(problem.initial()) {
    if (primal_restrict_lulesh_sum_mass)
      problem.sum_nodal_mass(primal_restrict_lulesh_sum_mass);
    row.suite = "lulesh";
    row.build = RETRO_BUILD_INFO;
    row.benchmark = row.build.benchmark;
    row.kernel = "application";
    row.variant = "restrict";
    row.size = a.size.empty() ? "s" + std::to_string(a.options.size) : a.size;
    row.size_values = {
        {"s", a.options.size},          {"regions", a.options.regions},
        {"balance", a.options.balance}, {"cost", a.options.cost},
        {"ranks", r.count()},           {"threads", Ranks::threads()}};
    row.toggles = retro::suite::applied_toggles();
    if (a.verify && r.is_first()) {
      Options whole = problem.options;
      whole.rank = 0;
      whole.size *= whole.ranks_per_edge;
      whole.ranks_per_edge = 1;
      serial = std::make_unique<Problem>(whole);
    }
  }

  /// The application as the original runs it.
  void simulate() {
    problem.mesh.max_cycles = application.max_cycles;
    const double seconds =
        ranks.time([&] { primal_restrict_lulesh(&problem.mesh, state.get()); });
    row.size_values["cycles"] = state->cycle;
    row.timings.push_back({"primal", {seconds}, 1});
    if (ranks.is_first())
      print_report(application, problem.mesh, *state, ranks.count(), seconds);
    if (application.verify)
      check_simulation();
  }

  /// The gradient of sum_i (1 + sin(i) / 2) e_i after max_cycles cycles from
  /// `start` on with recorded steps, against the serial one; then of the
  /// origin's energy from the beginning, through the time constraints, against
  /// published values.
  void differentiate();

  bool good() const {
    for (const auto &v : row.verdicts)
      if (v.verdict.outcome() != retro::verify::Outcome::Passed)
        return false;
    return true;
  }

  const Row &result() const { return row; }

private:
  static Options with_ranks(Options o, const Ranks &r) {
    o.rank = r.rank();
    o.ranks_per_edge = r.per_edge();
    return o;
  }

  void add(const char *column, Verdict verdict) {
    if (!ranks.is_first())
      return;
    std::printf("  %s\n", retro::verify::format(verdict).c_str());
    const bool passed = verdict.outcome() == retro::verify::Outcome::Passed;
    row.verdicts.push_back({column, row.size, std::move(verdict)});
    const auto found = row.verified.try_emplace(column, true).first;
    found->second = found->second && passed;
  }

  void add_published(const char *column, const char *name, double found,
                     double expected, double tolerance) {
    const double error = std::fabs(found - expected);
    add(column,
        judge(std::string("published ") + name,
              expected == 0 ? error : error / std::fabs(expected), tolerance));
  }

  /// All ranks' fields as those of a serial run: entries that ranks share are
  /// added up, or (not `add_shared`) taken from the lowest rank.
  Values gather(const State &s, bool add_shared) const {
    Values all(places.layout.size(), 0.0);
    for (int f = 0; f < n_fields; ++f)
      for (int i = 0; i < own.length(f); ++i)
        if (add_shared || places.owned(f, i))
          all[places.layout.offset(f) + places.place(f, i)] = (s.*fields[f])[i];
    ranks.sum(all);
    return all;
  }

  void check_simulation();
  void record(int cycles);
  Values parallel_gradient(int cycles, Values &seconds, Values &primal_seconds);
  Values serial_gradient(int cycles);

  const Ranks &ranks;
  Application application;
  Problem problem;
  Layout own{problem.mesh.n_elem, problem.mesh.n_node};
  GlobalPlaces places;
  StateMemory state;
  std::unique_ptr<Problem> serial; ///< of the first rank, the whole mesh
  Values schedule;                 ///< steps by cycle
  Row row;
};

void Run::check_simulation() {
  const int size = problem.mesh.nx * problem.options.ranks_per_edge;
  const Values fields_found = gather(*state, false);
  double kinetic = 0;
  for (int n = 0; n < problem.mesh.n_node; ++n)
    if (places.owned(5, n))
      kinetic += 0.5 * problem.mesh.nodal_mass[n] *
                 (state->xd[n] * state->xd[n] + state->yd[n] * state->yd[n] +
                  state->zd[n] * state->zd[n]);
  kinetic = ranks.sum(kinetic);
  const double total = ranks.sum(total_energy(problem.mesh, *state));
  const double courant = ranks.least(state->dtcourant);
  const double hydro = ranks.least(state->dthydro);
  if (!ranks.is_first())
    return;

  const auto published = [&](const char *name, double found, double expected,
                             double tolerance = 1e-10) {
    add_published("primal", name, found, expected, tolerance);
  };
  const bool finished = state->time >= problem.mesh.stop_time;
  for (const FinishedRun &run : finished_runs)
    if (run.size == size && finished) {
      published("iterations", state->cycle, run.cycles, 0);
      published("energy of the origin", state->e[0], run.origin_energy);
      published("total energy", total, run.total_energy);
      published("kinetic energy", kinetic, run.kinetic_energy);
      published("Courant limit", courant, run.courant);
      published("volume limit", hydro, run.hydro);
    }
  for (const CountedRun &run : counted_runs)
    if (run.size == size && finished) {
      published("iterations", state->cycle, run.cycles, 0);
      published("energy of the origin", state->e[0], run.origin_energy, 1e-6);
    }
  for (const CountedCycles &run : counted_cycles)
    if (run.size == size && run.cycles == state->cycle) {
      published("energy of the origin", state->e[0], run.origin_energy);
      published("total energy", total, run.total_energy);
      published("time", state->time, run.time);
    }
  const Asymmetry symmetry = asymmetry_of(state->e, problem.mesh.nx);
  published("symmetry: largest difference", symmetry.largest, 0, 1e-8);
  published("symmetry: largest relative difference", symmetry.largest_relative,
            0, 1e-10);

  serial->mesh.max_cycles = application.max_cycles;
  StateMemory whole = serial->initial();
  serial_restrict_lulesh(&serial->mesh, whole.get());
  std::string where;
  const double worst = worst_difference(places.layout, fields_found,
                                        places.layout.flatten(*whole), where);
  add("primal", judge("all fields against a serial run", worst, 1e-10, where));
  add("primal", judge("iterations of a serial run",
                      std::abs(state->cycle - whole->cycle), 0));
}

/// The steps of `cycles` cycles of a run, on every rank.
void Run::record(int cycles) {
  StateMemory s = problem.initial();
  problem.mesh.schedule = nullptr;
  schedule.clear();
  for (int cycle = 0; cycle < cycles; ++cycle) {
    problem.mesh.max_cycles = cycle + 1;
    primal_restrict_lulesh(&problem.mesh, s.get());
    schedule.push_back(s->dt);
  }
  ranks.broadcast(schedule);
}

static double weight(int element) { return 1.0 + 0.5 * std::sin(element); }

Values Run::parallel_gradient(int cycles, Values &seconds,
                              Values &primal_seconds) {
  problem.mesh.schedule = schedule.data();
  problem.mesh.max_cycles = application.start;
  StateMemory first = problem.initial();
  primal_restrict_lulesh(&problem.mesh, first.get());
  problem.mesh.max_cycles = cycles;
  StateMemory shadow = first, s = first;
  // The first round is not counted: it finds nothing in caches and heap.
  for (int r = -1; r < application.repetitions; ++r) {
    s = first;
    primal_seconds.push_back(
        ranks.time([&] { primal_restrict_lulesh(&problem.mesh, s.get()); }));
    row.counts["primal"] = ranks.messages();
    s = first;
    shadow.clear();
    for (int i = 0; i < problem.mesh.n_elem; ++i)
      shadow->e[i] = weight(places.place(0, i));
    retro::suite::reset_tape();
    seconds.push_back(ranks.time([&] {
      gradient_restrict_lulesh(&problem.mesh, s.get(), shadow.get());
    }));
    row.counts["gradient"] = ranks.messages();
  }
  primal_seconds.erase(primal_seconds.begin());
  seconds.erase(seconds.begin());
  if (const auto tape = retro::suite::largest_tape())
    row.tape_bytes["gradient"] = static_cast<unsigned long long>(
        ranks.greatest(static_cast<double>(*tape)));
  return gather(*shadow, true);
}

Values Run::serial_gradient(int cycles) {
  serial->mesh.schedule = schedule.data();
  serial->mesh.max_cycles = application.start;
  StateMemory s = serial->initial();
  serial_restrict_lulesh(&serial->mesh, s.get());
  serial->mesh.max_cycles = cycles;
  StateMemory shadow = s;
  shadow.clear();
  for (int i = 0; i < serial->mesh.n_elem; ++i)
    shadow->e[i] = weight(i);
  serial_gradient_restrict_lulesh(&serial->mesh, s.get(), shadow.get());
  return places.layout.flatten(*shadow);
}

void Run::differentiate() {
  if (!gradient_restrict_lulesh)
    throw std::runtime_error("built without a gradient of this model");
  row.kernel = "recorded";
  const int cycles = application.start + application.max_cycles;
  row.size_values["start"] = application.start;
  row.size_values["cycles"] = application.max_cycles;
  record(cycles);
  Values seconds, primal_seconds;
  const Values found = parallel_gradient(cycles, seconds, primal_seconds);
  row.timings = {{"primal", primal_seconds, 1}, {"gradient", seconds, 1}};
  row.results["gradient"] = found;
  if (application.verify && serial && serial_gradient_restrict_lulesh) {
    std::string where;
    const double worst =
        worst_difference(places.layout, found, serial_gradient(cycles), where);
    add("gradient",
        judge("all entries against the serial gradient", worst, 1e-10, where));
  }
  if (!application.verify)
    return;

  problem.mesh.schedule = nullptr;
  problem.mesh.max_cycles = application.max_cycles;
  StateMemory s = problem.initial(), shadow = s;
  shadow.clear();
  if (ranks.is_first())
    shadow->e[0] = 1;
  gradient_restrict_lulesh(&problem.mesh, s.get(), shadow.get());
  const int size = problem.mesh.nx * problem.options.ranks_per_edge;
  for (const EnergyDerivative &d : energy_derivatives)
    if (d.size == size && d.cycles == application.max_cycles)
      add_published("gradient", "d/de of the origin", shadow->e[0], d.of_origin,
                    1e-8);
}

void print_times(const Row &row) {
  double primal = 0;
  for (const retro::suite::Timing &timing : row.timings) {
    const double median = retro::suite::quartiles(timing.runs).median;
    if (timing.column == "primal")
      primal = median;
    std::printf("%-9s %12.6g ms  (%.3g times the primal)\n",
                timing.column.c_str(), 1e3 * median, median / primal);
  }
}

int run(const Ranks &ranks, int argc, char **argv) {
  const Application a = parse_parallel(
      argc, argv, retro::suite::declared_sizes(RETRO_BUILD_INFO));
  Run run(ranks, a);
  if (a.gradient)
    run.differentiate();
  else
    run.simulate();
  if (!ranks.is_first())
    return 0;
  if (a.gradient)
    print_times(run.result());
  if (!a.json.empty()) {
    std::ofstream out(a.json);
    out << nlohmann::json{{"rows", {to_json(run.result())}}}.dump(1) << "\n";
    if (!out.flush())
      throw std::runtime_error("cannot write " + a.json);
  }
  return run.good() ? 0 : 1;
}

} // namespace
} // namespace suites::lulesh

int main(int argc, char **argv) {
  using namespace suites::lulesh;
  const Ranks ranks(argc, argv);
  try {
    return run(ranks, argc, argv);
  } catch (const std::exception &error) {
    if (ranks.is_first())
      std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
