//===- driver.cpp - LULESH: the benchmark's main program ------------------===//
#include "../common/benchmark.hpp"
#include "../common/checkpoint.hpp"
#include "application.h"
#include "build_info.h"
#include "fields.h"
#include "observe.h"
#include "problem.h"
#include "reference.h"

#include <cmath>
#include <random>
#include <stdexcept>

namespace suites::lulesh {

RETRO_DECLARE(Primal, primal, lulesh)
RETRO_DECLARE_GRADIENTS(Gradient, lulesh)
RETRO_DECLARE(Tangent, gradient, lulesh_tangent)

namespace {

using retro::suite::Column;
using retro::suite::Dims;
using retro::suite::Reference;
using retro::suite::Setting;
namespace pick = retro::suite::pick;
using Values = std::vector<double>;

/// What the objective is, and whether the time steps depend on the state.
struct Kernel {
  bool recorded; ///< steps are those of a run before, and constant
  enum { origin, total, weighted } objective;
};

Kernel kernel_of(const std::string &name) {
  if (name == "origin")
    return {false, Kernel::origin};
  if (name == "total")
    return {false, Kernel::total};
  if (name == "recorded-origin")
    return {true, Kernel::origin};
  return {true, Kernel::weighted};
}

Options options_of(const Dims &dims) {
  Options o;
  o.size = static_cast<int>(dims.at("s"));
  o.regions = static_cast<int>(dims.get("regions", o.regions));
  o.balance = static_cast<int>(dims.get("balance", o.balance));
  o.cost = static_cast<int>(dims.get("cost", o.cost));
  return o;
}

/// `start` cycles that are not differentiated, then `cycles` (default: all)
/// that are. Results and gradients are flattened in the order of `fields`.
class Lulesh : public retro::suite::Instance {
public:
  explicit Lulesh(const Setting &setting)
      : kernel(kernel_of(setting.kernel)), problem(options_of(setting.dims)),
        start(static_cast<int>(setting.dims.get("start", 0))),
        asked(static_cast<int>(setting.dims.get("cycles", 0))),
        snapshots(static_cast<int>(setting.dims.get("snapshots", 0))),
        variant(setting.variant), first(problem.initial()), work(first),
        shadow(first) {
    if (start < 0 || asked < 0 || snapshots < 0)
      throw std::invalid_argument("lulesh: start, cycles or snapshots below 0");
    run_to(start, first);
    record();
    problem.mesh.max_cycles = final_cycle;
    problem.mesh.schedule = kernel.recorded ? schedule.data() : nullptr;
  }

  std::vector<Column> columns() override {
    std::vector<Column> all{{"primal", [this] { work = first; },
                             [this] { primal(&problem.mesh, work.get()); },
                             [this] { return outputs(*work); }}};
    for (const auto &[name, gradient] : RETRO_GRADIENTS(lulesh, variant))
      all.push_back({name, [this] { work = first; },
                     [this, gradient = gradient] {
                       seed(shadow);
                       run_gradient(gradient);
                     },
                     [this] { return layout.flatten(*shadow); }});
    return all;
  }

  std::vector<double> point() const override {
    return Values(start == 0        ? 1
                  : kernel.recorded ? layout.size()
                                    : problem.mesh.nx + 1,
                  1.0);
  }

  double objective(const Values &factors) override {
    StateMemory s = scaled(factors);
    primal(&problem.mesh, s.get());
    return objective_of(*s);
  }

  Values gradient_of_objective(const Values &g) override {
    if (start > 0 && kernel.recorded) {
      Values result = layout.flatten(*first);
      for (int f = 0; f < n_fields; ++f)
        for (int i = layout.offset(f); i < layout.offset(f) + layout.length(f);
             ++i)
          result[i] *= unit(f) * g[i];
      return result;
    }
    Values result(point().size());
    result[0] = first->e[0] * g[0];
    if (start == 0)
      return result;
    for_each_coordinate([&](int plane, int field, int n) {
      result[plane] += unit(field) * (*first.*fields[field])[n] *
                       g[layout.offset(field) + n];
    });
    return result;
  }

  std::vector<Reference> references() const override;

private:
  /// What differences step in, in proportion to a field: positions move by
  /// less than an element.
  double unit(int field) const {
    return is_position(field) ? 1.0 / problem.mesh.nx : 1.0;
  }

  /// The final state and what is published of it.
  Values outputs(const State &s) const {
    Values all = layout.flatten(s);
    for (const double v :
         {double(s.cycle), s.time, s.dt, s.dtcourant, s.dthydro,
          total_energy(problem.mesh, s), kinetic_energy(problem.mesh, s)})
      all.push_back(v);
    return all;
  }

  double weight(int element) const {
    switch (kernel.objective) {
    case Kernel::origin:
      return element == 0 ? 1.0 : 0.0;
    case Kernel::total:
      return 1.0;
    default:
      return 1.0 + 0.5 * std::sin(element);
    }
  }
  double objective_of(const State &s) const {
    long double sum = 0; // its rounding must not show in differences
    for (int i = 0; i < problem.mesh.n_elem; ++i)
      sum += weight(i) * s.e[i];
    return static_cast<double>(sum);
  }
  void seed(StateMemory &adjoint) const {
    adjoint.clear();
    for (int i = 0; i < problem.mesh.n_elem; ++i)
      adjoint->e[i] = weight(i);
  }

  /// Calls f(parameter, field, node) for every coordinate; parameters 1..nx
  /// scale the planes of nodes 1..nx of all three axes alike.
  template <class F> void for_each_coordinate(F f) const {
    const int nx = problem.mesh.nx;
    for (int k = 0; k <= nx; ++k)
      for (int j = 0; j <= nx; ++j)
        for (int i = 0; i <= nx; ++i) {
          const int at[3] = {i, j, k};
          for (int d = 0; d < 3; ++d)
            if (at[d] > 0)
              f(at[d], 5 + d, problem.node(i, j, k));
        }
  }

  /// The first state, its fields multiplied: by a factor each where the steps
  /// are recorded. Where they are not, only the origin's energy and the planes
  /// of nodes, alike on all axes: several elements tie for the least step, and
  /// along any other direction the objective has a kink. At time 0 only the
  /// origin's energy: all volumes are exactly where they are rounded to 1.
  StateMemory scaled(const Values &factors) const {
    StateMemory s = first;
    if (start > 0 && kernel.recorded) {
      for (int f = 0; f < n_fields; ++f)
        for (int i = 0; i < layout.length(f); ++i)
          (s.get()->*fields[f])[i] *=
              1 + (factors[layout.offset(f) + i] - 1) * unit(f);
      return s;
    }
    s->e[0] *= factors[0];
    if (start == 0)
      return s;
    for_each_coordinate([&](int plane, int field, int n) {
      (s.get()->*fields[field])[n] *= 1 + (factors[plane] - 1) * unit(field);
    });
    return s;
  }

  void run_to(int cycle, StateMemory &s) {
    problem.mesh.max_cycles = cycle;
    primal(&problem.mesh, s.get());
  }

  /// What a cycle takes from the one before.
  struct Snapshot {
    Values fields;
    double dtcourant, dthydro, dt, time;
    int cycle;
  };
  Snapshot save() const {
    return {layout.flatten(*work),
            work->dtcourant,
            work->dthydro,
            work->dt,
            work->time,
            work->cycle};
  }
  void restore(const Snapshot &s) {
    layout.unflatten(s.fields, *work.get());
    work->dtcourant = s.dtcourant;
    work->dthydro = s.dthydro;
    work->dt = s.dt;
    work->time = s.time;
    work->cycle = s.cycle;
  }

  /// Of the whole loop at once, or (snapshots > 0) cycle by cycle between
  /// snapshots, so that the tape is that of one cycle.
  void run_gradient(Gradient *gradient) {
    if (snapshots == 0) {
      gradient(&problem.mesh, work.get(), shadow.get());
      return;
    }
    retro::suite::Checkpointing loop(
        [this] { return save(); }, [this](const Snapshot &s) { restore(s); },
        [this](int cycle) { run_to(start + cycle + 1, work); },
        [this, gradient](int cycle) {
          problem.mesh.max_cycles = start + cycle + 1;
          gradient(&problem.mesh, work.get(), shadow.get());
        });
    loop.run(final_cycle - start, snapshots);
    problem.mesh.max_cycles = final_cycle;
  }

  /// The gradient with the tape of the whole loop; for comparison.
  Values whole_gradient() const {
    StateMemory s = first, adjoint = first;
    seed(adjoint);
    RETRO_LINKED(gradient, lulesh)
    [variant](&problem.mesh, s.get(), adjoint.get());
    return layout.flatten(*adjoint);
  }

  /// Runs on from the first state, one cycle at a time, and keeps the steps.
  void record() {
    schedule.assign(start, 0.0);
    StateMemory s = first;
    for (int cycle = start; asked == 0 || cycle < start + asked; ++cycle) {
      run_to(cycle + 1, s);
      if (s->cycle == cycle)
        break;
      schedule.push_back(s->dt);
    }
    final_cycle = static_cast<int>(schedule.size());
  }

  /// |<gradient, d> - forward derivative along d| of the latter, for random d
  /// in proportion to the fields.
  double dot_product_error(const Values &gradient) const {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    StateMemory s = first, tangent = first;
    tangent.clear();
    double expected = 0;
    for (int f = 0; f < n_fields; ++f)
      for (int i = 0; i < layout.length(f); ++i) {
        const double d = (*first.*fields[f])[i] * uniform(random);
        (tangent.get()->*fields[f])[i] = d;
        expected += gradient[layout.offset(f) + i] * d;
      }
    forward(&problem.mesh, s.get(), tangent.get());
    const double found = objective_of(*tangent);
    return std::fabs(found - expected) / std::fabs(found);
  }

  void add_primal_references(std::vector<Reference> &all) const;
  void add_gradient_references(std::vector<Reference> &all) const;

  Kernel kernel;
  Problem problem;
  Layout layout{problem.mesh.n_elem, problem.mesh.n_node};
  int start, asked, snapshots, final_cycle = 0;
  retro::suite::Variant variant;
  Primal *primal = RETRO_LINKED(primal, lulesh)[variant];
  Tangent *forward = RETRO_LINKED(gradient, lulesh_tangent)[variant];
  StateMemory first, work, shadow;
  Values schedule; ///< by cycle
};

void Lulesh::add_primal_references(std::vector<Reference> &all) const {
  const int size = problem.mesh.nx, end = layout.size();
  const auto add = [&](const char *name, auto value, double expected,
                       double tolerance = 1e-10) {
    all.push_back({false, name, value, expected, tolerance});
  };
  const auto add_energies = [&](const auto &run) {
    add("energy of the origin", pick::at(0), run.origin_energy);
    add("total energy", pick::at(end + 5), run.total_energy);
    add("kinetic energy", pick::at(end + 6), run.kinetic_energy);
  };
  add(
      "symmetry: largest difference",
      [=](const Values &v) { return asymmetry_of(v.data(), size).largest; }, 0,
      1e-8);
  add(
      "symmetry: largest relative difference",
      [=](const Values &v) {
        return asymmetry_of(v.data(), size).largest_relative;
      },
      0, 1e-10);
  for (const FinishedRun &run : finished_runs)
    if (run.size == size && asked == 0) {
      add("iterations", pick::at(end), run.cycles, 0);
      add_energies(run);
      add("Courant limit", pick::at(end + 3), run.courant);
      add("volume limit", pick::at(end + 4), run.hydro);
    }
  for (const CountedRun &run : counted_runs)
    if (run.size == size && asked == 0) {
      add("iterations", pick::at(end), run.cycles, 0);
      add("energy of the origin", pick::at(0), run.origin_energy, 1e-6);
    }
  for (const CountedCycles &run : counted_cycles)
    if (run.size == size && run.cycles == final_cycle) {
      add_energies(run);
      add("time", pick::at(end + 1), run.time);
      add("time step", pick::at(end + 2), run.dt);
    }
}

void Lulesh::add_gradient_references(std::vector<Reference> &all) const {
  const int size = problem.mesh.nx, cycles = final_cycle - start;
  const auto add = [&](const std::string &name, auto value, double expected,
                       double tolerance) {
    all.push_back({true, name, value, expected, tolerance});
  };
  if (forward)
    add(
        "dot product with the forward mode",
        [this](const Values &g) { return dot_product_error(g); }, 0, 1e-12);
  if (snapshots > 0 && cycles <= 100 && RETRO_LINKED(gradient, lulesh)[variant])
    all.push_back(retro::suite::largest_difference(
        "gradient with the tape of the whole loop", whole_gradient(), 1e-14));
  if (!kernel.recorded)
    for (const EnergyDerivative &d : energy_derivatives)
      if (d.size == size && start == 0 && d.cycles == cycles)
        add("d/de of the origin", pick::at(0),
            kernel.objective == Kernel::origin ? d.of_origin : d.of_total,
            1e-8);
  if (!kernel.recorded)
    return;
  for (const DirectionalDerivative &d : directional_derivatives)
    for (int f = 0; f < n_fields; ++f) {
      const bool origin = kernel.objective == Kernel::origin;
      const double expected = origin ? d.origin[f] : d.weighted[f];
      if (d.size != size || d.start != start || d.cycles != cycles ||
          expected == 0)
        continue;
      const auto along = [this, f](const Values &g) {
        double sum = 0;
        for (int i = 0; i < layout.length(f); ++i)
          sum += g[layout.offset(f) + i] * (*first.*fields[f])[i] *
                 std::sin(i + 1.0);
        return sum;
      };
      add(std::string("derivative along ") + field_names[f], along, expected,
          1e-9);
    }
  if (kernel.objective == Kernel::origin)
    for (const PressureDerivative &d : pressure_derivatives)
      if (d.size == size && d.start == start && cycles == 1) {
        for (const auto &entry : d.entries)
          add("d/dp of element " + std::to_string(entry.element),
              pick::at(layout.offset(1) + entry.element), entry.value, 1e-9);
        add("sum of d/dp", pick::sum(layout.offset(1), layout.length(1)), d.sum,
            1e-9);
      }
}

std::vector<Reference> Lulesh::references() const {
  std::vector<Reference> all;
  add_primal_references(all);
  add_gradient_references(all);
  return all;
}

} // namespace
} // namespace suites::lulesh

int main(int argc, char **argv) {
  using namespace suites::lulesh;
  if (is_original(argc, argv))
    return run_application(argc, argv, primal_restrict_lulesh);
  return retro::suite::main(argc, argv,
                            {RETRO_BUILD_INFO,
                             RETRO_KERNELS,
                             {"s=5,cycles=10", "s=5,start=10,cycles=1"},
                             [](const retro::suite::Setting &setting) {
                               return std::make_unique<Lulesh>(setting);
                             }});
}
