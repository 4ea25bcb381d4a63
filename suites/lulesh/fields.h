//===- fields.h - LULESH: the state as one vector ---------------*- C++ -*-===//
#ifndef SUITES_LULESH_FIELDS_H
#define SUITES_LULESH_FIELDS_H

#include "types.h"

#include <algorithm>
#include <vector>

namespace suites::lulesh {

constexpr int n_fields = 11;

/// The fields that a cycle hands on to the next, those of elements first.
constexpr double *State::*fields[n_fields] = {
    &State::e, &State::p, &State::q,  &State::v,  &State::ss, &State::x,
    &State::y, &State::z, &State::xd, &State::yd, &State::zd};
constexpr const char *field_names[n_fields] = {"e", "p", "q",  "v",  "ss", "x",
                                               "y", "z", "xd", "yd", "zd"};

inline bool is_elemental(int field) { return field < 5; }
inline bool is_position(int field) { return field >= 5 && field < 8; }

/// A state flattened: field after field.
struct Layout {
  int n_elem, n_node;

  int length(int field) const { return is_elemental(field) ? n_elem : n_node; }
  int offset(int field) const {
    return is_elemental(field) ? field * n_elem
                               : 5 * n_elem + (field - 5) * n_node;
  }
  int size() const { return 5 * n_elem + 6 * n_node; }

  std::vector<double> flatten(const State &s) const {
    std::vector<double> all;
    for (int f = 0; f < n_fields; ++f)
      all.insert(all.end(), s.*fields[f], s.*fields[f] + length(f));
    return all;
  }
  void unflatten(const std::vector<double> &all, State &s) const {
    for (int f = 0; f < n_fields; ++f)
      std::copy_n(all.begin() + offset(f), length(f), s.*fields[f]);
  }
};

} // namespace suites::lulesh

#endif // SUITES_LULESH_FIELDS_H
