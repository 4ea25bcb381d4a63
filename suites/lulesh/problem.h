//===- problem.h - LULESH: initial data ---------------------------*- C++
//-*-===//
#ifndef SUITES_LULESH_PROBLEM_H
#define SUITES_LULESH_PROBLEM_H

#include "types.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace suites::lulesh {

struct Options {
  int size = 30; ///< elements along an edge of one rank's cube
  int regions = 11;
  int balance = 1;
  int cost = 1;
  int rank = 0;
  int ranks_per_edge = 1;
};

/// A State and its memory. Copies are deep.
class StateMemory {
public:
  /// All zero.
  StateMemory(const Mesh &mesh, bool corner_forces);
  StateMemory(const StateMemory &other);
  StateMemory &operator=(const StateMemory &other);

  State *get() { return &state; }
  State *operator->() { return &state; }
  const State *operator->() const { return &state; }
  const State &operator*() const { return state; }

  /// Zeroes the arrays and the clock.
  void clear();

private:
  void bind();

  int n_node, n_elem, n_ghost, n_corner, n_message;
  std::vector<double> values;
  State state{};
};

/// The mesh of one rank and its state at time 0.
class Problem {
public:
  explicit Problem(const Options &options);
  Problem(const Problem &) = delete;
  Problem &operator=(const Problem &) = delete;

  /// With several ranks the nodal masses are partial until `sum` has added
  /// those of the neighbours: the masses are in fx, and back there afterwards.
  void sum_nodal_mass(void (*sum)(const Mesh *, State *));

  Options options;
  Mesh mesh{};
  StateMemory initial() const;

  int node(int i, int j, int k) const {
    const int m = options.size + 1;
    return i + m * (j + m * k);
  }

private:
  void make_coordinates();
  void make_elements();
  void make_corner_lists();
  void make_neighbours();
  void make_regions();
  void make_exchanges();
  void add_exchange(Exchange &exchange, int points, bool all, bool send_low,
                    bool faces_only);

  int column, row, plane;
  std::vector<double> x, y, z, volume, nodal_mass, load;
  std::vector<int> nodes, corner_start, corner_list, neighbour, boundary;
  std::vector<int> symmetry[3];
  std::vector<int> region_of, region_start, region_elements, region_passes;
  std::vector<std::vector<int>> entry_lists;
  std::vector<std::vector<Neighbour>> neighbour_lists;
  double energy; ///< of the element at the origin of all ranks
};

/// The random numbers of glibc's rand(), whatever the C library.
class Random {
public:
  explicit Random(std::uint32_t seed);
  int next();

private:
  std::uint32_t ring[31];
  int front = 3, back = 0;
};

/// Region numbers 1..regions of the elements (3.4).
std::vector<int> assign_regions(int n_elem, const Options &options);

} // namespace suites::lulesh

#endif // SUITES_LULESH_PROBLEM_H
