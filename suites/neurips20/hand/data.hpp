// Owns the data of one hand-tracking problem, generated or read.
#pragma once

#include "types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hand {

class Problem {
public:
  /// The generator of the specification. vertices >= 1, count >= 1.
  static Problem generate(int vertices, int count, std::uint64_t seed);
  /// The text files of ADBench: an instance, and bones.txt, vertices.txt,
  /// triangles.txt beside it or in model/ beside it. Throws
  /// std::invalid_argument when a file is missing or wrong.
  static Problem read(const std::string &instance, bool complicated);

  /// Points into this object, which must not move while it is used.
  HandData view();

  int count() const { return static_cast<int>(correspondences.size()); }
  std::vector<double> theta; ///< 26
  std::vector<double>
      st; ///< 2 x count; empty in a simple instance that was read

private:
  void read_model(const std::string &folder);
  void read_instance(const std::string &path, bool complicated);
  Matrix matrix(std::vector<double> &data, int rows, int cols) const {
    return {rows, cols, data.data()};
  }

  std::vector<int> parents, triangles, correspondences;
  std::vector<double> base_relatives, inverse_base; ///< 16 per bone
  std::vector<double> base_positions, weights, points;
  std::vector<Matrix> relative_views, inverse_views;
};

} // namespace hand
