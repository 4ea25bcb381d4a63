//===- driver.cpp - DG: the benchmark's main program ----------------------===//
#include "../common/benchmark.hpp"
#include "build_info.h"
#include "dg.h"
#include "reference.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace suites::dg {

RETRO_DECLARE(Primal<double>, primal, dg)
RETRO_DECLARE(Primal<float>, primal, dg_float)
RETRO_DECLARE(Primal<double>, primal, dg_openmp)
RETRO_DECLARE_GRADIENTS(Gradient<double>, dg)
RETRO_DECLARE_GRADIENTS(Gradient<double>, dg_openmp)
RETRO_DECLARE_GRADIENTS(Gradient<float>, dg_float)

namespace {

using namespace retro::suite;
using Values = std::vector<double>;

template <class Real> struct Functions {
  Primal<Real> *primal;
  std::vector<std::pair<std::string, Gradient<Real> *>> gradients;
};

/// All arrays of a problem or of its shadows, one after the other: states,
/// geometry, matrix, right-hand side.
template <class Real> class Storage {
public:
  explicit Storage(std::int64_t elements)
      : starts{0, std::size_t(elements) * state_size,
               std::size_t(elements) * (state_size + geometry_size),
               std::size_t(elements) * (state_size + geometry_size) +
                   matrix_size},
        all(starts[3] + starts[1]) {}

  Arrays<Real> arrays() {
    return {all.data(), all.data() + starts[1], all.data() + starts[2],
            all.data() + starts[3]};
  }
  template <class Source> void assign(int part, const Source &values) {
    std::copy(values.begin(), values.end(), all.begin() + starts[part]);
  }
  void fill(int part, Real value) {
    std::fill(all.begin() + starts[part],
              part == 3 ? all.end() : all.begin() + starts[part + 1], value);
  }
  Values values() const { return Values(all.begin(), all.end()); }
  Values rhs() const { return Values(all.begin() + starts[3], all.end()); }
  std::size_t start(int part) const { return starts[part]; }
  std::size_t size() const { return all.size(); }

private:
  std::size_t starts[4];
  std::vector<Real> all;
};

/// Sum of component `component` of all nodes in an array of `count` components
/// per node which begins at `start`.
double component_sum(const Values &v, std::size_t start, std::int64_t elements,
                     int count, int component, bool squares = false) {
  double sum = 0;
  for (std::int64_t e = 0; e < elements; ++e)
    for (int node = 0; node < nodes; ++node) {
      const double x = v[start + (e * count + component) * nodes + node];
      sum += squares ? x * x : x;
    }
  return sum;
}

constexpr const char *state_names[states] = {"rho", "U", "V", "W", "E"};

/// The objective is the sum of the right-hand side, or its x momentum at the
/// first node (probe=1). Inputs and gradients are the states, the geometry, the
/// matrix, and what the right-hand side was before.
template <class Real> class Dg : public Instance {
public:
  Dg(const Setting &setting, const Functions<Real> &functions)
      : setting(setting), elements(setting.dims.at("elements")),
        original(setting.dims.get("original", 0) != 0),
        probe(setting.dims.get("probe", 0) != 0), functions(functions),
        data(checked(elements)), shadows(elements), seed(elements) {
    const Inputs inputs =
        original ? original_inputs(elements) : hashed_inputs(elements);
    data.assign(0, inputs.q);
    data.assign(1, inputs.geometry);
    data.assign(2, inputs.matrix);
    for (int part = 0; part < 4; ++part)
      seed.fill(part, Real(part == 3 && !probe));
    if (probe)
      seed.arrays().rhs[nodes * mom_x] = 1;
  }

  std::vector<Column> columns() override {
    const auto prepare = [this] { data.fill(3, 0); };
    std::vector<Column> all{
        {"primal", prepare,
         [this] { functions.primal(elements, data.arrays(), gravity); },
         [this] { return data.rhs(); }}};
    for (const auto &[name, function] : functions.gradients)
      all.push_back({name, prepare,
                     [this, function = function] {
                       shadows = seed;
                       function(elements, data.arrays(), shadows.arrays(),
                                gravity);
                     },
                     [this] { return shadows.values(); }});
    for (Column &column : all)
      column.parallel = parallel();
    return all;
  }

  Values point() const override {
    Storage<Real> start = data;
    start.fill(3, 0);
    return start.values();
  }

  double objective(const Values &x) override {
    Storage<Real> at(elements);
    at.assign(0, x);
    functions.primal(elements, at.arrays(), gravity);
    const Values rhs = at.rhs(), weights = seed.rhs();
    long double sum = 0; // its rounding must not show in differences
    for (std::size_t n = 0; n < rhs.size(); ++n)
      sum += weights[n] * rhs[n];
    return static_cast<double>(sum);
  }

  std::vector<Reference> references() const override;

  /// Entries are sums of a few hundred terms, those of the matrix of 625 per
  /// element, which may cancel.
  double tolerance() const override {
    if (single) // those of the matrix are added up in floats
      return 1e-4 * std::fmax(1, double(elements) / 1000);
    return 1e-10;
  }
  double entry_floor() const override { return single ? 1e-2 : 1e-4; }
  /// All elements add to the adjoint of the matrix.
  double repeat_tolerance() const override { return parallel() ? 1e-13 : 0; }
  double roundoff() const override { return single ? 0x1p-24 : 0x1p-53; }

private:
  static constexpr bool single = sizeof(Real) == sizeof(float);
  bool parallel() const { return setting.kernel == "openmp"; }

  static std::int64_t checked(std::int64_t elements) {
    if (elements < 1)
      throw std::invalid_argument("dg: needs elements > 0");
    return elements;
  }

  using Picker = std::function<double(const Values &)>;
  void add(std::vector<Reference> &all, bool of_gradient,
           const std::string &name, Picker pick, double value,
           double tolerance) const {
    all.push_back({of_gradient, name, std::move(pick), value,
                   single ? std::max(tolerance, 1e-4) : tolerance});
  }
  void add_rhs(std::vector<Reference> &, const PublishedRhs &) const;
  void add_probe(std::vector<Reference> &) const;
  void add_sums(std::vector<Reference> &, const PublishedSum &) const;
  void add_projections(std::vector<Reference> &, const double (&)[3]) const;

  /// The sums over all nodes of the gradient's states (part 0, and their
  /// squares) or geometry (part 1).
  Picker sum_of(int part, int component) const {
    return [=, this](const Values &g) {
      return component_sum(g, data.start(part), elements,
                           part == 0 ? int(states) : int(geometries),
                           component);
    };
  }
  Picker norm_of(int component) const {
    return [=, this](const Values &g) {
      return std::sqrt(component_sum(g, 0, elements, states, component, true));
    };
  }

  const Setting setting;
  const std::int64_t elements;
  const bool original, probe;
  const Functions<Real> functions;
  Storage<Real> data, shadows, seed;
};

template <class Real>
void Dg<Real>::add_rhs(std::vector<Reference> &all,
                       const PublishedRhs &p) const {
  for (int s = 0; s < states; ++s) {
    const std::string of = std::string(" of ") + state_names[s];
    const auto value = [&](const char *name, Picker pick, double expected) {
      if (expected != 0)
        add(all, false, name + of, std::move(pick), expected, 2e-12);
    };
    value(
        "sum",
        [=, this](const Values &v) {
          return component_sum(v, 0, elements, states, s);
        },
        p.sum[s]);
    value(
        "norm",
        [=, this](const Values &v) {
          return std::sqrt(component_sum(v, 0, elements, states, s, true));
        },
        p.norm[s]);
    value("node (0,0,0)", pick::at(nodes * s), p.first[s]);
    value("node (1,2,3)", pick::at(nodes * s + 1 + 2 * nq + 3 * nq * nq),
          p.second[s]);
    value("last node",
          pick::at((elements - 1) * state_size + nodes * s + nodes - 1),
          p.last[s]);
  }
}

template <class Real>
void Dg<Real>::add_projections(std::vector<Reference> &all,
                               const double (&expected)[3]) const {
  const char *names[] = {"projection of states", "projection of geometry",
                         "projection of matrix"};
  for (int part = 0; part < 3; ++part) {
    if (expected[part] == 0)
      continue;
    add(
        all, true, names[part],
        [=, this](const Values &g) {
          const Values at = data.values();
          double sum = 0;
          for (std::size_t n = data.start(part); n < data.start(part + 1); ++n)
            sum += g[n] * at[n] * std::sin(n - data.start(part) + 1.0);
          return sum;
        },
        expected[part], 1e-11);
  }
}

template <class Real>
void Dg<Real>::add_probe(std::vector<Reference> &all) const {
  for (const PublishedProbe &p : probes) {
    if (p.original != original || (p.elements && p.elements != elements))
      continue;
    for (int s = 0; s < states; ++s)
      add(all, true, std::string("node 0 of ") + state_names[s],
          pick::at(nodes * s), p.q[s], 1e-11);
    for (int n = 0; n < nq && p.column[0] != 0; ++n)
      add(all, true, "first column of the matrix", pick::at(data.start(2) + n),
          p.column[n], 1e-10);
    add(all, true, "other columns of the matrix",
        pick::norm(data.start(2) + nq, matrix_size - nq), 0, 0);
  }
  if (original)
    return;
  for (int s = 0; s < states; ++s) {
    add(all, true, std::string("sum of ") + state_names[s], sum_of(0, s),
        probe_sum[s], 1e-11);
    add(all, true, std::string("norm of ") + state_names[s], norm_of(s),
        probe_norm[s], 1e-11);
  }
  for (int m = 0; m < geometries; ++m)
    add(all, true, "sum of geometry " + std::to_string(m), sum_of(1, m),
        probe_geometry[m], 1e-10);
  if (elements == 1)
    add_projections(all, probe_projection);
}

template <class Real>
void Dg<Real>::add_sums(std::vector<Reference> &all,
                        const PublishedSum &p) const {
  for (int s = 0; s < states; ++s) {
    add(all, true, std::string("sum of ") + state_names[s], sum_of(0, s),
        p.q_sum[s], 1e-11);
    add(all, true, std::string("norm of ") + state_names[s], norm_of(s),
        p.q_norm[s], 1e-11);
  }
  for (int m = 0; m < geometries; ++m)
    add(all, true, "sum of geometry " + std::to_string(m), sum_of(1, m),
        p.geometry[m], 1e-10);
  const std::size_t matrix = data.start(2);
  add(all, true, "matrix (0,0)", pick::at(matrix), p.matrix_00, 1e-10);
  add(all, true, "matrix (1,0)", pick::at(matrix + 1), p.matrix_10, 1e-10);
  add(all, true, "matrix (4,4)", pick::at(matrix + matrix_size - 1),
      p.matrix_44, 1e-10);
  add_projections(all, p.projection);
}

std::unique_ptr<Instance> make(const Setting &setting);

template <class Real> std::vector<Reference> Dg<Real>::references() const {
  std::vector<Reference> all;
  for (const PublishedRhs &p : right_hand_sides)
    if (p.original == original && p.elements == elements)
      add_rhs(all, p);
  add(
      all, true, "adjoint of the right-hand side is kept",
      [this](const Values &g) {
        const Values expected = seed.rhs();
        return double(!std::equal(expected.begin(), expected.end(),
                                  g.begin() + data.start(3)));
      },
      0, 0);
  if (single) {
    Setting exact = setting;
    exact.kernel = "double";
    all.push_back(largest_difference("hand adjoint in double",
                                     result_of(*make(exact), "hand"),
                                     tolerance()));
  }
  if (probe)
    add_probe(all);
  else if (!original)
    for (const PublishedSum &p : sums)
      if (p.elements == elements)
        add_sums(all, p);
  return all;
}

std::unique_ptr<Instance> make(const Setting &setting) {
  const Variant v = setting.variant;
  if (setting.kernel == "float")
    return std::make_unique<Dg<float>>(
        setting, Functions<float>{RETRO_LINKED(primal, dg_float)[v],
                                  RETRO_GRADIENTS(dg_float, v)});
  if (setting.kernel == "openmp") {
    Functions<double> parallel{RETRO_LINKED(primal, dg_openmp)[v],
                               RETRO_GRADIENTS(dg_openmp, v)};
    parallel.gradients.emplace_back("hand", RETRO_LINKED(hand, dg)[v]);
    return std::make_unique<Dg<double>>(setting, parallel);
  }
  return std::make_unique<Dg<double>>(
      setting,
      Functions<double>{RETRO_LINKED(primal, dg)[v], RETRO_GRADIENTS(dg, v)});
}

} // namespace
} // namespace suites::dg

int main(int argc, char **argv) {
  return retro::suite::main(
      argc, argv,
      {RETRO_BUILD_INFO, RETRO_KERNELS, {"elements=4"}, suites::dg::make});
}
