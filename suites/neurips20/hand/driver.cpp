#include "build_info.h"
#include "common/rng.hpp"
#include "data.hpp"
#include "reference.h"

#include <algorithm>

using namespace retro::suite;

using Simple = void(const double *, const HandData *, double *);
using Complicated = void(const double *, const double *, const HandData *,
                         double *);
using SimpleVjp = void(const double *, double *, const HandData *, double *,
                       double *);
using ComplicatedVjp = void(const double *, double *, const double *, double *,
                            const HandData *, double *, double *);
RETRO_DECLARE(Simple, primal, hand_simple)
RETRO_DECLARE(Complicated, primal, hand_complicated)
RETRO_DECLARE_GRADIENTS(SimpleVjp, hand_simple_vjp)
RETRO_DECLARE_GRADIENTS(ComplicatedVjp, hand_complicated_vjp)

namespace {

/// Inputs are flattened as [theta | (s, t) pairs], the pairs only in kernel
/// complicated.
class Hand : public Instance {
public:
  explicit Hand(const Setting &setting)
      : setting(setting), complicated(setting.kernel == "complicated"),
        problem(setting.input.empty()
                    ? ::hand::Problem::generate(
                          static_cast<int>(setting.dims.at("nv")),
                          static_cast<int>(setting.dims.at("nc")), setting.seed)
                    : ::hand::Problem::read(setting.input, complicated)),
        data(problem.view()), x(problem.theta) {
    if (complicated)
      x.insert(x.end(), problem.st.begin(), problem.st.end());
    seed = Rng(setting.seed + 1)
               .uniforms(3 * static_cast<std::size_t>(problem.count()), -1, 1);
    residuals.resize(seed.size());
    adjoint.resize(seed.size());
    gradient.resize(x.size());
  }

  std::vector<Column> columns() override {
    std::vector<Column> all{{"primal",
                             {},
                             [this] { evaluate(x, residuals); },
                             [this] { return residuals; }}};
    const auto restore = [this] { adjoint = seed; };
    const auto result = [this] { return gradient; };
    const Variant v = setting.variant;
    if (complicated)
      for (auto [name, f] : RETRO_GRADIENTS(hand_complicated_vjp, v))
        all.push_back({name, restore,
                       [this, f = f] {
                         zero();
                         f(x.data(), gradient.data(), x.data() + 26,
                           gradient.data() + 26, &data, residuals.data(),
                           adjoint.data());
                       },
                       result});
    else
      for (auto [name, f] : RETRO_GRADIENTS(hand_simple_vjp, v))
        all.push_back({name, restore,
                       [this, f = f] {
                         zero();
                         f(x.data(), gradient.data(), &data, residuals.data(),
                           adjoint.data());
                       },
                       result});
    return all;
  }

  std::vector<double> point() const override { return x; }

  double objective(const std::vector<double> &at) override {
    std::vector<double> out(residuals.size());
    evaluate(at, out);
    double sum = 0;
    for (std::size_t i = 0; i < out.size(); ++i)
      sum += seed[i] * out[i];
    return sum;
  }

  std::vector<Reference> references() const override {
    return setting.seed == 1 && setting.input.empty()
               ? ::hand::references(complicated, setting.dims)
               : std::vector<Reference>{};
  }

private:
  void zero() { std::fill(gradient.begin(), gradient.end(), 0.0); }

  void evaluate(const std::vector<double> &at, std::vector<double> &out) {
    const auto simple_primal = RETRO_LINKED(primal, hand_simple);
    const auto complicated_primal = RETRO_LINKED(primal, hand_complicated);
    if (complicated)
      complicated_primal[setting.variant](at.data(), at.data() + 26, &data,
                                          out.data());
    else
      simple_primal[setting.variant](at.data(), &data, out.data());
  }

  Setting setting;
  bool complicated;
  ::hand::Problem problem;
  HandData data;
  std::vector<double> x, seed, residuals, adjoint, gradient;
};

} // namespace

int main(int argc, char **argv) {
  return retro::suite::main(
      argc, argv,
      {RETRO_BUILD_INFO,
       RETRO_KERNELS,
       {"nv=40,nc=24"},
       [](const Setting &setting) { return std::make_unique<Hand>(setting); }});
}
