// Published values of the LSTM loss: specification section 14.
#pragma once

#include "common/benchmark.hpp"

namespace lstm {

using namespace retro::suite;

/// Gradients are [main | extra].
inline std::vector<Reference> references(const Dims &dims) {
  const auto is = [&](const char *text) { return dims == Dims::parse(text); };
  if (is("l=2,c=6,b=5"))
    return {{false, "loss", pick::at(0), 0.848069460570078, 1e-12},
            {true, "norm", pick::norm(), 0.164523617017264, 1e-12},
            {true, "sum", pick::sum(), -0.104676148291190, 1e-12},
            {true, "g[0]", pick::at(0), 9.80275945620858e-05, 1e-12},
            {true, "g[5]", pick::at(5), 1.49440027646555e-04, 1e-12},
            {true, "g[20]", pick::at(20), 5.51053488878954e-04, 1e-12},
            {true, "g[40]", pick::at(40), 1.08909510276487e-03, 1e-12},
            {true, "g[45]", pick::at(45), 6.55870892462425e-04, 1e-12},
            {true, "g[79]", pick::at(79), 9.69130172318510e-03, 1e-12},
            {true, "g[80]", pick::at(80), 1.31572008325535e-04, 1e-12},
            {true, "g[84]", pick::at(84), 1.27909984369874e-04, 1e-12},
            {true, "g[85]", pick::at(85), 8.39348160615786e-03, 1e-12},
            {true, "g[90]", pick::at(90), 1.89000039691626e-02, 1e-12},
            {true, "g[94]", pick::at(94), 4.18899302686887e-02, 1e-12}};
  if (is("l=2,c=32,b=14"))
    return {{false, "loss", pick::at(0), 1.31461158819149, 1e-12}};
  // The gradient is given to twelve digits here.
  if (is("l=2,c=1024,b=14"))
    return {{false, "loss", pick::at(0), 1.34124052880391, 1e-12},
            {true, "norm", pick::norm(), 0.0382176258915, 1e-11},
            {true, "g[223]", pick::at(223), -0.00137747854929, 1e-11}};
  return {};
}

} // namespace lstm
