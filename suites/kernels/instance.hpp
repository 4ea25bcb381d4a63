// The driver of a benchmark of this suite: kernels of one type, each with its
// sizes, its inputs and what must hold for any gradient of it.
#pragma once

#include "common/benchmark.hpp"
#include "common/rng.hpp"

#include <algorithm>
#include <stdexcept>

namespace retro::suite::kernels {

using Primal = double(int n, int m, int k, const double *x, double *work);
using Gradient = void(int n, int m, int k, const double *x, double *xb,
                      double *work, double *workb);

#define RETRO_DECLARE_KERNEL(name)                                             \
  RETRO_DECLARE(retro::suite::kernels::Primal, primal, name)                   \
  RETRO_DECLARE_GRADIENTS(retro::suite::kernels::Gradient, name##_gradient)

struct Sizes {
  int n = 1, m = 1, k = 1;
};

struct Kernel {
  std::string name;
  Linked<Primal> primal;
  Linked<Gradient> gradient, hand, compare;
  /// The inputs; throws std::invalid_argument where the sizes make no sense.
  std::function<std::vector<double>(const Sizes &, Rng &)> inputs;
  std::function<std::size_t(const Sizes &)> work;
  /// What is known of the gradient without computing it: sum of x g, by Euler's
  /// theorem on homogeneous functions, from the sizes and the primal's value.
  std::function<double(const Sizes &, double value)> euler = {};
  /// Entries smaller than this part of the largest are sums that cancel.
  double floor = 1e-8;
};

#define RETRO_KERNEL_ENTRY(text, name)                                         \
  text, RETRO_LINKED(primal, name), RETRO_LINKED(gradient, name##_gradient),   \
      RETRO_LINKED(hand, name##_gradient),                                     \
      RETRO_LINKED(compare, name##_gradient)

inline std::size_t no_work(const Sizes &) { return 0; }

class KernelInstance : public Instance {
public:
  KernelInstance(const Kernel &kernel, const Setting &setting, Sizes sizes)
      : kernel(kernel), variant(setting.variant), sizes(sizes) {
    if (sizes.n < 1 || sizes.m < 1 || sizes.k < 1)
      throw std::invalid_argument(kernel.name + ": sizes begin at 1");
    Rng rng(setting.seed);
    x = kernel.inputs(sizes, rng);
    gradient.resize(x.size());
    work.resize(kernel.work(sizes));
    workb.resize(work.size());
  }

  std::vector<Column> columns() override {
    std::vector<Column> all{
        {"primal",
         {},
         [this] { value = run_primal(x.data(), work.data()); },
         [this] { return std::vector{value}; }}};
    for (auto [name, f] : linked_gradients(kernel.gradient, kernel.hand,
                                           kernel.compare, variant))
      all.push_back({name,
                     [this] { std::fill(workb.begin(), workb.end(), 0.0); },
                     [this, f = f] { run(f); }, [this] { return gradient; }});
    return all;
  }

  std::vector<double> point() const override { return x; }

  double objective(const std::vector<double> &at) override {
    std::vector<double> scratch(work.size());
    return run_primal(at.data(), scratch.data());
  }

  std::vector<Reference> references() const override {
    if (!kernel.euler)
      return {};
    std::vector<double> scratch(work.size());
    const double expected =
        kernel.euler(sizes, run_primal(x.data(), scratch.data()));
    return {{true, "Euler's theorem",
             [x = x](const std::vector<double> &g) {
               double sum = 0;
               for (std::size_t i = 0; i < x.size(); ++i)
                 sum += x[i] * g[i];
               return sum;
             },
             expected, 1e-11}};
  }

  double entry_floor() const override { return kernel.floor; }

private:
  double run_primal(const double *at, double *scratch) const {
    return kernel.primal[variant](sizes.n, sizes.m, sizes.k, at, scratch);
  }
  void run(Gradient *f) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    f(sizes.n, sizes.m, sizes.k, x.data(), gradient.data(), work.data(),
      workb.data());
  }

  const Kernel &kernel;
  Variant variant;
  Sizes sizes;
  double value = 0;
  std::vector<double> x, gradient, work, workb;
};

/// The program. `names`: what the entries of a size are called, in the order of
/// Sizes.
inline int main(int argc, char **argv, const BuildInfo &build,
                const std::vector<std::string> &kernel_names,
                const std::vector<std::string> &reference_sizes,
                const std::vector<std::string> &names,
                const std::vector<Kernel> &kernels) {
  const auto make = [&](const Setting &setting) -> std::unique_ptr<Instance> {
    if (!setting.input.empty())
      throw std::invalid_argument("this benchmark reads no file");
    const auto entry = [&](std::size_t i) {
      return i < names.size() ? static_cast<int>(setting.dims.at(names[i])) : 1;
    };
    for (const Kernel &kernel : kernels)
      if (kernels.size() == 1 || kernel.name == setting.kernel)
        return std::make_unique<KernelInstance>(
            kernel, setting, Sizes{entry(0), entry(1), entry(2)});
    throw std::invalid_argument("no kernel '" + setting.kernel + "'");
  };
  return retro::suite::main(argc, argv,
                            {build, kernel_names, reference_sizes, make});
}

} // namespace retro::suite::kernels
