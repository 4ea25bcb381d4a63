// The forces.
#include "model.h"

namespace RETRO_MODEL {

static inline void add_force(int cells, const double *RETRO_RESTRICT x,
                             double *RETRO_RESTRICT xb, int i, int j) {
  double difference[3], square = 0;
  for (int d = 0; d < 3; ++d) {
    difference[d] = x[3 * i + d] - x[3 * j + d];
    difference[d] -= cells * std::rint(difference[d] / cells);
    square += difference[d] * difference[d];
  }
  if (square >= 1)
    return;
  const double near = 0.16 / square;
  const double sixth = near * near * near;
  const double level = 1 - square;
  // By the square: d sixth = -3 sixth / square.
  const double slope =
      4 * level *
      (-3 * sixth * (2 * sixth - 1) * level / square - 2 * sixth * (sixth - 1));
  for (int d = 0; d < 3; ++d) {
    const double force = 2 * slope * difference[d];
    xb[3 * i + d] += force;
    xb[3 * j + d] -= force;
  }
}

RETRO_KERNEL_HAND(energy) {
  const int atoms = n, cells = m;
  const Cells lists = sort_into_cells(atoms, cells, x);
  visit_pairs(cells, lists,
              [&](int i, int j) { add_force(cells, x, xb, i, j); });
}

} // namespace RETRO_MODEL
