#include "build_info.h"
#include "common/rng.hpp"
#include "reference.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

using namespace retro::suite;

using Primal = void(int, const double *, const double *, const double *, double,
                    double *, double *);
using Gradient = void(int, const double *, double *, const double *, double *,
                      const double *, double *, double, double *, double *,
                      double *, double *);
RETRO_DECLARE(Primal, primal, brusselator)
RETRO_DECLARE_GRADIENTS(Gradient, brusselator_gradient_dup)
RETRO_DECLARE_GRADIENTS(Gradient, brusselator_gradient_dupnoneed)

namespace {

constexpr double time_of_evaluation = 2.1;

/// Inputs are flattened as [u | v | A, B, alpha], outputs as [du | dv].
class Brusselator : public Instance {
public:
  explicit Brusselator(const Setting &setting)
      : setting(setting), n(static_cast<int>(setting.dims.at("N"))),
        evaluations(setting.dims.get("evals", 1)), cells(std::size_t(n) * n) {
    if (n < 2 || evaluations < 1)
      throw std::invalid_argument("brusselator: needs N > 1 and evals > 0");
    x.resize(2 * cells + 3);
    const double h = 1.0 / (n - 1);
    const auto bump = [](double w) { return w * std::sqrt(w); };
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const double at_x = h * i, at_y = h * j;
        x[std::size_t(n) * i + j] = 22 * bump(at_y * (1 - at_y));
        x[cells + std::size_t(n) * i + j] = 27 * bump(at_x * (1 - at_x));
      }
    x[2 * cells] = 3.4;
    x[2 * cells + 1] = 1;
    x[2 * cells + 2] = 10;
    seed = Rng(setting.seed).uniforms(2 * cells, -1, 1);
    gradient.resize(x.size());
    outputs.resize(2 * cells);
    adjoints.resize(2 * cells);
  }

  std::vector<Column> columns() override {
    std::vector<Column> all{{"primal",
                             {},
                             [this] {
                               for (long long e = 0; e < evaluations; ++e)
                                 evaluate(x, outputs);
                             },
                             [this] { return outputs; }}};
    const auto linked =
        setting.kernel == "dup"
            ? RETRO_GRADIENTS(brusselator_gradient_dup, setting.variant)
            : RETRO_GRADIENTS(brusselator_gradient_dupnoneed, setting.variant);
    for (auto [name, f] : linked)
      all.push_back(
          {name, {}, [this, f = f] { run(f); }, [this] { return gradient; }});
    return all;
  }

  std::vector<double> point() const override { return x; }

  double objective(const std::vector<double> &at) override {
    std::vector<double> out(2 * cells);
    evaluate(at, out);
    double sum = 0;
    for (std::size_t i = 0; i < out.size(); ++i)
      sum += seed[i] * out[i];
    return sum;
  }

  /// On a device each parameter's entry is a sum over all cells in another
  /// order, whose rounding grows like the root of their number.
  double tolerance() const override {
    return has_device() ? std::fmax(1e-10, 1e-12 * n) : 1e-10;
  }

  /// Threads add to what cells share in any order.
  double repeat_tolerance() const override {
    return RETRO_BUILD_INFO.benchmark.ends_with("-openmp") ? 1e-12 : 0;
  }

  std::vector<Reference> references() const override {
    return setting.seed == 1 ? brusselator::references(n)
                             : std::vector<Reference>{};
  }

private:
  void evaluate(const std::vector<double> &at, std::vector<double> &out) {
    primal(n, at.data(), at.data() + cells, at.data() + 2 * cells,
           time_of_evaluation, out.data(), out.data() + cells);
  }

  /// The seed is consumed by every evaluation: copying it is part of the
  /// gradient.
  void run(Gradient *f) {
    for (long long e = 0; e < evaluations; ++e) {
      std::copy(seed.begin(), seed.end(), adjoints.begin());
      std::fill(gradient.begin(), gradient.end(), 0.0);
      f(n, x.data(), gradient.data(), x.data() + cells, gradient.data() + cells,
        x.data() + 2 * cells, gradient.data() + 2 * cells, time_of_evaluation,
        outputs.data(), adjoints.data(), outputs.data() + cells,
        adjoints.data() + cells);
    }
  }

  Setting setting;
  int n;
  long long evaluations;
  std::size_t cells;
  std::vector<double> x, seed, gradient, outputs, adjoints;
  Primal *primal = RETRO_LINKED(primal, brusselator)[setting.variant];
};

} // namespace

int main(int argc, char **argv) {
  return retro::suite::main(argc, argv,
                            {RETRO_BUILD_INFO,
                             RETRO_KERNELS,
                             {"N=8", "N=32"},
                             [](const Setting &setting) {
                               return std::make_unique<Brusselator>(setting);
                             }});
}
