//===- types.h - DG: the data of a problem ----------------------*- C++ -*-===//
#ifndef SUITES_DG_TYPES_H
#define SUITES_DG_TYPES_H

#include "../common/kernel.h"

#include <cstdint>

namespace suites::dg {

constexpr int nq = 5; ///< nodes in each direction of an element
constexpr int nodes = nq * nq * nq;

/// Density, momentum in x, y and z, energy.
enum State { rho, mom_x, mom_y, mom_z, energy, states };

/// Components of the geometry of a node: the metric of reference direction d
/// and Cartesian direction c is component d + 3 c; then the Jacobian times the
/// weight, its inverse, and the coordinates.
enum Geometry { jacobian = 9, inverse_jacobian, x, y, z, geometries };

/// Layout, the first index fastest: state s of node (i, j, k) of element e is
/// entry i + 5 j + 25 k + 125 s + 625 e; geometry likewise; the matrix D(n, i)
/// is entry n + 5 i.
constexpr int state_size = nodes * states;
constexpr int geometry_size = nodes * geometries;
constexpr int matrix_size = nq * nq;

/// What a gradient is of, and where it goes.
template <class Real> struct Arrays {
  Real *q, *geometry, *matrix, *rhs;
};

/// The signatures that primal and gradients are linked by. The right-hand side
/// is added to; a gradient adds to the shadows of the other three, for the
/// adjoint of the right-hand side that its shadow holds (and keeps).
template <class Real>
using Primal = void(std::int64_t elements, const Arrays<Real> &, Real gravity);
template <class Real>
using Gradient = void(std::int64_t elements, const Arrays<Real> &,
                      const Arrays<Real> &shadows, Real gravity);

} // namespace suites::dg

#endif // SUITES_DG_TYPES_H
