//===- types.h - XSBench: the data of a problem -----------------*- C++ -*-===//
#ifndef SUITES_XSBENCH_TYPES_H
#define SUITES_XSBENCH_TYPES_H

#include "reactor.h"

namespace suites::xsbench {

/// total, elastic, absorption, fission, nu-fission
constexpr int channels = 5;

/// One tabulated energy of one nuclide: six doubles, 48 bytes.
struct GridPoint {
  double energy;
  double xs[channels];
};

/// How the bracketing grid points of an energy are found.
enum class GridType {
  unionized, ///< all energies sorted together, with a row of indices for each
  nuclide,   ///< binary search in every nuclide's grid
  hash       ///< a row of indices per energy bin narrows the search
};

/// Everything a lookup reads that is never differentiated.
struct Tables {
  int n_nuclides;
  int n_grid; ///< grid points per nuclide
  int n_bins; ///< hash bins
  int max_nuclides;
  const int *counts;          ///< [n_materials]
  const int *nuclides;        ///< [n_materials][max_nuclides]
  const double *union_energy; ///< [n_nuclides * n_grid], unionized only
  const int *index;           ///< [union points or bins][n_nuclides]
};

/// One run: the data and which lookups to make.
struct Case {
  const Tables *tables;
  const double *conc;    ///< [n_materials][max_nuclides] concentrations
  const GridPoint *grid; ///< [n_nuclides][n_grid]
  GridType grid_type;
  reactor::Work work;
};

/// What a run computes: every channel summed over all lookups, and the scores.
/// The objective J_w is sum_k w_k macro_k.
struct Totals {
  double macro[channels];
  std::uint64_t scores;
};

/// The signatures that primal and gradients are linked by. A gradient adds
/// dJ_w/d(grid) to `shadow`, which has the layout of the grid.
using Primal = void(const Case &run, Totals *totals);
using Gradient = void(const Case &run, const double *w, GridPoint *shadow,
                      Totals *totals);

} // namespace suites::xsbench

#endif // SUITES_XSBENCH_TYPES_H
