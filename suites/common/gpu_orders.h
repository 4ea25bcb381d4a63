//===- gpu_orders.h - The orders of threads that kernels are tested in ----===//
#ifndef RETROGRADE_SUITES_GPU_ORDERS_H
#define RETROGRADE_SUITES_GPU_ORDERS_H

#include <retrograde/gpu/gpu_on_cpu.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

namespace retro::suite {

/// Every entry of a gradient within 1e-10 of the expected, relative to it, and
/// some entry not zero.
template <class Real>
void expect_same_gradient(const Real *found, const Real *expected,
                          std::size_t count, const char *what) {
  bool some = false;
  for (std::size_t n = 0; n < count; ++n) {
    ASSERT_NEAR(found[n], expected[n], 1e-10 * std::fabs(expected[n]))
        << what << ' ' << n;
    some |= expected[n] != 0;
  }
  EXPECT_TRUE(some) << what;
}

/// A test that runs in each order, with races checked.
class InEveryOrder : public testing::TestWithParam<RetroGpuOrder> {
protected:
  InEveryOrder() {
    retro_gpu_set_order(GetParam(), 7);
    retro_gpu_set_race_check(1);
  }
};

#define RETRO_IN_EVERY_ORDER(Suite)                                            \
  INSTANTIATE_TEST_SUITE_P(                                                    \
      Orders, Suite,                                                           \
      testing::Values(RETRO_GPU_FORWARD, RETRO_GPU_REVERSE, RETRO_GPU_RANDOM), \
      [](const auto &order) {                                                  \
        return order.param == RETRO_GPU_FORWARD   ? "forward"                  \
               : order.param == RETRO_GPU_REVERSE ? "reverse"                  \
                                                  : "random";                  \
      })

} // namespace retro::suite

#endif // RETROGRADE_SUITES_GPU_ORDERS_H
