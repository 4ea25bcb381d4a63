// Published values of the mixture log-posterior: specification section 14.
#pragma once

#include "common/benchmark.hpp"

namespace gmm {

using namespace retro::suite;

inline std::vector<Reference> references(const Dims &dims) {
  const auto is = [&](const char *text) { return dims == Dims::parse(text); };
  const auto tiny = [](double loss, double norm, double sum,
                       std::initializer_list<std::pair<int, double>> entries) {
    std::vector<Reference> list{{false, "L", pick::at(0), loss, 1e-12},
                                {true, "norm", pick::norm(), norm, 1e-12},
                                {true, "sum", pick::sum(), sum, 1e-12}};
    for (auto [i, value] : entries)
      list.push_back(
          {true, "g[" + std::to_string(i) + "]", pick::at(i), value, 1e-12});
    return list;
  };
  if (is("d=3,K=4,n=20"))
    return tiny(-86.3663600403077, 30.1657746326548, -22.8223353719451,
                {{0, -3.42997490022426},
                 {3, -2.80797851444226},
                 {4, -3.69973442360511},
                 {15, -16.5248441208738},
                 {16, 4.68804418933051},
                 {19, -4.65158343251414},
                 {22, 6.05617153415106},
                 {39, -3.45097978775033}});
  if (is("d=3,K=4,n=20,m=2,gamma_tenths=17"))
    return tiny(-68.0068254683075, 45.8407825287389, 1.61512110705591,
                {{0, -3.42997490022426},
                 {3, -2.80797851444226},
                 {4, -3.69973442360511},
                 {15, -16.5248441208738},
                 {16, 2.80637197144679},
                 {19, -3.51028931940564},
                 {22, 4.25324417786884},
                 {39, -3.84880989880499}});
  if (is("d=10,K=5,n=100"))
    return {{false, "L", pick::at(0), -2650.39728440567, 1e-12}};
  // The gradient is given to twelve digits here. g[0] was computed again with
  // 25 digits: the specification's has transposed digits (162.516521980) and
  // contradicts its own norm.
  if (is("d=10,K=25,n=2000"))
    return {{false, "L", pick::at(0), -55649.0703638408, 1e-12},
            {true, "norm", pick::norm(), 5165.82996438, 1e-11},
            {true, "g[0]", pick::at(0), 162.518821979892, 1e-11},
            {true, "g[1649]", pick::at(1649), -9.68066931548, 1e-11}};
  return {};
}

} // namespace gmm
