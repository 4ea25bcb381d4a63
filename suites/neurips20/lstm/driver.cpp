#include "build_info.h"
#include "common/rng.hpp"
#include "reference.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

using namespace retro::suite;

using Primal = void(int, int, int, const double *, const double *, double *,
                    const double *, double *);
using Gradient = void(int, int, int, const double *, double *, const double *,
                      double *, double *, double *, const double *);
RETRO_DECLARE(Primal, primal, lstm)
RETRO_DECLARE_GRADIENTS(Gradient, lstm_gradient)

namespace {

/// Parameters are flattened as [main | extra].
class Lstm : public Instance {
public:
  explicit Lstm(const Setting &setting) : setting(setting) {
    if (setting.input.empty())
      generate();
    else
      read(setting.input);
    gradient.resize(parameters.size());
    state = initial_state;
    stateb.resize(state.size());
  }

  std::vector<Column> columns() override {
    const auto restore = [this] { state = initial_state; };
    std::vector<Column> all{{"primal", restore,
                             [this] {
                               primal(l, c, b, parameters.data(), extra(),
                                      state.data(), sequence.data(), &loss);
                             },
                             [this] { return std::vector{loss}; }}};
    for (auto [name, f] : RETRO_GRADIENTS(lstm_gradient, setting.variant))
      all.push_back({name, restore, [this, f = f] { run(f); },
                     [this] { return gradient; }});
    return all;
  }

  std::vector<double> point() const override { return parameters; }

  double objective(const std::vector<double> &p) override {
    std::vector<double> scratch = initial_state;
    double result = 0;
    primal(l, c, b, p.data(), p.data() + 8 * l * b, scratch.data(),
           sequence.data(), &result);
    return result;
  }

  std::vector<Reference> references() const override {
    return setting.seed == 1 && setting.input.empty()
               ? lstm::references(setting.dims)
               : std::vector<Reference>{};
  }

private:
  void set_sizes(long long layers, long long length, long long bits) {
    l = static_cast<int>(layers);
    c = static_cast<int>(length);
    b = static_cast<int>(bits);
    if (l < 1 || c < 2 || b < 1)
      throw std::invalid_argument("lstm: needs l > 0, c > 1 and b > 0");
    parameters.resize(8 * std::size_t(l) * b + 3 * std::size_t(b));
    initial_state.resize(2 * std::size_t(l) * b);
    sequence.resize(std::size_t(c) * b);
  }

  void generate() {
    set_sizes(setting.dims.at("l"), setting.dims.at("c"),
              setting.dims.get("b", 14));
    Rng rng(setting.seed);
    for (double &p : parameters)
      p = rng.uniform();
    for (double &s : initial_state)
      s = rng.uniform();
    for (double &bit : sequence)
      bit = rng.uniform() < 0.5 ? 0 : 1;
  }

  /// The text format of ADBench.
  void read(const std::string &path) {
    std::ifstream in(path);
    long long layers = 0, length = 0, bits = 0;
    in >> layers >> length >> bits;
    set_sizes(layers, length, bits);
    for (auto *part : {&parameters, &initial_state, &sequence})
      for (double &number : *part)
        in >> number;
    if (!in)
      throw std::invalid_argument(path + ": too few numbers");
  }

  const double *extra() const { return parameters.data() + 8 * l * b; }

  void run(Gradient *f) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    std::fill(stateb.begin(), stateb.end(), 0.0);
    f(l, c, b, parameters.data(), gradient.data(), extra(),
      gradient.data() + 8 * l * b, state.data(), stateb.data(),
      sequence.data());
  }

  Setting setting;
  int l = 0, c = 0, b = 0;
  double loss = 0;
  std::vector<double> parameters, gradient, initial_state, state, stateb,
      sequence;
  Primal *primal = RETRO_LINKED(primal, lstm)[setting.variant];
};

} // namespace

int main(int argc, char **argv) {
  return retro::suite::main(
      argc, argv,
      {RETRO_BUILD_INFO,
       RETRO_KERNELS,
       {"l=2,c=6,b=5", "l=2,c=32,b=14"},
       [](const Setting &setting) { return std::make_unique<Lstm>(setting); }});
}
