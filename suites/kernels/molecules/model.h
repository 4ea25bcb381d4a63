// Lennard-Jones energy in a periodic box, with cells so that only neighbours
// are looked at.
#pragma once

#include "entry.h"

#include <cmath>
#include <vector>

namespace RETRO_MODEL {

/// The atoms of each cell, as a list: first[cell], then next[atom], to -1.
struct Cells {
  std::vector<int> first, next;
};

/// The box has the side `cells`, so that a cell has the side 1, which is also
/// the cutoff.
inline int cell_of(int cells, const double *at) {
  int place[3];
  for (int d = 0; d < 3; ++d)
    place[d] = (static_cast<int>(std::floor(at[d])) % cells + cells) % cells;
  return (place[2] * cells + place[1]) * cells + place[0];
}

inline Cells sort_into_cells(int atoms, int cells, const double *x) {
  Cells lists{std::vector<int>(cells * cells * cells, -1),
              std::vector<int>(atoms)};
  for (int i = 0; i < atoms; ++i) {
    int &first = lists.first[cell_of(cells, x + 3 * i)];
    lists.next[i] = first;
    first = i;
  }
  return lists;
}

inline int wrapped(int place, int cells) {
  return place < 0 ? place + cells : place >= cells ? place - cells : place;
}

/// Of the two atoms, zero and level at the distance 1.
inline double pair_energy(int cells, const double *a, const double *b) {
  double square = 0;
  for (int d = 0; d < 3; ++d) {
    double difference = a[d] - b[d];
    difference -= cells * std::rint(difference / cells);
    square += difference * difference;
  }
  if (square >= 1)
    return 0;
  const double near = 0.16 / square;
  const double sixth = near * near * near;
  const double level = 1 - square;
  return 4 * (sixth * sixth - sixth) * level * level;
}

/// Every pair of atoms of one cell or of cells that touch.
template <typename Visit>
inline void visit_pairs(int cells, const Cells &lists, Visit visit) {
  for (int cz = 0; cz < cells; ++cz)
    for (int cy = 0; cy < cells; ++cy)
      for (int cx = 0; cx < cells; ++cx)
        for (int i = lists.first[(cz * cells + cy) * cells + cx]; i >= 0;
             i = lists.next[i])
          for (int n = 0; n < 27; ++n) {
            const int z = wrapped(cz + n / 9 - 1, cells);
            const int y = wrapped(cy + n / 3 % 3 - 1, cells);
            const int neighbour = wrapped(cx + n % 3 - 1, cells);
            for (int j = lists.first[(z * cells + y) * cells + neighbour];
                 j >= 0; j = lists.next[j])
              if (j < i)
                visit(i, j);
          }
}

inline double energy(int atoms, int cells, const double *RETRO_RESTRICT x) {
  const Cells lists = sort_into_cells(atoms, cells, x);
  double total = 0;
  visit_pairs(cells, lists, [&](int i, int j) {
    total += pair_energy(cells, x + 3 * i, x + 3 * j);
  });
  return total;
}

} // namespace RETRO_MODEL
