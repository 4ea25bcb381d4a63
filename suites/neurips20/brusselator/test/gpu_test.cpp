// The kernels of the reaction-diffusion system against the serial program.
#include "common/gpu_orders.h"

#include <cmath>
#include <vector>

using Primal = void(int, const double *, const double *, const double *, double,
                    double *, double *);
using Gradient = void(int, const double *, double *, const double *, double *,
                      const double *, double *, double, double *, double *,
                      double *, double *);

extern "C" {
Primal primal_restrict_brusselator, cuda_restrict_brusselator,
    hip_restrict_brusselator;
Gradient hand_restrict_brusselator_gradient_dup,
    cuda_restrict_brusselator_gradient_dup,
    hip_restrict_brusselator_gradient_dup;
}

namespace {

using BrusselatorKernels = retro::suite::InEveryOrder;
RETRO_IN_EVERY_ORDER(BrusselatorKernels);

constexpr int n = 21, cells = n * n; // no multiple of the tile
constexpr double t = 2.1;            // the forcing is on

std::vector<double> waves(int count, double base, double phase) {
  std::vector<double> all(count);
  for (int i = 0; i < count; ++i)
    all[i] = base + std::sin(phase + 1.7 * i);
  return all;
}

struct Result {
  std::vector<double> u = waves(cells, 3, 0), v = waves(cells, 2, 1),
                      p = {3.4, 1, 10}, du = waves(cells, 0, 0), dv = du;
  std::vector<double> ub = waves(cells, 0, 2), vb = waves(cells, 1, 3),
                      pb = {1, 2, 3};
  std::vector<double> dub = waves(cells, 0.5, 4), dvb = waves(cells, -0.5, 5);
};

TEST_P(BrusselatorKernels, LikeTheSerialPrimal) {
  Result expected;
  primal_restrict_brusselator(n, expected.u.data(), expected.v.data(),
                              expected.p.data(), t, expected.du.data(),
                              expected.dv.data());
  for (const auto primal :
       {cuda_restrict_brusselator, hip_restrict_brusselator}) {
    Result found;
    primal(n, found.u.data(), found.v.data(), found.p.data(), t,
           found.du.data(), found.dv.data());
    EXPECT_EQ(found.du, expected.du);
    EXPECT_EQ(found.dv, expected.dv);
  }
}

Result differentiate(Gradient *gradient) {
  Result r;
  gradient(n, r.u.data(), r.ub.data(), r.v.data(), r.vb.data(), r.p.data(),
           r.pb.data(), t, r.du.data(), r.dub.data(), r.dv.data(),
           r.dvb.data());
  return r;
}

TEST_P(BrusselatorKernels, GradientLikeTheHandAdjoint) {
  const Result expected = differentiate(hand_restrict_brusselator_gradient_dup);
  for (const auto gradient : {cuda_restrict_brusselator_gradient_dup,
                              hip_restrict_brusselator_gradient_dup}) {
    const Result found = differentiate(gradient);
    EXPECT_EQ(found.du, expected.du);
    EXPECT_EQ(found.dub, std::vector<double>(cells));
    EXPECT_EQ(found.dvb, std::vector<double>(cells));
    using retro::suite::expect_same_gradient;
    expect_same_gradient(found.ub.data(), expected.ub.data(), cells, "u");
    expect_same_gradient(found.vb.data(), expected.vb.data(), cells, "v");
    expect_same_gradient(found.pb.data(), expected.pb.data(), 3, "parameters");
  }
}

} // namespace
