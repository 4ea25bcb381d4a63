// Published values of bundle adjustment: specification section 14.
#pragma once

#include "common/benchmark.hpp"

namespace ba {

using namespace retro::suite;

/// Residuals are [reprojection (2p) | weight (p)], Jacobians [2p rows of 15 |
/// p].
inline std::vector<Reference> references(const Dims &dims) {
  if (dims == Dims::parse("n=3,m=5,p=12")) {
    std::vector<Reference> all{
        {false, "|e|", pick::norm(0, 24), 219.307972841345, 1e-12},
        {false, "e_0[0]", pick::at(0), 127.243161328089, 1e-12},
        {false, "e_0[1]", pick::at(1), 28.5213531022176, 1e-12},
        {false, "g_0", pick::at(24), 0.200873010783449, 1e-12},
        {false, "|g|", pick::norm(24), 2.40487147516299, 1e-12},
        {true, "|J|", pick::norm(0, 360), 1485.65547108058, 1e-12},
        {true, "sum J", pick::sum(0, 360), 1240.51586608442, 1e-12}};
    // Entries 3, 9 and 11 of the last row were computed again with 50 digits:
    // the specification's have transposed digits (15.3216003651657,
    // 0.710169166572681).
    const struct {
      int entry;
      double first, last;
    } entries[] = {{0, 120.273351864929, -270.800811543934},
                   {3, -118.774967645046, 15.3216003665157},
                   {6, 0.277130069593056, 0.0885961007876072},
                   {7, 0.893939029921253, 0},
                   {9, 13.9919723923469, 0.710169165572681},
                   {10, 1.49507150336459, 0.0184457896379776},
                   {11, 118.774967645046, -15.3216003665157},
                   {14, 142.339865549106, -45.2150711944758}};
    for (const auto &[entry, first, last] : entries) {
      const std::string name = "[" + std::to_string(entry) + "]";
      all.push_back({true, "row 0" + name, pick::at(entry), first, 1e-12});
      all.push_back(
          {true, "row 23" + name, pick::at(23 * 15 + entry), last, 1e-12});
    }
    return all;
  }
  // The Jacobian is given to twelve digits here.
  if (dims == Dims::parse("n=49,m=7776,p=31843"))
    return {{false, "|e|", pick::norm(0, 2 * 31843), 27548.8100652777, 1e-12},
            {true, "|J|", pick::norm(0, 30 * 31843), 266154.786954, 1e-11}};
  return {};
}

} // namespace ba
