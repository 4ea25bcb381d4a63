//===- driver.cpp - LBM: the benchmark's main program ---------------------===//
#include "../common/benchmark.hpp"
#include "build_info.h"
#include "lbm.h"
#include "reference.h"

#include <cmath>
#include <stdexcept>

namespace suites::lbm {

RETRO_DECLARE(Primal<double>, primal, lbm)
RETRO_DECLARE(Primal<float>, primal, lbm_float)
RETRO_DECLARE(Primal<double>, primal, lbm_openmp)
RETRO_DECLARE_GRADIENTS(Gradient<double>, lbm)
RETRO_DECLARE_GRADIENTS(Gradient<double>, lbm_openmp)
RETRO_DECLARE_GRADIENTS(Gradient<double>, lbm_parameters)
RETRO_DECLARE_GRADIENTS(Gradient<float>, lbm_float)

namespace {

using namespace retro::suite;
using Values = std::vector<double>;

template <class Real> struct Functions {
  Primal<Real> *primal;
  std::vector<std::pair<std::string, Gradient<Real> *>> gradients;
};

Box box_of(const Dims &dims) {
  const auto edge = [&](const char *name) {
    const long long n = dims.at(name);
    if (n < 4 || n > 1 << 12)
      throw std::invalid_argument("lbm: nx, ny and nz are from 4 to 4096");
    return static_cast<int>(n);
  };
  return {edge("nx"), edge("ny"), edge("nz")};
}

/// The populations of all cells at the start, flattened without padding, are
/// the inputs, followed by the parameters if those are active. The objective is
/// one population at the end (probe=1), or a weighted sum of those of all cells
/// that are no obstacles.
template <class Real> class Lbm : public Instance {
public:
  Lbm(const Setting &setting, const Functions<Real> &functions)
      : setting(setting), box(box_of(setting.dims)),
        steps(static_cast<int>(setting.dims.at("steps"))),
        probe(setting.dims.get("probe", 0) != 0),
        with_parameters(setting.kernel == "parameters"), functions(functions),
        flags(cavity_flags(box, obstacles_of(setting, box))), a(box), b(box),
        a_shadow(box), b_shadow(box), parameters_shadow(n_parameters) {
    if (steps < 0)
      throw std::invalid_argument("lbm: steps must not be negative");
    published = setting.input.empty() && !setting.dims.get("ellipsoid", 0);
    restart();
  }

  std::vector<Column> columns() override {
    std::vector<Column> all{{"primal", [this] { restart(); },
                             [this] {
                               functions.primal(box, flags.data(), parameters,
                                                steps, a.data(), b.data());
                             },
                             [this] { return pack(box, last(a, b)); }}};
    for (const auto &[name, function] : functions.gradients)
      all.push_back({name, [this] { restart(); },
                     [this, function = function] { differentiate(function); },
                     [this] { return result(); }});
    for (Column &column : all)
      column.parallel = setting.kernel == "openmp";
    return all;
  }

  Values point() const override {
    Grid<Real> start(box);
    set_at_rest(box, start);
    Values x = pack(box, start);
    if (with_parameters)
      x.insert(x.end(), std::begin(parameters), std::end(parameters));
    return x;
  }

  double objective(const Values &x) override {
    Grid<Real> from(box), to(box);
    set_at_rest(box, to);
    unpack(box, x, from);
    Real at[n_parameters];
    for (int p = 0; p < n_parameters; ++p)
      at[p] =
          with_parameters ? static_cast<Real>(x[inputs() + p]) : parameters[p];
    functions.primal(box, flags.data(), at, steps, from.data(), to.data());
    return weighted(pack(box, last(from, to)));
  }

  std::vector<Reference> references() const override;

  double tolerance() const override { return single ? 1e-3 : 1e-10; }
  /// Entries are sums of terms of the size of the largest, which cancel; over
  /// all cells and steps in the parameters'.
  double entry_floor() const override {
    return single ? 1e-2 : with_parameters ? 0.1 : 1e-3;
  }
  double roundoff() const override { return single ? 0x1p-24 : 0x1p-53; }

private:
  static constexpr bool single = sizeof(Real) == sizeof(float);

  static Obstacles obstacles_of(const Setting &setting, const Box &box) {
    if (!setting.input.empty())
      return read_obstacles(box, setting.input);
    return setting.dims.get("ellipsoid", 0) ? ellipsoid(box) : Obstacles();
  }

  std::size_t inputs() const { return populations * box.cells(); }
  std::size_t number(int e, int x, int y, int z) const {
    return e * box.cells() + x +
           std::size_t(box.nx) * (y + std::size_t(box.ny) * z);
  }
  bool solid(std::size_t n) const {
    const std::size_t cell = n % box.cells();
    const int x = cell % box.nx, y = cell / box.nx % box.ny,
              z = cell / box.nx / box.ny;
    return flags[box.index(x, y, z)] & obstacle;
  }

  double fluid_squares(const Values &gradient) const {
    double sum = 0;
    for (std::size_t n = 0; n < inputs(); ++n)
      sum += solid(n) ? 0 : gradient[n] * gradient[n];
    return sum;
  }

  template <class G> G &last(G &first, G &second) const {
    return steps % 2 ? second : first;
  }

  void restart() {
    set_at_rest(box, a);
    set_at_rest(box, b);
  }

  double seed(std::size_t n) const {
    if (probe)
      return n == number(0, 1, 1, 1);
    return solid(n) ? 0 : 1 + 0.5 * std::sin(static_cast<double>(n));
  }

  double weighted(const Values &packed) const {
    long double sum = 0; // its rounding must not show in differences
    for (std::size_t n = 0; n < packed.size(); ++n)
      sum += seed(n) * packed[n];
    return static_cast<double>(sum);
  }

  void differentiate(Gradient<Real> *function) {
    if (seeds.empty())
      for (std::size_t n = 0; n < inputs(); ++n)
        seeds.push_back(seed(n));
    a_shadow.zero();
    b_shadow.zero();
    std::fill(parameters_shadow.begin(), parameters_shadow.end(), Real(0));
    unpack(box, seeds, last(a_shadow, b_shadow));
    function(box, flags.data(), parameters, parameters_shadow.data(), steps,
             a.data(), a_shadow.data(), b.data(), b_shadow.data());
  }

  Values result() {
    Values all = pack(box, a_shadow);
    if (with_parameters)
      all.insert(all.end(), parameters_shadow.begin(), parameters_shadow.end());
    return all;
  }

  void add_state(std::vector<Reference> &, const PublishedState &) const;
  void add_sums(std::vector<Reference> &) const;
  void add_probes(std::vector<Reference> &) const;
  bool is(int nx, int ny, int nz) const {
    return box.nx == nx && box.ny == ny && box.nz == nz;
  }

  const Setting setting;
  const Box box;
  const int steps;
  const bool probe, with_parameters;
  const Functions<Real> functions;
  const std::vector<std::uint8_t> flags;
  const Real parameters[n_parameters] = {Real(1.95), Real(0.005), Real(0.002),
                                         Real(0)};
  Grid<Real> a, b, a_shadow, b_shadow;
  std::vector<Real> parameters_shadow;
  Values seeds;
  bool published;
};

template <class Real>
void Lbm<Real>::add_state(std::vector<Reference> &all,
                          const PublishedState &s) const {
  // Rounding to floats moves densities by 1e-5, velocities by 2e-6.
  const auto add = [&](const char *name, double expected, double absolute,
                       auto value) {
    const double scale = std::fabs(expected) > 0 ? std::fabs(expected) : 1;
    all.push_back({false, name,
                   [this, value](const Values &packed) {
                     return value(packed, statistics(box, flags, packed));
                   },
                   expected, absolute / scale});
  };
  const auto cell = [&](const char *name, double expected, double absolute,
                        int x, int y, int z, auto value) {
    add(name, expected, absolute,
        [=, this](const Values &packed, const Statistics &) {
          return value(moments_of(box, packed, x, y, z));
        });
  };
  const double density = single ? 1e-5 : 1e-12, speed = single ? 2e-6 : 1e-12;
  const double cells = 2744;
  using V = const Values &;
  using S = const Statistics &;
  using M = const Moments &;
  add("min density", s.min_density, density + 5e-10,
      [](V, S t) { return t.min_density; });
  add("max density", s.max_density, density + 5e-9,
      [](V, S t) { return t.max_density; });
  add("mass", 4096, 4096 * (single ? 1e-5 : 1e-13),
      [](V, S t) { return t.mass; });
  add("mass outside obstacles", s.fluid_mass, cells * density,
      [](V, S t) { return t.fluid_mass; });
  add("max speed", s.max_speed, speed + 5e-12,
      [](V, S t) { return t.max_speed; });
  add("sum of ux", s.sum_ux, cells * speed, [](V, S t) { return t.sum_u[0]; });
  add("sum of uy", s.sum_uy, cells * speed, [](V, S t) { return t.sum_u[1]; });
  add("sum of |u|^2", s.sum_u2, cells * speed * 0.01,
      [](V, S t) { return t.sum_u2; });
  add("sum of f^2", s.sum_f2, s.sum_f2 * (single ? 1e-5 : 1e-13),
      [](V, S t) { return t.sum_f2; });
  add("obstacles", 1352, 0, [](V, S t) { return double(t.obstacles); });
  add("accelerated cells", 288, 0,
      [](V, S t) { return double(t.accelerated); });
  cell("density of (8,8,8)", s.centre_density, density, 8, 8, 8,
       [](M m) { return m.density; });
  for (int d = 0; d < 3; ++d) {
    const char *name[] = {"ux of (8,8,8)", "uy of (8,8,8)", "uz of (8,8,8)"};
    cell(name[d], s.centre_u[d], speed, 8, 8, 8, [d](M m) { return m.u[d]; });
  }
  cell("density of (13,2,14)", s.density_13_2_14, density, 13, 2, 14,
       [](M m) { return m.density; });
  cell("ux of (13,2,14)", s.ux_13_2_14, speed, 13, 2, 14,
       [](M m) { return m.u[0]; });
  add("C of (1,1,1)", s.f0_1_1_1, density,
      [n = number(0, 1, 1, 1)](V f, S) { return f[n]; });
  add("NE of (8,8,1)", s.f7_8_8_1, density,
      [n = number(7, 8, 8, 1)](V f, S) { return f[n]; });
}

template <class Real>
void Lbm<Real>::add_probes(std::vector<Reference> &all) const {
  const auto add = [&](const char *name, auto pick, double expected) {
    all.push_back({true, name, pick, expected, single ? 1e-3 : 1e-11});
  };
  for (const PublishedProbe &p : probes)
    if (is(p.n, p.n, p.n) && steps == p.steps)
      add("C of (1,1,1) of itself", pick::at(number(0, 1, 1, 1)), p.derivative);
  if (!is(24, 24, 24) || steps != 20)
    return;
  add("C of (1,1,1) of N", pick::at(number(1, 1, 1, 1)), probe_24_north);
  add("C of (1,1,1) of NE", pick::at(number(7, 1, 1, 1)), probe_24_north_east);
  add(
      "norm outside obstacles",
      [this](const Values &g) { return std::sqrt(fluid_squares(g)); },
      probe_24_norm);
  if (with_parameters) {
    add("of omega", pick::at(inputs() + omega), probe_24_omega);
    add("of the lid's ux", pick::at(inputs() + lid_x), probe_24_lid_x);
    add("of the lid's uy", pick::at(inputs() + lid_y), probe_24_lid_y);
  }
}

template <class Real>
void Lbm<Real>::add_sums(std::vector<Reference> &all) const {
  const auto add = [&](bool of_gradient, const char *name, auto pick,
                       double expected, double tolerance) {
    all.push_back({of_gradient, name, pick, expected, tolerance});
  };
  const double close = single ? 1e-4 : 1e-11;
  for (const PublishedSum &s : sums) {
    if (!is(s.nx, s.ny, s.nz) || steps != s.steps)
      continue;
    add(
        false, "objective", [this](const Values &f) { return weighted(f); },
        s.objective, single ? 1e-5 : 1e-12);
    add(
        true, "projection",
        [this](const Values &g) {
          const Values f = point();
          double sum = 0;
          for (std::size_t n = 0; n < inputs(); ++n)
            if (!solid(n))
              sum += g[n] * f[n] * std::sin(n + 1.0);
          return sum;
        },
        s.projection, close);
    if (with_parameters) {
      // Terms of the size of the objective cancel.
      add(true, "of omega", pick::at(inputs() + omega), s.omega,
          close / std::fmin(1, std::fabs(s.omega)));
      add(true, "of the lid's ux", pick::at(inputs() + lid_x), s.lid_x, close);
      add(true, "of the lid's uy", pick::at(inputs() + lid_y), s.lid_y, close);
    }
  }
  for (const PublishedEntry &e : entries)
    if (is(e.nx, e.ny, e.nz) && steps == e.steps)
      add(true, "entry", pick::at(number(e.population, e.x, e.y, e.z)), e.value,
          close);
  for (const PublishedNorm &p : norms)
    if (is(p.nx, p.ny, p.nz) && steps == p.steps) {
      add(
          true, "norm outside obstacles",
          [this](const Values &g) { return std::sqrt(fluid_squares(g)); },
          p.norm, close);
      add(
          true, "sum outside obstacles",
          [this](const Values &g) {
            double sum = 0;
            for (std::size_t n = 0; n < inputs(); ++n)
              sum += solid(n) ? 0 : g[n];
            return sum;
          },
          p.sum, close);
    }
}

std::unique_ptr<Instance> make(const Setting &setting);

template <class Real> std::vector<Reference> Lbm<Real>::references() const {
  std::vector<Reference> all;
  if (single) {
    Setting exact = setting;
    exact.kernel = "grid";
    all.push_back(largest_difference("hand adjoint in double",
                                     result_of(*make(exact), "hand"), 1e-5));
  }
  if (!published)
    return all;
  if (is(16, 16, 16))
    for (const PublishedState &s : states_16)
      if (steps == s.steps)
        add_state(all, s);
  if (probe)
    add_probes(all);
  else
    add_sums(all);
  return all;
}

std::unique_ptr<Instance> make(const Setting &setting) {
  const Variant v = setting.variant;
  if (setting.kernel == "float")
    return std::make_unique<Lbm<float>>(
        setting, Functions<float>{RETRO_LINKED(primal, lbm_float)[v],
                                  RETRO_GRADIENTS(lbm_float, v)});
  if (setting.kernel == "openmp") {
    Functions<double> parallel{RETRO_LINKED(primal, lbm_openmp)[v],
                               RETRO_GRADIENTS(lbm_openmp, v)};
    parallel.gradients.emplace_back("hand", RETRO_LINKED(hand, lbm)[v]);
    return std::make_unique<Lbm<double>>(setting, parallel);
  }
  return std::make_unique<Lbm<double>>(
      setting, Functions<double>{RETRO_LINKED(primal, lbm)[v],
                                 setting.kernel == "parameters"
                                     ? RETRO_GRADIENTS(lbm_parameters, v)
                                     : RETRO_GRADIENTS(lbm, v)});
}

} // namespace
} // namespace suites::lbm

int main(int argc, char **argv) {
  return retro::suite::main(argc, argv,
                            {RETRO_BUILD_INFO,
                             RETRO_KERNELS,
                             {"nx=12,ny=10,nz=14,steps=20"},
                             suites::lbm::make});
}
