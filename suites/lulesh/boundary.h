//===- boundary.h - LULESH: what lies behind an element's faces -*- C++ -*-===//
#ifndef SUITES_LULESH_BOUNDARY_H
#define SUITES_LULESH_BOUNDARY_H

namespace suites::lulesh {

/// One of these per face, shifted by three bits a face in the order xi-, xi+,
/// eta-, eta+, zeta-, zeta+; none of them between two elements of a rank.
enum Boundary : int { symmetric = 1, free_surface = 2, other_rank = 4 };

constexpr int face_bits(int word, int face) { return word >> (3 * face) & 7; }

} // namespace suites::lulesh

#endif // SUITES_LULESH_BOUNDARY_H
