//===- types.h - LBM: the data of a problem ---------------------*- C++ -*-===//
#ifndef SUITES_LBM_TYPES_H
#define SUITES_LBM_TYPES_H

#include "../common/kernel.h"

#include <cstdint>

namespace suites::lbm {

constexpr int populations = 19;

/// Bits of a cell's flag. A cell may have both; then it is an obstacle.
enum Flag : std::uint8_t { obstacle = 1, accelerated = 2 };

/// Entries of the array of parameters: relaxation rate and imposed velocity.
enum Parameter { omega, lid_x, lid_y, lid_z, n_parameters };

/// A box of cells and its layout: population e of cell (x, y, z) is entry
/// e * volume + x + pitch * y + plane * z of a grid. Padding keeps what cells
/// at the border push outside from reaching other cells' populations; in front
/// of a grid and behind it are `margin()` further entries.
struct Box {
  int nx, ny, nz;
  std::int64_t pitch, plane, volume;

  Box(int nx, int ny, int nz)
      : nx(nx), ny(ny), nz(nz), pitch(nx + 8), plane(pitch * ny),
        volume(plane * (nz + 4)) {}
  std::int64_t cells() const { return std::int64_t(nx) * ny * nz; }
  std::int64_t index(int x, int y, int z) const {
    return x + pitch * y + plane * z;
  }
  std::int64_t margin() const { return 2 * plane; }
  std::int64_t allocation() const {
    return populations * volume + 2 * margin();
  }
};

/// The signatures that primal and gradients are linked by. Grids are given
/// without their margins. A gradient adds to the shadows of the parameters
/// (null: they are constant) and of the initial grids, in place of what the
/// shadow of the final grid holds.
template <class Real>
using Primal = void(const Box &, const std::uint8_t *flags,
                    const Real *parameters, int steps, Real *a, Real *b);
template <class Real>
using Gradient = void(const Box &, const std::uint8_t *flags,
                      const Real *parameters, Real *parameters_shadow,
                      int steps, Real *a, Real *a_shadow, Real *b,
                      Real *b_shadow);

} // namespace suites::lbm

#endif // SUITES_LBM_TYPES_H
