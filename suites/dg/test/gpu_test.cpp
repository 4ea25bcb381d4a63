//===- gpu_test.cpp - DG: the kernels against the serial primal -----------===//
#include "../../common/gpu_orders.h"
#include "../dg.h"

#include <algorithm>
#include <cmath>

extern "C" {
suites::dg::Primal<double> primal_restrict_dg, cuda_restrict_dg,
    hip_restrict_dg;
suites::dg::Primal<float> primal_restrict_dg_float, cuda_restrict_dg_float,
    hip_restrict_dg_float;
}

namespace suites::dg {
namespace {

using DgKernels = retro::suite::InEveryOrder;
RETRO_IN_EVERY_ORDER(DgKernels);

/// The right-hand side, which was 1 before.
template <class Real>
std::vector<Real> run(Primal<Real> *primal, std::int64_t elements) {
  const Inputs inputs = hashed_inputs(elements);
  std::vector<Real> q(inputs.q.begin(), inputs.q.end()),
      metric(inputs.geometry.begin(), inputs.geometry.end()),
      matrix(inputs.matrix.begin(), inputs.matrix.end()), rhs(q.size(), 1);
  primal(elements, {q.data(), metric.data(), matrix.data(), rhs.data()},
         gravity);
  return rhs;
}

/// Largest difference of a state's entries, relative to its largest.
template <class Real>
double worst(const std::vector<Real> &found,
             const std::vector<Real> &expected) {
  double result = 0;
  for (int s = 0; s < states; ++s) {
    double largest = 0, difference = 0;
    for (std::size_t n = 0; n < expected.size(); ++n)
      if (static_cast<int>(n % state_size / nodes) == s) {
        const double d = std::fabs(double(found[n]) - double(expected[n]));
        difference = std::isfinite(d) ? std::max(difference, d) : HUGE_VAL;
        largest = std::max(largest, std::fabs(double(expected[n])));
      }
    result = std::max(result, difference / largest);
  }
  return result;
}

TEST_P(DgKernels, LikeTheSerialPrimal) {
  const auto expected = run(primal_restrict_dg, 5);
  EXPECT_LT(worst(run(cuda_restrict_dg, 5), expected), 1e-14);
  EXPECT_LT(worst(run(hip_restrict_dg, 5), expected), 1e-14);
}

TEST_P(DgKernels, LikeTheSerialPrimalInFloat) {
  const auto expected = run(primal_restrict_dg_float, 5);
  EXPECT_LT(worst(run(cuda_restrict_dg_float, 5), expected), 1e-6);
  EXPECT_LT(worst(run(hip_restrict_dg_float, 5), expected), 1e-6);
}

} // namespace
} // namespace suites::dg
