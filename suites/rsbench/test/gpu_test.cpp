//===- gpu_test.cpp - RSBench: the kernels against the serial primal ------===//
#include "../../common/gpu_orders.h"
#include "../rsbench.h"

extern "C" {
suites::rsbench::Primal primal_restrict_rsbench, cuda_restrict_rsbench,
    hip_restrict_rsbench;
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

TEST_P(RsBenchKernels, SameBitsAsTheSerialPrimal) {
  Size size;
  size.n_nuclides = reactor::small_nuclides;
  size.mean_poles = 50;
  size.mean_windows = 10;
  const Problem problem(size);
  reactor::Work work;
  work.first = 3;
  work.last = 1000; // no multiple of the block
  for (const bool doppler : {true, false}) {
    const Case run = problem.with(work, doppler);
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

} // namespace
} // namespace suites::rsbench
