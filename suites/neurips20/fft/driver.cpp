#include "build_info.h"
#include "common/benchmark.hpp"
#include "common/rng.hpp"

#include <algorithm>
#include <stdexcept>

using namespace retro::suite;

using Primal = void(double *, int);
using Gradient = void(double *, double *, int);
RETRO_DECLARE(Primal, primal, fft_roundtrip)
RETRO_DECLARE(Primal, primal, fft_forward)
RETRO_DECLARE_GRADIENTS(Gradient, fft_roundtrip_gradient)
RETRO_DECLARE_GRADIENTS(Gradient, fft_roundtrip_dupnoneed_gradient)
RETRO_DECLARE_GRADIENTS(Gradient, fft_forward_gradient)

namespace {

class Fft : public Instance {
public:
  explicit Fft(const Setting &setting)
      : setting(setting), n(static_cast<int>(setting.dims.at("n"))),
        roundtrip(setting.kernel != "forward") {
    if (n < 1 || (n & (n - 1)))
      throw std::invalid_argument("fft: n must be a power of two");
    Rng rng(setting.seed);
    x = rng.uniforms(2 * std::size_t(n), -1, 1);
    seed = rng.uniforms(x.size(), -1, 1);
    data = x;
    adjoint = seed;
    primal = roundtrip ? RETRO_LINKED(primal, fft_roundtrip)[setting.variant]
                       : RETRO_LINKED(primal, fft_forward)[setting.variant];
  }

  std::vector<Column> columns() override {
    const auto restore = [this] {
      std::copy(x.begin(), x.end(), data.begin());
      std::copy(seed.begin(), seed.end(), adjoint.begin());
    };
    std::vector<Column> all{{"primal", restore,
                             [this] { primal(data.data(), n); },
                             [this] { return data; }}};
    const auto linked =
        setting.kernel == "roundtrip"
            ? RETRO_GRADIENTS(fft_roundtrip_gradient, setting.variant)
        : roundtrip
            ? RETRO_GRADIENTS(fft_roundtrip_dupnoneed_gradient, setting.variant)
            : RETRO_GRADIENTS(fft_forward_gradient, setting.variant);
    for (auto [name, f] : linked)
      all.push_back({name, restore,
                     [this, f = f] { f(data.data(), adjoint.data(), n); },
                     [this] { return adjoint; }});
    return all;
  }

  std::vector<double> point() const override { return x; }

  double objective(const std::vector<double> &at) override {
    std::vector<double> out = at;
    primal(out.data(), n);
    double sum = 0;
    for (std::size_t i = 0; i < out.size(); ++i)
      sum += seed[i] * out[i];
    return sum;
  }

  /// Section 14 of the specification for n = 16; at any size the round trip is
  /// the identity, up to the accuracy of its twiddles.
  std::vector<Reference> references() const override {
    std::vector<Reference> all;
    if (roundtrip) {
      const double accuracy = 1e-6;
      const std::size_t last = x.size() - 1;
      all = {{false, "identity, x[0]", pick::at(0), x[0], accuracy},
             {false, "identity, |x|", pick::norm(), pick::norm()(x), accuracy},
             {true, "seed[0]", pick::at(0), seed[0], accuracy},
             {true, "seed[last]", pick::at(last), seed[last], accuracy},
             {true, "|seed|", pick::norm(), pick::norm()(seed), accuracy}};
    }
    if (setting.seed != 1 || n != 16)
      return all;
    if (roundtrip)
      return {{true, "g[0]", pick::at(0), -0.205661486670528, 1e-11},
              {true, "g[31]", pick::at(31), 0.0681329822402774, 1e-11},
              {true, "norm", pick::norm(), 3.20911423051918, 1e-11}};
    return {{false, "|X|", pick::norm(), 12.2670457775051, 1e-11},
            {false, "X[0]", pick::at(0), -0.454713329241308, 1e-11},
            {false, "X[1]", pick::at(1), 1.64569443128948, 1e-11},
            {false, "X[2]", pick::at(2), 2.68236974943886, 1e-11},
            {false, "X[31]", pick::at(31), 3.54762995473594, 1e-11},
            {true, "norm", pick::norm(), 12.8364569220767, 1e-11},
            {true, "g[0]", pick::at(0), 2.12601609738316, 1e-11},
            {true, "g[1]", pick::at(1), 0.908374909375480, 1e-11},
            {true, "g[31]", pick::at(31), -0.655808621749659, 1e-11}};
  }

private:
  Setting setting;
  int n;
  bool roundtrip;
  std::vector<double> x, seed, data, adjoint;
  Primal *primal;
};

} // namespace

int main(int argc, char **argv) {
  return retro::suite::main(
      argc, argv,
      {RETRO_BUILD_INFO, RETRO_KERNELS, {"n=16"}, [](const Setting &setting) {
         return std::make_unique<Fft>(setting);
       }});
}
