//===- gpu_test.cpp - LBM: the kernels against the serial primal ----------===//
#include "../../common/gpu_orders.h"
#include "../lbm.h"

#include <algorithm>
#include <cmath>

extern "C" {
suites::lbm::Primal<double> primal_restrict_lbm, cuda_restrict_lbm,
    hip_restrict_lbm;
suites::lbm::Primal<float> primal_restrict_lbm_float, cuda_restrict_lbm_float,
    hip_restrict_lbm_float;
suites::lbm::Gradient<double> hand_restrict_lbm, cuda_restrict_lbm_gradient,
    hip_restrict_lbm_gradient;
}

namespace suites::lbm {
namespace {

using LbmKernels = retro::suite::InEveryOrder;
RETRO_IN_EVERY_ORDER(LbmKernels);

/// Both grids after the sweeps, from populations with no symmetry.
template <class Real>
std::vector<double> run(Primal<Real> *primal, const Box &box, int steps) {
  const auto flags = cavity_flags(box, ellipsoid(box));
  const Real parameters[n_parameters] = {Real(1.95), Real(0.005), Real(0.002),
                                         Real(0.001)};
  Grid<Real> a(box), b(box);
  set_at_rest(box, a);
  set_at_rest(box, b);
  std::vector<double> values = pack(box, a);
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] *= 1 + 0.1 * std::sin(static_cast<double>(n));
  unpack(box, values, a);
  primal(box, flags.data(), parameters, steps, a.data(), b.data());
  std::vector<double> both = pack(box, a);
  const std::vector<double> second = pack(box, b);
  both.insert(both.end(), second.begin(), second.end());
  return both;
}

const Box box(12, 10, 14);

TEST_P(LbmKernels, SameBitsAsTheSerialPrimal) {
  const auto expected = run(primal_restrict_lbm, box, 7);
  EXPECT_NE(expected, run(primal_restrict_lbm, box, 6));
  EXPECT_EQ(run(cuda_restrict_lbm, box, 7), expected);
  EXPECT_EQ(run(hip_restrict_lbm, box, 7), expected);
}

/// Gradient of a sum with weights of no pattern, after an odd number of sweeps.
std::vector<double> differentiate(Gradient<double> *gradient) {
  const auto flags = cavity_flags(box, ellipsoid(box));
  const double parameters[n_parameters] = {1.95, 0.005, 0.002, 0.001};
  Grid<double> a(box), b(box), a_shadow(box), b_shadow(box);
  set_at_rest(box, a);
  set_at_rest(box, b);
  std::vector<double> values = pack(box, a), weights = values;
  for (std::size_t n = 0; n < values.size(); ++n) {
    values[n] *= 1 + 0.1 * std::sin(static_cast<double>(n));
    weights[n] = 1 + 0.5 * std::cos(static_cast<double>(n));
  }
  unpack(box, values, a);
  unpack(box, weights, b_shadow);
  gradient(box, flags.data(), parameters, nullptr, 5, a.data(), a_shadow.data(),
           b.data(), b_shadow.data());
  return pack(box, a_shadow);
}

TEST_P(LbmKernels, GradientLikeTheHandAdjoint) {
  const auto expected = differentiate(hand_restrict_lbm);
  for (const auto gradient :
       {cuda_restrict_lbm_gradient, hip_restrict_lbm_gradient}) {
    const auto found = differentiate(gradient);
    double largest = 0;
    for (std::size_t n = 0; n < found.size(); ++n) {
      ASSERT_NEAR(found[n], expected[n], 1e-13) << n;
      largest = std::max(largest, std::fabs(found[n]));
    }
    EXPECT_GT(largest, 1);
  }
}

TEST_P(LbmKernels, SameBitsInFloat) {
  const auto expected = run(primal_restrict_lbm_float, box, 4);
  EXPECT_EQ(run(cuda_restrict_lbm_float, box, 4), expected);
  EXPECT_EQ(run(hip_restrict_lbm_float, box, 4), expected);
}

} // namespace
} // namespace suites::lbm
