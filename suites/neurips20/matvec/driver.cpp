#include "build_info.h"
#include "common/benchmark.hpp"
#include "common/rng.hpp"

#include <algorithm>

using namespace retro::suite;

using Primal = double(int, const double *, const double *);
using Gradient = void(int, const double *, double *, const double *);
RETRO_DECLARE(Primal, primal, matvec)
RETRO_DECLARE_GRADIENTS(Gradient, matvec_gradient)

namespace {

class Matvec : public Instance {
public:
  explicit Matvec(const Setting &setting)
      : setting(setting), n(static_cast<int>(setting.dims.at("n"))) {
    Rng rng(setting.seed);
    m = rng.uniforms(std::size_t(n) * n, -1, 1);
    v = rng.uniforms(n, -1, 1);
    mb.resize(m.size());
  }

  std::vector<Column> columns() override {
    std::vector<Column> all{{"primal",
                             {},
                             [this] { value = primal(n, m.data(), v.data()); },
                             [this] { return std::vector{value}; }}};
    for (auto [name, f] : RETRO_GRADIENTS(matvec_gradient, setting.variant))
      all.push_back({name,
                     {},
                     [this, f = f] {
                       std::fill(mb.begin(), mb.end(), 0.0);
                       f(n, m.data(), mb.data(), v.data());
                     },
                     [this] { return mb; }});
    return all;
  }

  std::vector<double> point() const override { return m; }
  double objective(const std::vector<double> &x) override {
    return primal(n, x.data(), v.data());
  }

  std::vector<Reference> references() const override {
    if (setting.seed != 1 || n != 6)
      return {};
    return {{false, "f", pick::at(0), 1.98276260722558, 1e-12},
            {true, "norm", pick::norm(), 3.41377200442677, 1e-12},
            {true, "sum", pick::sum(), -3.24915518858036, 1e-12},
            {true, "g[0,0]", pick::at(0), 0.166924539215976, 1e-12},
            {true, "g[5,5]", pick::at(35), -0.334077624608915, 1e-12}};
  }

private:
  Setting setting;
  int n;
  std::vector<double> m, v, mb;
  double value = 0;
  Primal *primal = RETRO_LINKED(primal, matvec)[setting.variant];
};

} // namespace

int main(int argc, char **argv) {
  return retro::suite::main(
      argc, argv,
      {RETRO_BUILD_INFO, RETRO_KERNELS, {"n=6"}, [](const Setting &setting) {
         return std::make_unique<Matvec>(setting);
       }});
}
