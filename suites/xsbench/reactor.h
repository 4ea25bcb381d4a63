//===- reactor.h - What XSBench and RSBench share ---------------*- C++ -*-===//
//
// The synthetic Hoogenboom-Martin reactor: the random-number stream, the twelve
// materials, how a lookup draws its energy and material, and the three orders
// in which lookups are visited (event, history, sorted). Energies are
// dimensionless, in [0, 1); nothing here is differentiated.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_XSBENCH_REACTOR_H
#define SUITES_XSBENCH_REACTOR_H

#include "../common/kernel.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace suites::reactor {

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

/// Linear congruential generator s <- (a s + 1) mod 2^63.
struct Lcg {
  static constexpr std::uint64_t multiplier = 2806196910506780709u;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << 63) - 1;

  std::uint64_t state;

  /// Advances by one step and returns the new state.
  RETRO_HD std::uint64_t next() {
    state = (multiplier * state + 1) & mask;
    return state;
  }

  /// Advances by one step and returns a real number in [0, 1).
  RETRO_HD double uniform() {
    return static_cast<double>(next()) / 9223372036854775808.0;
  }

  /// Advances by n steps in O(log n): repeated squaring of the affine map.
  RETRO_HD void skip(std::uint64_t n) {
    std::uint64_t power_a = multiplier, power_c = 1; // map of 2^k steps
    std::uint64_t total_a = 1, total_c = 0;          // map of the steps taken
    for (n &= mask; n > 0; n >>= 1) {
      if (n & 1) {
        total_a *= power_a;
        total_c = total_c * power_a + power_c;
      }
      power_c *= power_a + 1;
      power_a *= power_a;
    }
    state = (total_a * state + total_c) & mask;
  }
};

constexpr std::uint64_t lookup_seed = 1070;

//===----------------------------------------------------------------------===//
// Materials
//===----------------------------------------------------------------------===//

constexpr int n_materials = 12;
constexpr int small_nuclides = 68;  ///< nuclides of the small reactor
constexpr int large_nuclides = 355; ///< nuclides of the large reactor

/// Which nuclides each material consists of. `nuclides` is a dense row-major
/// [n_materials][max_nuclides] matrix padded with -1.
struct Materials {
  int max_nuclides = 0;
  std::vector<int> counts;
  std::vector<int> nuclides;

  /// The small fuel has 34 nuclides, any other reactor's 321.
  explicit Materials(int n_nuclides);

  /// Draws the concentration of every nuclide of every material in list order;
  /// returns a matrix of the shape of `nuclides`, padded with 0.
  std::vector<double> draw_concentrations(Lcg &rng) const;
};

//===----------------------------------------------------------------------===//
// Lookups
//===----------------------------------------------------------------------===//

struct Lookup {
  double energy;
  int material;
};

enum class Order { event, history, sorted };

/// Half-open range of work. `first` and `last` count lookups (event, sorted) or
/// particles (history), so that a range of a larger run draws the same numbers.
struct Work {
  Order order = Order::event;
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t lookups_per_particle = 34; ///< history only

  std::int64_t lookups() const {
    return (last - first) *
           (order == Order::history ? lookups_per_particle : 1);
  }
};

/// Lookups [first, last) ordered by material, then by energy.
std::vector<Lookup> sorted_lookups(std::int64_t first, std::int64_t last);

/// Remainder that turns the sum of all scores into the printed checksum.
constexpr std::uint64_t checksum_modulus = 999983;

//===----------------------------------------------------------------------===//
// Code that every object compiles for itself
//===----------------------------------------------------------------------===//

inline namespace RETRO_MODEL {

struct MaterialThresholds {
  double values[n_materials];
};

/// Running sums of the materials' volume fractions. Each is summed downwards,
/// which fixes its last bit. The fuel's own fraction never enters.
constexpr MaterialThresholds material_thresholds() {
  constexpr double volume[n_materials] = {0.140, 0.052, 0.275, 0.134,
                                          0.154, 0.064, 0.066, 0.055,
                                          0.008, 0.015, 0.025, 0.013};
  MaterialThresholds t{};
  for (int i = 0; i < n_materials; ++i)
    for (int j = i; j > 0; --j)
      t.values[i] += volume[j];
  return t;
}

/// Index of the material that the uniform number r selects; fuel (0) is what
/// the others leave over, r >= 0.861.
RETRO_HD inline int pick_material(double r) {
  constexpr MaterialThresholds thresholds = material_thresholds();
  for (int i = 0; i < n_materials; ++i)
    if (r < thresholds.values[i])
      return i;
  return 0;
}

RETRO_HD inline Lookup draw_lookup(Lcg &rng) {
  const double energy = rng.uniform();
  return {energy, pick_material(rng.uniform())};
}

/// The i-th lookup of the event order; independent of all others.
RETRO_HD inline Lookup event_lookup(std::uint64_t i) {
  Lcg rng{lookup_seed};
  rng.skip(2 * i);
  return draw_lookup(rng);
}

/// Position, from 1, of the largest of n cross sections; `lowest` is what the
/// first one has to exceed.
RETRO_HD inline int score(const double *macro, int n, double lowest) {
  int best = 1;
  for (int k = 0; k < n; ++k)
    if (macro[k] > lowest) {
      lowest = macro[k];
      best = k + 1;
    }
  return best;
}

/// Rolling hash over the bits of cross sections in lookup order.
inline std::uint64_t hash_bits(std::uint64_t hash, const double *macro, int n) {
  for (int k = 0; k < n; ++k) {
    std::uint64_t bits;
    std::memcpy(&bits, &macro[k], sizeof bits);
    hash = hash * 1099511628211u + bits;
  }
  return hash;
}

/// Calls `evaluate(energy, material, macro)` for every lookup of `work` and
/// returns the sum of the scores. Physics gives
///   channels          length of macro,
///   lowest            initial value of the score's scan,
///   history_stride    random numbers reserved per lookup of a history.
/// In history order the next lookup depends on how many channels exceed 1.
template <class Physics, class Evaluate>
std::uint64_t visit_lookups(const Work &work, Evaluate &&evaluate) {
  constexpr int n = Physics::channels;
  double macro[n];
  std::uint64_t scores = 0;
  auto look_up = [&](Lookup at) {
    evaluate(at.energy, at.material, macro);
    scores += static_cast<std::uint64_t>(score(macro, n, Physics::lowest));
  };

  switch (work.order) {
  case Order::event:
    for (std::int64_t i = work.first; i < work.last; ++i)
      look_up(event_lookup(static_cast<std::uint64_t>(i)));
    break;
  case Order::sorted:
    for (const Lookup &at : sorted_lookups(work.first, work.last))
      look_up(at);
    break;
  case Order::history:
    for (std::int64_t p = work.first; p < work.last; ++p) {
      Lcg rng{lookup_seed};
      rng.skip(Physics::history_stride *
               static_cast<std::uint64_t>(work.lookups_per_particle) *
               static_cast<std::uint64_t>(p));
      Lookup at = draw_lookup(rng);
      for (std::int64_t i = 0; i < work.lookups_per_particle; ++i) {
        look_up(at);
        rng.skip(static_cast<std::uint64_t>(std::count_if(
            macro, macro + n, [](double value) { return value > 1.0; })));
        at = draw_lookup(rng);
      }
    }
    break;
  }
  return scores;
}

} // namespace RETRO_MODEL
} // namespace suites::reactor

#endif // SUITES_XSBENCH_REACTOR_H
