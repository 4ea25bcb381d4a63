//===- gpu_test.cpp - RSBench: the kernels against the serial primal ------===//
#include "../../common/gpu_orders.h"
#include "../rsbench.h"

extern "C" {
suites::rsbench::Primal primal_restrict_rsbench, cuda_restrict_rsbench,
    hip_restrict_rsbench;
suites::rsbench::Gradient hand_restrict_rsbench, cuda_restrict_rsbench_gradient,
    hip_restrict_rsbench_gradient;
}

namespace suites::rsbench {
namespace {

using RsBenchKernels = retro::suite::InEveryOrder;
RETRO_IN_EVERY_ORDER(RsBenchKernels);

void expect_same(const Totals &found, const Totals &expected) {
  EXPECT_EQ(found.scores, expected.scores);
  for (int k = 0; k < channels; ++k)
    EXPECT_EQ(found.macro[k], expected.macro[k]);
}

Size small_size() {
  Size size;
  size.n_nuclides = reactor::small_nuclides;
  size.mean_poles = 50;
  size.mean_windows = 10;
  return size;
}

/// Lookups from number 3: no multiple of the block.
Case lookups_until(const Problem &problem, bool doppler, std::int64_t last) {
  reactor::Work work;
  work.first = 3;
  work.last = last;
  return problem.with(work, doppler);
}

TEST_P(RsBenchKernels, SameBitsAsTheSerialPrimal) {
  const Problem problem(small_size());
  for (const bool doppler : {true, false}) {
    const Case run = lookups_until(problem, doppler, 1000);
    Totals expected, found{};
    primal_restrict_rsbench(run, &expected);
    ASSERT_GT(expected.scores, 997u);
    cuda_restrict_rsbench(run, &found);
    expect_same(found, expected);
    found = {};
    hip_restrict_rsbench(run, &found);
    expect_same(found, expected);
  }
}

TEST_P(RsBenchKernels, GradientLikeTheHandAdjoint) {
  constexpr double w[channels] = {1, 2, 3, 4};
  const Problem problem(small_size());
  for (const bool doppler : {true, false}) {
    const Case run = lookups_until(problem, doppler, 300);
    Totals totals, found_totals{};
    std::vector<Pole> expected(problem.poles.size());
    hand_restrict_rsbench(run, w, expected.data(), &totals);
    for (const auto gradient :
         {cuda_restrict_rsbench_gradient, hip_restrict_rsbench_gradient}) {
      std::vector<Pole> found(expected.size());
      gradient(run, w, found.data(), &found_totals);
      retro::suite::expect_same_gradient(
          &found[0].ea.re, &expected[0].ea.re,
          found.size() * (sizeof(Pole) / sizeof(double)), "poles");
      expect_same(found_totals, totals);
    }
  }
}

} // namespace
} // namespace suites::rsbench
