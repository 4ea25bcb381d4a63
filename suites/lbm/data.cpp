//===- data.cpp - LBM: making a problem, and what is printed of it --------===//
#include "lbm.h"
#include "model.h"

#include <cmath>
#include <cstddef>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace suites::lbm {

namespace {

template <class Visit> void for_cells(const Box &box, Visit &&visit) {
  std::size_t number = 0;
  for (int z = 0; z < box.nz; ++z)
    for (int y = 0; y < box.ny; ++y)
      for (int x = 0; x < box.nx; ++x)
        visit(x, y, z, number++);
}

/// Where the character of a cell stands in an obstacle file.
std::size_t position(const Box &box, int x, int y, int z) {
  const std::size_t line = box.nx + 1;
  return z * (line * box.ny + 1) + y * line + x;
}

} // namespace

Obstacles ellipsoid(const Box &box) {
  // A hundred cells lie on the surface and are decided by rounding: the order
  // of these operations, and that none is contracted, is part of the format.
  Obstacles text;
  const double hx = 1.0 / box.nx, hy = 1.0 / box.ny, hz = 1.0 / box.nz;
  for (int z = 0; z < box.nz; ++z) {
    for (int y = 0; y < box.ny; ++y) {
      for (int x = 0; x < box.nx; ++x) {
        const volatile double dx = x * hx, dy = y * hy, dz = z * hz;
        const double ox = dx - 0.4, oy = dy - 0.4, oz = dz - 0.4;
        const volatile double x2 = ox * ox, y2 = oy * oy, z2 = oz * oz;
        text += std::sqrt((x2 + y2) + z2) < 0.3 ? '#' : '.';
      }
      text += '\n';
    }
    text += '\n';
  }
  return text;
}

Obstacles read_obstacles(const Box &box, const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << in.rdbuf();
  const std::size_t expected = box.cells() + (std::size_t(box.ny) + 1) * box.nz;
  if (text.str().size() != expected)
    throw std::runtime_error(
        path + " has " + std::to_string(text.str().size()) +
        " characters; this box needs " + std::to_string(expected));
  return text.str();
}

std::vector<std::uint8_t> cavity_flags(const Box &box,
                                       const Obstacles &obstacles) {
  std::vector<std::uint8_t> flags(box.volume);
  for_cells(box, [&](int x, int y, int z, std::size_t) {
    std::uint8_t &flag = flags[box.index(x, y, z)];
    if (!obstacles.empty() && obstacles[position(box, x, y, z)] != '.')
      flag |= obstacle;
    const bool wall = x == 0 || y == 0 || z == 0 || x == box.nx - 1 ||
                      y == box.ny - 1 || z == box.nz - 1;
    const bool layer = (z == 1 || z == box.nz - 2) && x > 1 && x < box.nx - 2 &&
                       y > 1 && y < box.ny - 2;
    if (wall)
      flag |= obstacle;
    else if (layer)
      flag |= accelerated;
  });
  return flags;
}

template <class Real> void set_at_rest(const Box &box, Grid<Real> &grid) {
  grid.zero();
  for_cells(box, [&](int x, int y, int z, std::size_t) {
    for (int e = 0; e < populations; ++e)
      grid.data()[e * box.volume + box.index(x, y, z)] = weight<Real>(e);
  });
}

template <class Real>
std::vector<double> pack(const Box &box, Grid<Real> &grid) {
  std::vector<double> values(populations * box.cells());
  for_cells(box, [&](int x, int y, int z, std::size_t number) {
    for (int e = 0; e < populations; ++e)
      values[e * box.cells() + number] =
          grid.data()[e * box.volume + box.index(x, y, z)];
  });
  return values;
}

template <class Real>
void unpack(const Box &box, const std::vector<double> &values,
            Grid<Real> &grid) {
  for_cells(box, [&](int x, int y, int z, std::size_t number) {
    for (int e = 0; e < populations; ++e)
      grid.data()[e * box.volume + box.index(x, y, z)] =
          static_cast<Real>(values[e * box.cells() + number]);
  });
}

template void set_at_rest(const Box &, Grid<float> &);
template void set_at_rest(const Box &, Grid<double> &);
template std::vector<double> pack(const Box &, Grid<float> &);
template std::vector<double> pack(const Box &, Grid<double> &);
template void unpack(const Box &, const std::vector<double> &, Grid<float> &);
template void unpack(const Box &, const std::vector<double> &, Grid<double> &);

static Moments moments_of(const Box &box, const std::vector<double> &packed,
                          std::size_t number) {
  double f[populations];
  for (int e = 0; e < populations; ++e)
    f[e] = packed[e * box.cells() + number];
  Moments m;
  moments(f, m.density, m.u);
  return m;
}

Moments moments_of(const Box &box, const std::vector<double> &packed, int x,
                   int y, int z) {
  return moments_of(box, packed,
                    x + std::size_t(box.nx) * (y + std::size_t(box.ny) * z));
}

Statistics statistics(const Box &box, const std::vector<std::uint8_t> &flags,
                      const std::vector<double> &packed) {
  Statistics s;
  s.min_density = std::numeric_limits<double>::infinity();
  for_cells(box, [&](int x, int y, int z, std::size_t number) {
    const std::uint8_t flag = flags[box.index(x, y, z)];
    const Moments m = moments_of(box, packed, number);
    s.mass += m.density;
    s.obstacles += (flag & obstacle) != 0;
    if (flag & obstacle)
      return;
    ++(flag & accelerated ? s.accelerated : s.fluid);
    s.fluid_mass += m.density;
    s.min_density = std::fmin(s.min_density, m.density);
    s.max_density = std::fmax(s.max_density, m.density);
    double u2 = 0;
    for (int d = 0; d < 3; ++d) {
      s.sum_u[d] += m.u[d];
      u2 += m.u[d] * m.u[d];
    }
    s.max_speed = std::fmax(s.max_speed, std::sqrt(u2));
    s.sum_u2 += u2;
    for (int e = 0; e < populations; ++e) {
      const double f = packed[e * box.cells() + number];
      s.sum_f2 += f * f;
    }
  });
  return s;
}

} // namespace suites::lbm
