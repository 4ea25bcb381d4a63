#include "build_info.h"
#include "common/rng.hpp"
#include "reference.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

using namespace retro::suite;

using Primal = void(int, int, int, const double *, const double *,
                    const double *, const double *, double, int, double *);
using Gradient = void(int, int, int, const double *, double *, const double *,
                      double *, const double *, double *, const double *,
                      double, int);
RETRO_DECLARE(Primal, primal, gmm)
RETRO_DECLARE_GRADIENTS(Gradient, gmm_gradient)

namespace {

/// Parameters are flattened as [logits | means | inverse covariance factors].
class Gmm : public Instance {
public:
  explicit Gmm(const Setting &setting) : setting(setting) {
    if (setting.input.empty())
      generate();
    else
      read(setting.input);
    gradient.resize(parameters.size());
  }

  std::vector<Column> columns() override {
    std::vector<Column> all{{"primal",
                             {},
                             [this] { value = objective(parameters); },
                             [this] { return std::vector{value}; }}};
    for (auto [name, f] : RETRO_GRADIENTS(gmm_gradient, setting.variant))
      all.push_back(
          {name, {}, [this, f = f] { run(f); }, [this] { return gradient; }});
    return all;
  }

  std::vector<double> point() const override { return parameters; }

  double objective(const std::vector<double> &p) override {
    double result = 0;
    primal(d, k, n, p.data(), p.data() + k, p.data() + k + k * d, x.data(),
           gamma, m, &result);
    return result;
  }

  std::vector<Reference> references() const override {
    return setting.seed == 1 && setting.input.empty()
               ? gmm::references(setting.dims)
               : std::vector<Reference>{};
  }

private:
  void set_sizes(long long dimension, long long components, long long points) {
    d = static_cast<int>(dimension);
    k = static_cast<int>(components);
    n = static_cast<int>(points);
    if (d < 1 || k < 1 || n < 1)
      throw std::invalid_argument("gmm: d, K and n must be positive");
  }

  void generate() {
    set_sizes(setting.dims.at("d"), setting.dims.at("K"), setting.dims.at("n"));
    gamma = 0.1 * static_cast<double>(setting.dims.get("gamma_tenths", 10));
    m = static_cast<int>(setting.dims.get("m", 0));
    Rng rng(setting.seed);
    const auto append = [&](const std::vector<double> &part) {
      parameters.insert(parameters.end(), part.begin(), part.end());
    };
    append(rng.normals(k));
    append(rng.uniforms(std::size_t(k) * d));
    append(rng.normals(std::size_t(k) * d * (d + 1) / 2));
    x = rng.normals(std::size_t(n) * d);
  }

  /// The text format of ADBench. A file of the replicated family holds one
  /// point only.
  void read(const std::string &path) {
    std::ifstream in(path);
    long long dimension = 0, components = 0, points = 0;
    in >> dimension >> components >> points;
    set_sizes(dimension, components, points);
    parameters.resize(std::size_t(k) * (d + 1) * (d + 2) / 2);
    for (double &p : parameters)
      in >> p;
    if (!in)
      throw std::invalid_argument(path + ": too few parameters");
    std::vector<double> rest;
    for (double number; in >> number;)
      rest.push_back(number);
    const std::size_t all = std::size_t(n) * d, one = d;
    if (rest.size() != all + 2 && rest.size() != one + 2)
      throw std::invalid_argument(path + ": the number of points is wrong");
    m = static_cast<int>(rest.back());
    gamma = rest[rest.size() - 2];
    rest.resize(rest.size() - 2);
    x.resize(all);
    for (std::size_t i = 0; i < all; ++i)
      x[i] = rest[i % rest.size()];
  }

  void run(Gradient *f) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    const double *p = parameters.data();
    double *g = gradient.data();
    const int icf = k + k * d;
    f(d, k, n, p, g, p + k, g + k, p + icf, g + icf, x.data(), gamma, m);
  }

  Setting setting;
  int d = 0, k = 0, n = 0, m = 0;
  double gamma = 1, value = 0;
  std::vector<double> parameters, gradient, x;
  Primal *primal = RETRO_LINKED(primal, gmm)[setting.variant];
};

} // namespace

int main(int argc, char **argv) {
  return retro::suite::main(
      argc, argv,
      {RETRO_BUILD_INFO,
       RETRO_KERNELS,
       {"d=3,K=4,n=20", "d=3,K=4,n=20,m=2,gamma_tenths=17", "d=10,K=5,n=100"},
       [](const Setting &setting) { return std::make_unique<Gmm>(setting); }});
}
