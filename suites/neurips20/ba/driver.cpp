#include "build_info.h"
#include "common/rng.hpp"
#include "reference.h"

#include <fstream>
#include <stdexcept>

using namespace retro::suite;

using Primal = void(int, const double *, const double *, const double *,
                    const int *, const double *, double *);
using Jacobian = void(int, const double *, const double *, const double *,
                      const int *, const double *, double *);
RETRO_DECLARE(Primal, primal, ba)
RETRO_DECLARE_GRADIENTS(Jacobian, ba_jacobian)
RETRO_DECLARE_GRADIENTS(Jacobian, ba_jacobian_vector)

namespace {

/// Inputs are flattened as [cameras | points | weights].
class Ba : public Instance {
  /// The columns of the kernel: a sweep a row, or both in one.
  auto gradients() const {
    return setting.kernel == "vector"
               ? RETRO_GRADIENTS(ba_jacobian_vector, setting.variant)
               : RETRO_GRADIENTS(ba_jacobian, setting.variant);
  }

public:
  explicit Ba(const Setting &setting) : setting(setting) {
    if (setting.input.empty())
      generate();
    else
      read(setting.input);
    residuals.resize(3 * std::size_t(p));
    jacobian.resize(31 * std::size_t(p));
    // Weights of the residuals in objective(), nothing published.
    combination = Rng(2).uniforms(residuals.size(), -1, 1);
  }

  std::vector<Column> columns() override {
    std::vector<Column> all{{"primal",
                             {},
                             [this] { evaluate(x, residuals); },
                             [this] { return residuals; }}};
    for (auto [name, f] : gradients())
      all.push_back({name,
                     {},
                     [this, f = f] {
                       f(p, x.data(), points(x), weights(x),
                         observations.data(), features.data(), jacobian.data());
                     },
                     [this] { return jacobian; }});
    return all;
  }

  std::vector<double> point() const override { return x; }

  double objective(const std::vector<double> &at) override {
    std::vector<double> out(residuals.size());
    evaluate(at, out);
    double sum = 0;
    for (std::size_t i = 0; i < out.size(); ++i)
      sum += combination[i] * out[i];
    return sum;
  }

  std::vector<double>
  gradient_of_objective(const std::vector<double> &rows) override {
    std::vector<double> g(x.size());
    const std::size_t first_point = 11 * std::size_t(n),
                      first_weight = first_point + 3 * std::size_t(m);
    for (std::size_t i = 0; i < std::size_t(p); ++i) {
      for (std::size_t r = 0; r < 2; ++r) {
        const double *row = &rows[30 * i + 15 * r];
        const double c = combination[2 * i + r];
        for (int j = 0; j < 11; ++j)
          g[11 * std::size_t(observations[2 * i]) + j] += c * row[j];
        for (int j = 0; j < 3; ++j)
          g[first_point + 3 * std::size_t(observations[2 * i + 1]) + j] +=
              c * row[11 + j];
        g[first_weight + i] += c * row[14];
      }
      g[first_weight + i] +=
          combination[2 * std::size_t(p) + i] * rows[30 * std::size_t(p) + i];
    }
    return g;
  }

  std::vector<Reference> references() const override {
    return setting.seed == 1 && setting.input.empty()
               ? ba::references(setting.dims)
               : std::vector<Reference>{};
  }

private:
  const double *points(const std::vector<double> &v) const {
    return v.data() + 11 * std::size_t(n);
  }
  const double *weights(const std::vector<double> &v) const {
    return points(v) + 3 * std::size_t(m);
  }

  void evaluate(const std::vector<double> &at, std::vector<double> &out) {
    primal(p, at.data(), points(at), weights(at), observations.data(),
           features.data(), out.data());
  }

  void set_sizes(long long cameras, long long number_of_points,
                 long long number_of_observations) {
    n = static_cast<int>(cameras);
    m = static_cast<int>(number_of_points);
    p = static_cast<int>(number_of_observations);
    if (n < 1 || m < 1 || p < 1)
      throw std::invalid_argument("ba: n, m and p must be positive");
    for (int i = 0; i < p; ++i) {
      observations.push_back(i % n);
      observations.push_back(i % m);
    }
  }

  void generate() {
    set_sizes(setting.dims.at("n"), setting.dims.at("m"), setting.dims.at("p"));
    Rng rng(setting.seed);
    // Bounds of one camera's numbers, in order.
    const std::pair<double, double> bounds[] = {
        {-0.5, 0.5}, {-0.5, 0.5}, {-0.5, 0.5},  {-1, 1},
        {-1, 1},     {-1, 1},     {300, 500},   {-5, 5},
        {-5, 5},     {-0.1, 0.1}, {-0.01, 0.01}};
    for (int i = 0; i < n; ++i) {
      for (const auto &[low, high] : bounds)
        x.push_back(rng.uniform(low, high));
      x[11 * std::size_t(i) + 5] -= 4; // the cameras look at the points
    }
    for (int i = 0; i < 3 * m; ++i)
      x.push_back(rng.uniform(-1, 1));
    for (int i = 0; i < p; ++i)
      x.push_back(rng.uniform());
    features = rng.uniforms(2 * std::size_t(p), -100, 100);
  }

  /// The text format of ADBench: one camera, point, weight and feature,
  /// replicated.
  void read(const std::string &path) {
    std::ifstream in(path);
    long long cameras = 0, number_of_points = 0, number_of_observations = 0;
    in >> cameras >> number_of_points >> number_of_observations;
    double one[17];
    for (double &number : one)
      in >> number;
    if (!in)
      throw std::invalid_argument(path + ": too few numbers");
    set_sizes(cameras, number_of_points, number_of_observations);
    for (int i = 0; i < n; ++i)
      x.insert(x.end(), one, one + 11);
    for (int i = 0; i < m; ++i)
      x.insert(x.end(), one + 11, one + 14);
    x.insert(x.end(), p, one[14]);
    for (int i = 0; i < p; ++i)
      features.insert(features.end(), one + 15, one + 17);
  }

  Setting setting;
  int n = 0, m = 0, p = 0;
  std::vector<int> observations;
  std::vector<double> x, features, residuals, jacobian, combination;
  Primal *primal = RETRO_LINKED(primal, ba)[setting.variant];
};

} // namespace

int main(int argc, char **argv) {
  return retro::suite::main(
      argc, argv,
      {RETRO_BUILD_INFO,
       RETRO_KERNELS,
       {"n=3,m=5,p=12"},
       [](const Setting &setting) { return std::make_unique<Ba>(setting); }});
}
