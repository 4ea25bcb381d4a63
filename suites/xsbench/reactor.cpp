//===- reactor.cpp - The Hoogenboom-Martin reactor ------------------------===//
#include "reactor.h"

#include <numeric>
#include <tuple>

namespace suites::reactor {

namespace {

const std::vector<int> small_fuel = {
    58, 59, 60, 61, 40, 42, 43, 44, 45, 46, 1,  2,  3,  7,  8,  9,  10,
    29, 57, 47, 48, 0,  62, 15, 33, 34, 52, 53, 54, 55, 56, 18, 23, 41};
const std::vector<int> cladding = {63, 64, 65, 66, 67};
const std::vector<int> borated_water = {24, 41, 4, 5};
const std::vector<int> pressure_vessel = {19, 20, 21, 22, 35, 36, 37, 38, 39,
                                          25, 27, 28, 29, 30, 31, 32, 26, 49,
                                          50, 51, 11, 12, 13, 14, 6,  16, 17};
const std::vector<int> reflector = {24, 41, 4,  5,  19, 20, 21, 22, 35, 36, 37,
                                    38, 39, 25, 49, 50, 51, 11, 12, 13, 14};
const std::vector<int> fuel_ends = {24, 41, 4, 5, 63, 64, 65, 66, 67};

} // namespace

Materials::Materials(int n_nuclides) {
  std::vector<int> fuel = small_fuel;
  if (n_nuclides != small_nuclides)
    for (int n = small_nuclides; n < large_nuclides; ++n)
      fuel.push_back(n);

  const std::vector<int> *lists[n_materials] = {
      &fuel,      &cladding,  &borated_water, &borated_water, &pressure_vessel,
      &reflector, &reflector, &reflector,     &reflector,     &reflector,
      &fuel_ends, &fuel_ends};
  max_nuclides = static_cast<int>(fuel.size());
  nuclides.assign(static_cast<std::size_t>(n_materials) * max_nuclides, -1);
  for (int m = 0; m < n_materials; ++m) {
    counts.push_back(static_cast<int>(lists[m]->size()));
    std::copy(lists[m]->begin(), lists[m]->end(),
              nuclides.begin() + m * max_nuclides);
  }
}

std::vector<double> Materials::draw_concentrations(Lcg &rng) const {
  std::vector<double> concentrations(nuclides.size(), 0.0);
  for (int m = 0; m < n_materials; ++m)
    for (int j = 0; j < counts[m]; ++j)
      concentrations[m * max_nuclides + j] = rng.uniform();
  return concentrations;
}

std::vector<Lookup> sorted_lookups(std::int64_t first, std::int64_t last) {
  std::vector<Lookup> lookups;
  lookups.reserve(static_cast<std::size_t>(last - first));
  for (std::int64_t i = first; i < last; ++i)
    lookups.push_back(event_lookup(static_cast<std::uint64_t>(i)));
  std::sort(
      lookups.begin(), lookups.end(), [](const Lookup &a, const Lookup &b) {
        return std::tie(a.material, a.energy) < std::tie(b.material, b.energy);
      });
  return lookups;
}

} // namespace suites::reactor
