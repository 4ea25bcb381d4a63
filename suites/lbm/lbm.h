//===- lbm.h - LBM: making a problem, and what is printed of it -*- C++ -*-===//
#ifndef SUITES_LBM_LBM_H
#define SUITES_LBM_LBM_H

#include "types.h"

#include <algorithm>
#include <string>
#include <vector>

namespace suites::lbm {

/// A padded grid with its margins.
template <class Real> class Grid {
public:
  explicit Grid(const Box &box)
      : margin(box.margin()), entries(box.allocation()) {}
  Real *data() { return entries.data() + margin; }
  void zero() { std::fill(entries.begin(), entries.end(), Real(0)); }

private:
  std::int64_t margin;
  std::vector<Real> entries;
};

/// Obstacles in a file's format: for every z, for every y a line of nx
/// characters, '.' for fluid; a line break after every z.
using Obstacles = std::string;

/// The ellipsoid of the original's data set, scaled to the box.
Obstacles ellipsoid(const Box &box);

/// Throws std::runtime_error if the file has not the size of the box.
Obstacles read_obstacles(const Box &box, const std::string &path);

/// The flags of a lid-driven cavity: walls at the faces of the box, accelerated
/// layers below and above; one for every entry of a population.
std::vector<std::uint8_t> cavity_flags(const Box &box,
                                       const Obstacles &obstacles);

/// Weights in every cell: at rest with density 1.
template <class Real> void set_at_rest(const Box &box, Grid<Real> &grid);

/// Copies between a grid and the vector of all populations of all cells
/// without padding, [population][z][y][x].
template <class Real>
std::vector<double> pack(const Box &box, Grid<Real> &grid);
template <class Real>
void unpack(const Box &box, const std::vector<double> &values,
            Grid<Real> &grid);

/// Of packed populations; u is momentum / density. Mass is that of all cells,
/// the rest is over the cells that are no obstacles.
struct Statistics {
  long long obstacles = 0, accelerated = 0, fluid = 0;
  double mass = 0, fluid_mass = 0, min_density = 0, max_density = 0,
         max_speed = 0;
  double sum_u[3] = {}, sum_u2 = 0, sum_f2 = 0;
};
struct Moments {
  double density, u[3];
};
Moments moments_of(const Box &box, const std::vector<double> &packed, int x,
                   int y, int z);
Statistics statistics(const Box &box, const std::vector<std::uint8_t> &flags,
                      const std::vector<double> &packed);

} // namespace suites::lbm

#endif // SUITES_LBM_LBM_H
