//===- data.cpp - XSBench: synthetic nuclear data -------------------------===//
#include "model.h"
#include "xsbench.h"

#include <algorithm>
#include <stdexcept>

namespace suites::xsbench {

using reactor::Lcg;

std::size_t Size::bytes() const {
  std::size_t total = grid_points() * sizeof(GridPoint);
  if (grid_type == GridType::unionized)
    total += grid_points() * (sizeof(double) + n_nuclides * sizeof(int));
  if (grid_type == GridType::hash)
    total += static_cast<std::size_t>(n_bins) * n_nuclides * sizeof(int);
  return total;
}

Problem::Problem(const Size &s) : size(s), materials(s.n_nuclides) {
  if (s.n_nuclides != reactor::small_nuclides &&
      s.n_nuclides < reactor::large_nuclides)
    throw std::invalid_argument("nuclides: 68, or at least 355");
  if (s.n_grid < 2 || s.n_bins < 1)
    throw std::invalid_argument("at least 2 grid points and 1 hash bin");

  Lcg rng{1070 * 1070 + size.seed - 1};
  conc = materials.draw_concentrations(rng);
  build_grid();
  if (s.grid_type == GridType::unionized)
    build_union();
  else if (s.grid_type == GridType::hash)
    build_hash();

  tables = {size.n_nuclides,
            size.n_grid,
            size.n_bins,
            materials.max_nuclides,
            materials.counts.data(),
            materials.nuclides.data(),
            union_energy.data(),
            index.data()};
}

void Problem::build_grid() {
  Lcg rng{42 + size.seed - 1};
  grid.resize(size.grid_points());
  for (GridPoint &point : grid) {
    point.energy = rng.uniform();
    for (double &xs : point.xs)
      xs = rng.uniform();
  }
  for (auto first = grid.begin(); first != grid.end(); first += size.n_grid)
    std::sort(first, first + size.n_grid,
              [](const GridPoint &a, const GridPoint &b) {
                return a.energy < b.energy;
              });
}

void Problem::build_union() {
  union_energy.reserve(grid.size());
  for (const GridPoint &point : grid)
    union_energy.push_back(point.energy);
  std::sort(union_energy.begin(), union_energy.end());

  // One step per row is enough: no nuclide has two points in one union
  // interval.
  index.resize(union_energy.size() * size.n_nuclides);
  std::vector<int> low(size.n_nuclides, 0);
  auto entry = index.begin();
  for (double energy : union_energy) {
    const GridPoint *points = grid.data();
    for (int &position : low) {
      if (position < size.n_grid - 2 && energy >= points[position + 1].energy)
        ++position;
      *entry++ = position;
      points += size.n_grid;
    }
  }
}

void Problem::build_hash() {
  const double width = 1.0 / size.n_bins;
  index.reserve(static_cast<std::size_t>(size.n_bins) * size.n_nuclides);
  for (int bin = 0; bin < size.n_bins; ++bin)
    for (int n = 0; n < size.n_nuclides; ++n) {
      const GridPoint *points =
          grid.data() + static_cast<std::size_t>(n) * size.n_grid;
      index.push_back(static_cast<int>(
          bracket([=](std::int64_t i) { return points[i].energy; }, bin * width,
                  0, size.n_grid - 1)));
    }
}

} // namespace suites::xsbench
