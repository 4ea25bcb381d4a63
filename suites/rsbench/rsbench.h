//===- rsbench.h - RSBench: the synthetic problem ---------------*- C++ -*-===//
#ifndef SUITES_RSBENCH_RSBENCH_H
#define SUITES_RSBENCH_RSBENCH_H

#include "types.h"

#include <vector>

namespace suites::rsbench {

struct Size {
  int n_nuclides = reactor::large_nuclides;
  int mean_poles = 1000;  ///< per nuclide
  int mean_windows = 100; ///< per nuclide
  /// 1: the original's data; others: data of the same kind. Lookups are the
  /// same for all.
  std::uint64_t seed = 1;
};

/// The synthetic data of one problem. Throws std::invalid_argument for a size
/// with no poles or windows, or with neither 68 nor >= 355 nuclides.
class Problem {
public:
  explicit Problem(const Size &size);
  Problem(const Problem &) = delete;
  Problem &operator=(const Problem &) = delete;

  Case with(const reactor::Work &work, bool doppler) const {
    return {&tables, conc.data(), poles.data(), doppler, work};
  }

  const Size size;
  reactor::Materials materials;
  std::vector<double> conc;      ///< [n_materials][max_nuclides]
  std::vector<int> n_poles;      ///< [n_nuclides]
  std::vector<int> n_windows;    ///< [n_nuclides]
  std::vector<Pole> poles;       ///< [n_nuclides][max_poles], padded with 0
  std::vector<int> momentum;     ///< [n_nuclides][max_poles], padded with 0
  std::vector<Window> windows;   ///< [n_nuclides][max_windows], padded with 0
  std::vector<double> pseudo_k0; ///< [n_nuclides][momenta]
  Tables tables;

private:
  void draw_poles(reactor::Lcg &rng);
  void draw_windows(reactor::Lcg &rng);
};

} // namespace suites::rsbench

#endif // SUITES_RSBENCH_RSBENCH_H
