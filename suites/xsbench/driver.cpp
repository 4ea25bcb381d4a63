//===- driver.cpp - XSBench: the benchmark's main program -----------------===//
#include "addends.h"
#include "build_info.h"
#include "lookup_instance.h"
#include "model.h"
#include "options.h"
#include "reference.h"
#include "xsbench.h"

#include <algorithm>
#include <limits>

namespace suites::xsbench {

RETRO_DECLARE(Primal, primal, xsbench)
RETRO_DECLARE_GRADIENTS(Gradient, xsbench)

namespace {

using retro::suite::Dims;
using retro::suite::Reference;
using retro::suite::Setting;
namespace pick = retro::suite::pick;

using Base = reactor::LookupInstance<Case, Totals, GridPoint>;
constexpr std::size_t fields = sizeof(GridPoint) / sizeof(double);

GridType grid_type_of(const std::string &kernel) {
  return kernel == "unionized" ? GridType::unionized
         : kernel == "nuclide" ? GridType::nuclide
                               : GridType::hash;
}

Size size_of(const Setting &setting) {
  Size size;
  size.n_nuclides = static_cast<int>(setting.dims.at("nuclides"));
  size.n_grid = static_cast<int>(setting.dims.at("points"));
  size.n_bins = static_cast<int>(setting.dims.get("bins", 10000));
  size.grid_type = grid_type_of(setting.kernel);
  size.seed = setting.seed;
  return size;
}

/// One lookup with its brackets: what finite differences hold fixed.
struct FrozenLookup {
  double energy;
  int material;
  std::size_t first_low; ///< into the list of all lower records
};

/// Whether this is the program in which threads or ranks share lookups.
bool is_parallel() {
  return RETRO_BUILD_INFO.benchmark.find('-') != std::string::npos;
}

class XsBench : public Base {
public:
  XsBench(const Setting &setting, std::unique_ptr<Problem> data)
      : Base({RETRO_LINKED(primal, xsbench)[setting.variant],
              RETRO_LINKED(hand, xsbench)[setting.variant],
              RETRO_GRADIENTS(xsbench, setting.variant)},
             data->with(reactor::work_of(setting.dims)), data->grid.size(),
             setting.dims.get("weights", 0)
                 ? std::vector<double>{1, 2, 3, 4, 5}
                 : std::vector<double>{1, 0, 0, 0, 0}),
        problem(std::move(data)) {
    parallel = is_parallel();
  }

  /// The grid in units that differences can step in: cross sections as they
  /// are, an energy as 1 + its displacement in units of step_unit().
  std::vector<double> point() const override {
    std::vector<double> x = reactor::flatten(problem->grid);
    for (std::size_t i = 0; i < x.size(); i += fields)
      x[i] = 1.0;
    return x;
  }

  double objective(const std::vector<double> &x) override {
    std::vector<GridPoint> grid = reactor::unflatten<GridPoint>(x);
    for (std::size_t i = 0; i < grid.size(); ++i)
      grid[i].energy =
          problem->grid[i].energy + (grid[i].energy - 1.0) * step_unit(i);
    freeze();
    long double total = 0; // its rounding must not show in differences
    const Tables &t = *run.tables;
    for (const FrozenLookup &at : lookups) {
      double macro[channels] = {};
      for (int j = 0; j < t.counts[at.material]; ++j)
        add_micro_xs(at.energy, &grid[lows[at.first_low + j]],
                     run.conc[at.material * t.max_nuclides + j], macro);
      total += weighted(macro);
    }
    return static_cast<double>(total);
  }

  std::vector<double>
  gradient_of_objective(const std::vector<double> &result) override {
    std::vector<double> scaled = result;
    for (std::size_t i = 0; i < scaled.size(); i += fields)
      scaled[i] *= step_unit(i / fields);
    return scaled;
  }

  std::vector<Reference> references() const override;

private:
  bool strict() const override { return run.work.lookups() <= 1000; }

  void add_addends(GridPoint *scale) const override {
    Totals unused;
    gradient_addends(run, weights.data(), scale, &unused);
  }

  /// The gap between an energy and its nearest neighbour, because gaps range
  /// over seven decades; 0 leaves an energy out. That is for gaps so narrow
  /// that differences see the rounding of the energies: below 1e-7, and at the
  /// ends of a nuclide's range, where lookups extrapolate by many gaps, below
  /// 0.1 / n_grid.
  double step_unit(std::size_t record) const {
    const std::vector<GridPoint> &grid = problem->grid;
    const int n = problem->size.n_grid;
    const int k = static_cast<int>(record % n);
    double gap = std::numeric_limits<double>::infinity();
    if (k > 0)
      gap = grid[record].energy - grid[record - 1].energy;
    if (k + 1 < n)
      gap = std::min(gap, grid[record + 1].energy - grid[record].energy);
    const bool at_end = k < 2 || k >= n - 2;
    return gap > (at_end ? 0.1 / n : 1e-7) ? gap : 0;
  }

  /// Records every lookup of the run and the records it reads.
  void freeze() {
    if (!lookups.empty())
      return;
    with_grid_type(run.grid_type, [&]<GridType G>() {
      reactor::visit_lookups<Physics>(run.work, [&](double energy, int material,
                                                    double *macro) {
        const Tables *t = run.tables;
        lookups.push_back({energy, material, lows.size()});
        const std::int64_t row = index_row<G>(energy, t);
        for (int j = 0; j < t->counts[material]; ++j) {
          const int n = t->nuclides[material * t->max_nuclides + j];
          const std::int64_t first = static_cast<std::int64_t>(n) * t->n_grid;
          lows.push_back(static_cast<std::uint32_t>(
              first + lower_point<G>(energy, n, row, t, run.grid + first)));
        }
        macro_xs<G>(energy, material, t, run.conc, run.grid, macro);
      });
    });
  }

  std::unique_ptr<Problem> problem;
  std::vector<FrozenLookup> lookups;
  std::vector<std::uint32_t> lows;
};

std::vector<Reference> XsBench::references() const {
  const Size &size = problem->size;
  const bool history = run.work.order == reactor::Order::history;
  const std::int64_t lookups =
      history ? run.work.lookups_per_particle : run.work.last;
  const std::int64_t particles = history ? run.work.last : 0;
  std::vector<Reference> all;
  add_entrywise(all);
  if (size.seed != 1)
    return all;
  const auto primal = [&](const char *name, auto value, double expected,
                          double tolerance) {
    all.push_back({false, name, value, expected, tolerance});
  };
  const auto gradient = [&](const char *name, auto value, double expected) {
    all.push_back({true, name, value, expected, 1e-10});
  };

  for (const Checksum &c : checksums)
    if (c.n_nuclides == size.n_nuclides && c.n_grid == size.n_grid &&
        c.lookups == lookups && c.particles == particles)
      primal("checksum", pick::at(channels), static_cast<double>(c.value), 0);
  if (history)
    return all;

  const auto objective = [this](const std::vector<double> &result) {
    return weighted(result.data());
  };
  const bool all_channels = weights[1] != 0;
  for (const PublishedGradient &g : gradients)
    if (!all_channels && g.n_nuclides == size.n_nuclides &&
        g.n_grid == size.n_grid && g.lookups == lookups) {
      const std::size_t far = fields * (24ul * size.n_grid + 10);
      primal("objective", objective, g.objective, 1e-12);
      gradient("dJ/dE of record 0", pick::at(0), g.record0_energy);
      gradient("dJ/dtotal of record 0", pick::at(1), g.record0_total);
      gradient("dJ/dE of record 1", pick::at(fields), g.record1_energy);
      gradient("dJ/dtotal of record 1", pick::at(fields + 1), g.record1_total);
      gradient("dJ/dE of a far record", pick::at(far), g.record_far_energy);
      gradient("dJ/dtotal of a far record", pick::at(far + 1),
               g.record_far_total);
      gradient("norm", pick::norm(), g.norm);
      gradient("largest entry",
               reactor::magnitude_at(fields * g.largest_record), g.largest);
    }
  for (const PublishedWeightedGradient &g : weighted_gradients)
    if (all_channels && g.n_nuclides == size.n_nuclides &&
        g.n_grid == size.n_grid && g.lookups == lookups) {
      primal("objective", objective, g.objective, 1e-12);
      gradient("dJ/dE of record 0", pick::at(0), g.record0_energy);
    }
  return all;
}

std::unique_ptr<retro::suite::Instance> make(const Setting &setting) {
  if (is_parallel() &&
      reactor::work_of(setting.dims).order != reactor::Order::event)
    throw std::invalid_argument("lookups are shared in event order only");
  return std::make_unique<XsBench>(setting,
                                   std::make_unique<Problem>(size_of(setting)));
}

} // namespace
} // namespace suites::xsbench

int main(int argc, char **argv) {
  using namespace suites;
  // The original's options and defaults.
  const reactor::OriginalOptions options = {
      .named_sizes = {{"small", "nuclides=68,points=11303"},
                      {"large", "nuclides=355,points=11303"},
                      {"xl", "nuclides=355,points=238847"},
                      {"xxl", "nuclides=355,points=501578"}},
      .default_size = "large",
      .values = {{"-g", "points"}, {"-h", "bins"}},
      .kernel_option = "-G",
      .kernel_flags = {},
      .particles = 500000};
  return reactor::main_with_original_options(
      argc, argv, options,
      {RETRO_BUILD_INFO,
       RETRO_KERNELS,
       {"nuclides=68,points=64,lookups=1000"},
       xsbench::make});
}
