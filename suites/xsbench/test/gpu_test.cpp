//===- gpu_test.cpp - XSBench: the kernels against the serial primal ------===//
#include "../../common/gpu_orders.h"
#include "../xsbench.h"

extern "C" {
suites::xsbench::Primal primal_restrict_xsbench, cuda_restrict_xsbench,
    hip_restrict_xsbench;
}

namespace suites::xsbench {
namespace {

using XsBenchKernels = retro::suite::InEveryOrder;
RETRO_IN_EVERY_ORDER(XsBenchKernels);

void expect_same(const Totals &found, const Totals &expected) {
  EXPECT_EQ(found.scores, expected.scores);
  for (int k = 0; k < channels; ++k)
    EXPECT_EQ(found.macro[k], expected.macro[k]);
}

TEST_P(XsBenchKernels, SameBitsAsTheSerialPrimal) {
  for (const GridType type :
       {GridType::unionized, GridType::nuclide, GridType::hash}) {
    Size size;
    size.n_nuclides = reactor::small_nuclides;
    size.n_grid = 64;
    size.n_bins = 100;
    size.grid_type = type;
    const Problem problem(size);
    reactor::Work work;
    work.first = 3;
    work.last = 1000; // no multiple of the block
    const Case run = problem.with(work);
    Totals expected, found{};
    primal_restrict_xsbench(run, &expected);
    ASSERT_GT(expected.scores, 997u);
    cuda_restrict_xsbench(run, &found);
    expect_same(found, expected);
    found = {};
    hip_restrict_xsbench(run, &found);
    expect_same(found, expected);
  }
}

} // namespace
} // namespace suites::xsbench
