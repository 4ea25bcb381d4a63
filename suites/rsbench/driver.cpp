//===- driver.cpp - RSBench: the benchmark's main program -----------------===//
#include "../xsbench/lookup_instance.h"
#include "../xsbench/options.h"
#include "addends.h"
#include "build_info.h"
#include "model.h"
#include "reference.h"
#include "rsbench.h"

namespace suites::rsbench {

RETRO_DECLARE(Primal, primal, rsbench)
RETRO_DECLARE_GRADIENTS(Gradient, rsbench)

namespace {

using retro::suite::Reference;
using retro::suite::Setting;
namespace pick = retro::suite::pick;

using Base = reactor::LookupInstance<Case, Totals, Pole>;

Size size_of(const Setting &setting) {
  Size size;
  size.n_nuclides = static_cast<int>(setting.dims.at("nuclides"));
  size.mean_poles = static_cast<int>(setting.dims.at("poles"));
  size.mean_windows = static_cast<int>(setting.dims.at("windows"));
  size.seed = setting.seed;
  return size;
}

/// Sum over all poles of sign(g) ln(1 + |g|) of one field.
auto slog(int field) {
  return [field](const std::vector<double> &gradient) {
    double sum = 0;
    for (std::size_t i = field; i < gradient.size(); i += fields)
      sum += std::copysign(std::log1p(std::fabs(gradient[i])), gradient[i]);
    return sum;
  };
}

/// Whether this is the program in which threads or ranks share lookups.
bool is_parallel() {
  return RETRO_BUILD_INFO.benchmark.find('-') != std::string::npos;
}

class RsBench : public Base {
public:
  RsBench(const Setting &setting, std::unique_ptr<Problem> data)
      : Base({RETRO_LINKED(primal, rsbench)[setting.variant],
              RETRO_LINKED(hand, rsbench)[setting.variant],
              RETRO_GRADIENTS(rsbench, setting.variant)},
             data->with(reactor::work_of(setting.dims),
                        setting.kernel == "doppler"),
             data->poles.size(),
             setting.dims.get("weights", 0) ? std::vector<double>{1, 2, 3, 4}
                                            : std::vector<double>{1, 0, 0, 0}),
        problem(std::move(data)) {
    parallel = is_parallel();
  }

  std::vector<double> point() const override {
    return reactor::flatten(problem->poles);
  }

  /// The lookups stay those of the unperturbed poles: in history order they
  /// would depend on the poles through comparisons.
  double objective(const std::vector<double> &x) override {
    const std::vector<Pole> poles = reactor::unflatten<Pole>(x);
    long double total = 0; // its rounding must not show in differences
    with_doppler(run.doppler, [&]<bool Doppler>() {
      if (lookups.empty())
        record_lookups<Doppler>();
      for (const reactor::Lookup &at : lookups) {
        double macro[channels];
        macro_xs<Doppler>(at.energy, at.material, run.tables, run.conc,
                          poles.data(), macro);
        total += weighted(macro);
      }
    });
    return static_cast<double>(total);
  }

  std::vector<Reference> references() const override;

private:
  /// With broadening, the terms of the series for w(Z) cancel to as little as
  /// 1e-6 of themselves.
  bool strict() const override {
    return !run.doppler && run.work.lookups() <= 1000;
  }

  void add_addends(Pole *scale) const override {
    Totals unused;
    gradient_addends(run, weights.data(), scale, &unused);
  }

  template <bool Doppler> void record_lookups() {
    reactor::visit_lookups<Physics>(
        run.work, [&](double energy, int material, double *macro) {
          lookups.push_back({energy, material});
          macro_xs<Doppler>(energy, material, run.tables, run.conc, run.poles,
                            macro);
        });
  }

  std::unique_ptr<Problem> problem;
  std::vector<reactor::Lookup> lookups;
};

std::vector<Reference> RsBench::references() const {
  const Size &size = problem->size;
  const bool history = run.work.order == reactor::Order::history;
  const std::int64_t lookups =
      history ? run.work.lookups_per_particle : run.work.last;
  const std::int64_t particles = history ? run.work.last : 0;
  std::vector<Reference> all;
  add_entrywise(all);
  if (size.seed != 1)
    return all;

  for (const Checksum &c : checksums) {
    const std::uint64_t value = run.doppler ? c.doppler : c.cold;
    if (value && c.n_nuclides == size.n_nuclides &&
        c.mean_poles == size.mean_poles &&
        c.mean_windows == size.mean_windows && c.lookups == lookups &&
        c.particles == particles)
      all.push_back({false, "checksum", pick::at(channels),
                     static_cast<double>(value), 0});
  }
  if (history)
    return all;

  for (const PublishedGradient &g : gradients) {
    if (g.n_nuclides != size.n_nuclides || g.mean_poles != size.mean_poles ||
        g.mean_windows != size.mean_windows || g.lookups != lookups ||
        g.doppler != run.doppler || g.all_channels != (weights[1] != 0))
      continue;
    all.push_back({false, "objective",
                   [this](const std::vector<double> &result) {
                     return weighted(result.data());
                   },
                   g.objective, 1e-11});
    const auto gradient = [&](const std::string &name, auto value,
                              double expected, double tolerance) {
      all.push_back({true, name, value, expected, tolerance});
    };
    constexpr const char *names[fields] = {"EA.re", "EA.im", "RT.re", "RT.im",
                                           "RA.re", "RA.im", "RF.re", "RF.im"};
    for (int f = 0; f < fields; ++f)
      gradient(std::string("slog of ") + names[f], slog(f), g.slog[f], 1e-9);
    for (int i = 0; i < 3; ++i)
      for (int f = 0; f < 4 && g.poles[i][f] != 0; ++f)
        gradient(std::string(names[f]) + " of pole " + std::to_string(i),
                 pick::at(i * fields + f), g.poles[i][f], 1e-11);
    const std::size_t largest =
        static_cast<std::size_t>(g.nuclide) * problem->tables.max_poles +
        g.pole;
    gradient("largest entry", reactor::magnitude_at(largest * fields + g.field),
             g.largest, 1e-11);
  }
  return all;
}

std::unique_ptr<retro::suite::Instance> make(const Setting &setting) {
  if (is_parallel() &&
      reactor::work_of(setting.dims).order != reactor::Order::event)
    throw std::invalid_argument("lookups are shared in event order only");
  return std::make_unique<RsBench>(setting,
                                   std::make_unique<Problem>(size_of(setting)));
}

} // namespace
} // namespace suites::rsbench

int main(int argc, char **argv) {
  using namespace suites;
  const reactor::OriginalOptions options = {
      .named_sizes = {{"small", "nuclides=68,poles=1000,windows=100"},
                      {"large", "nuclides=355,poles=1000,windows=100"}},
      .default_size = "large",
      .values = {{"-P", "poles"}, {"-W", "windows"}, {"-n", "nuclides"}},
      .kernel_option = "",
      .kernel_flags = {{"-d", "cold"}},
      .particles = 300000};
  return reactor::main_with_original_options(
      argc, argv, options,
      {RETRO_BUILD_INFO,
       RETRO_KERNELS,
       {"nuclides=68,poles=20,windows=4,lookups=1000"},
       rsbench::make});
}
