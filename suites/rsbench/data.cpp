//===- data.cpp - RSBench: synthetic multipole data -----------------------===//
//
// All data come from one random stream, so the order of the draws is part of
// the definition: concentrations, pole counts, window counts, poles, windows,
// pseudo-K0 values.
//
//===----------------------------------------------------------------------===//
#include "rsbench.h"

#include <algorithm>
#include <stdexcept>

namespace suites::rsbench {

using reactor::Lcg;

/// One for each nuclide, the remaining (mean - 1) * n dealt out at random.
static std::vector<int> draw_counts(Lcg &rng, int n_nuclides, int mean) {
  std::vector<int> counts(n_nuclides, 1);
  const std::int64_t rest = static_cast<std::int64_t>(mean - 1) * n_nuclides;
  for (std::int64_t i = 0; i < rest; ++i)
    ++counts[rng.next() % n_nuclides];
  return counts;
}

Problem::Problem(const Size &s) : size(s), materials(s.n_nuclides) {
  if (s.n_nuclides != reactor::small_nuclides &&
      s.n_nuclides < reactor::large_nuclides)
    throw std::invalid_argument("nuclides: 68, or at least 355");
  if (s.mean_poles < 1 || s.mean_windows < 1)
    throw std::invalid_argument("at least 1 pole and 1 window per nuclide");

  Lcg rng{42 + size.seed - 1};
  conc = materials.draw_concentrations(rng);
  n_poles = draw_counts(rng, s.n_nuclides, s.mean_poles);
  n_windows = draw_counts(rng, s.n_nuclides, s.mean_windows);
  tables.max_poles = *std::max_element(n_poles.begin(), n_poles.end());
  tables.max_windows = *std::max_element(n_windows.begin(), n_windows.end());
  draw_poles(rng);
  draw_windows(rng);
  for (int i = 0; i < s.n_nuclides * momenta; ++i)
    pseudo_k0.push_back(rng.uniform());

  tables.n_nuclides = s.n_nuclides;
  tables.max_nuclides = materials.max_nuclides;
  tables.counts = materials.counts.data();
  tables.nuclides = materials.nuclides.data();
  tables.n_windows = n_windows.data();
  tables.pseudo_k0 = pseudo_k0.data();
  tables.windows = windows.data();
  tables.momentum = momentum.data();
}

void Problem::draw_poles(Lcg &rng) {
  constexpr double scale = 152.5;
  // Braces evaluate in order, function arguments need not.
  auto pair = [&](double re_scale, double im_scale) {
    return Complex{re_scale * rng.uniform(), im_scale * rng.uniform()};
  };
  const std::size_t stride = tables.max_poles;
  poles.resize(size.n_nuclides * stride, Pole{});
  momentum.resize(size.n_nuclides * stride, 0);
  for (int n = 0; n < size.n_nuclides; ++n)
    for (int i = 0; i < n_poles[n]; ++i) {
      const std::size_t at = n * stride + i;
      poles[at] = Pole{pair(scale, scale), pair(scale, 1.0), pair(scale, 1.0),
                       pair(scale, 1.0)};
      momentum[at] = static_cast<int>(rng.next() % momenta);
    }
}

void Problem::draw_windows(Lcg &rng) {
  const std::size_t stride = tables.max_windows;
  windows.resize(size.n_nuclides * stride, Window{});
  for (int n = 0; n < size.n_nuclides; ++n) {
    const int space = n_poles[n] / n_windows[n];
    const int remainder = n_poles[n] % n_windows[n];
    int start = 0;
    for (int j = 0; j < n_windows[n]; ++j) {
      const int next = start + space + (j < remainder ? 1 : 0);
      Window window{};
      window.t = rng.uniform();
      window.a = rng.uniform();
      window.f = rng.uniform();
      window.start = start;
      window.end = next - 1;
      windows[n * stride + j] = window;
      start = next;
    }
  }
}

} // namespace suites::rsbench
