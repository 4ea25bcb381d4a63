//===- gpu_test.cpp - DG: the kernels against the serial primal -----------===//
#include "../../common/gpu_orders.h"
#include "../dg.h"

#include <algorithm>
#include <cmath>

extern "C" {
suites::dg::Primal<double> primal_restrict_dg, cuda_restrict_dg,
    hip_restrict_dg;
suites::dg::Gradient<double> hand_restrict_dg, cuda_restrict_dg_gradient,
    hip_restrict_dg_gradient;
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

struct Gradients {
  std::vector<double> rhs, q, metric, matrix, seed;
};

/// Gradient of a weighted sum of the right-hand side, added to shadows that are
/// not zero.
Gradients differentiate(Gradient<double> *gradient, std::int64_t elements) {
  const Inputs inputs = hashed_inputs(elements);
  std::vector<double> q(inputs.q.begin(), inputs.q.end()),
      metric(inputs.geometry.begin(), inputs.geometry.end()),
      matrix(inputs.matrix.begin(), inputs.matrix.end());
  Gradients to{
      std::vector<double>(q.size(), 1), std::vector<double>(q.size(), 0.5),
      std::vector<double>(metric.size(), 0.25),
      std::vector<double>(matrix.size(), 2), std::vector<double>(q.size())};
  for (std::size_t n = 0; n < to.seed.size(); ++n)
    to.seed[n] = 1 + 0.5 * std::cos(static_cast<double>(n));
  gradient(elements, {q.data(), metric.data(), matrix.data(), to.rhs.data()},
           {to.q.data(), to.metric.data(), to.matrix.data(), to.seed.data()},
           gravity);
  return to;
}

TEST_P(DgKernels, GradientLikeTheHandAdjoint) {
  constexpr std::int64_t elements = 5;
  const Gradients expected = differentiate(hand_restrict_dg, elements);
  for (const auto gradient :
       {cuda_restrict_dg_gradient, hip_restrict_dg_gradient}) {
    const Gradients found = differentiate(gradient, elements);
    const auto expect_same = [&](std::vector<double> Gradients::*field,
                                 const char *what) {
      retro::suite::expect_same_gradient((found.*field).data(),
                                         (expected.*field).data(),
                                         (expected.*field).size(), what);
    };
    expect_same(&Gradients::q, "q");
    expect_same(&Gradients::metric, "geometry");
    expect_same(&Gradients::matrix, "matrix");
    expect_same(&Gradients::seed, "seed");
    expect_same(&Gradients::rhs, "right-hand side");
  }
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
