//===- gpu_test.cpp - XSBench: the kernels against the serial primal ------===//
#include "../../common/gpu_orders.h"
#include "../xsbench.h"

extern "C" {
suites::xsbench::Primal primal_restrict_xsbench, cuda_restrict_xsbench,
    hip_restrict_xsbench;
suites::xsbench::Gradient hand_restrict_xsbench, cuda_restrict_xsbench_gradient,
    hip_restrict_xsbench_gradient;
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

Size size_of(GridType type) {
  Size size;
  size.n_nuclides = reactor::small_nuclides;
  size.n_grid = 64;
  size.n_bins = 100;
  size.grid_type = type;
  return size;
}

/// No multiple of the block.
Case thousand_lookups(const Problem &problem) {
  reactor::Work work;
  work.first = 3;
  work.last = 1000;
  return problem.with(work);
}

constexpr GridType grid_types[] = {GridType::unionized, GridType::nuclide,
                                   GridType::hash};

TEST_P(XsBenchKernels, SameBitsAsTheSerialPrimal) {
  for (const GridType type : grid_types) {
    const Problem problem(size_of(type));
    const Case run = thousand_lookups(problem);
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

TEST_P(XsBenchKernels, GradientLikeTheHandAdjoint) {
  constexpr double w[channels] = {1, 2, 3, 4, 5};
  for (const GridType type : grid_types) {
    const Problem problem(size_of(type));
    const Case run = thousand_lookups(problem);
    Totals totals, found_totals{};
    std::vector<GridPoint> expected(problem.grid.size());
    hand_restrict_xsbench(run, w, expected.data(), &totals);
    for (const auto gradient :
         {cuda_restrict_xsbench_gradient, hip_restrict_xsbench_gradient}) {
      std::vector<GridPoint> found(expected.size());
      gradient(run, w, found.data(), &found_totals);
      retro::suite::expect_same_gradient(
          &found[0].energy, &expected[0].energy,
          found.size() * (sizeof(GridPoint) / sizeof(double)), "grid");
      expect_same(found_totals, totals);
    }
  }
}

} // namespace
} // namespace suites::xsbench
