//===- xsbench.h - XSBench: the synthetic problem ---------------*- C++ -*-===//
#ifndef SUITES_XSBENCH_XSBENCH_H
#define SUITES_XSBENCH_XSBENCH_H

#include "types.h"

#include <cstddef>
#include <vector>

namespace suites::xsbench {

struct Size {
  int n_nuclides = reactor::large_nuclides;
  int n_grid = 11303; ///< grid points per nuclide
  GridType grid_type = GridType::unionized;
  int n_bins = 10000; ///< hash bins
  /// 1: the original's data; others: data of the same kind. Lookups are the
  /// same for all.
  std::uint64_t seed = 1;

  std::size_t grid_points() const {
    return static_cast<std::size_t>(n_nuclides) * n_grid;
  }
  /// Bytes of the tables a problem of this size allocates, without a shadow.
  std::size_t bytes() const;
};

/// The synthetic data of one problem. Throws std::invalid_argument for a size
/// with fewer than two grid points, no bins, or neither 68 nor >= 355 nuclides.
class Problem {
public:
  explicit Problem(const Size &size);
  Problem(const Problem &) = delete;
  Problem &operator=(const Problem &) = delete;

  Case with(const reactor::Work &work) const {
    return {&tables, conc.data(), grid.data(), size.grid_type, work};
  }

  const Size size;
  reactor::Materials materials;
  std::vector<double> conc;         ///< [n_materials][max_nuclides]
  std::vector<GridPoint> grid;      ///< [n_nuclides][n_grid], sorted
  std::vector<double> union_energy; ///< unionized only
  std::vector<int> index;           ///< [union points or bins][n_nuclides]
  Tables tables;

private:
  void build_grid();
  void build_union();
  void build_hash();
};

} // namespace suites::xsbench

#endif // SUITES_XSBENCH_XSBENCH_H
