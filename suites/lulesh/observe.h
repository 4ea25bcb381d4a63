//===- observe.h - LULESH: what is reported of a state ----------*- C++ -*-===//
#ifndef SUITES_LULESH_OBSERVE_H
#define SUITES_LULESH_OBSERVE_H

#include "types.h"

#include <algorithm>
#include <cmath>

namespace suites::lulesh {

/// How far the energies of plane k = 0 are from symmetry (4.13).
struct Asymmetry {
  double largest = 0, total = 0, largest_relative = 0;
};
inline Asymmetry asymmetry_of(const double *e, int nx) {
  Asymmetry a;
  for (int j = 0; j < nx; ++j)
    for (int k = j + 1; k < nx; ++k) {
      const double other = e[k * nx + j];
      const double difference = std::fabs(e[j * nx + k] - other);
      a.largest = std::max(a.largest, difference);
      a.total += difference;
      if (other != 0)
        a.largest_relative = std::max(a.largest_relative, difference / other);
    }
  return a;
}

inline double total_energy(const Mesh &m, const State &s) {
  double sum = 0;
  for (int i = 0; i < m.n_elem; ++i)
    sum += s.e[i];
  return sum;
}

/// Sum of m u^2 / 2 over the nodes.
inline double kinetic_energy(const Mesh &m, const State &s) {
  double sum = 0;
  for (int n = 0; n < m.n_node; ++n)
    sum += 0.5 * m.nodal_mass[n] *
           (s.xd[n] * s.xd[n] + s.yd[n] * s.yd[n] + s.zd[n] * s.zd[n]);
  return sum;
}

} // namespace suites::lulesh

#endif // SUITES_LULESH_OBSERVE_H
